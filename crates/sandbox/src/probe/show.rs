//! The text form of a probe.

use super::Probe;
use std::fmt;

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "level        {}", self.level)?;
        match &self.bwrap {
            Ok(bwrap) => writeln!(f, "bubblewrap   {} at {}", bwrap.version, bwrap.path.display())?,
            Err(why) => writeln!(f, "bubblewrap   no: {why}")?,
        }
        writeln!(f, "namespaces   {}", worded(&self.namespaces))?;
        writeln!(f, "seccomp      {}", worded(&self.seccomp))?;
        writeln!(f, "landlock     abi {}", self.landlock_abi)?;
        for group in &self.groups {
            writeln!(f, "cgroup v{}    {} in {}", group.version, group.controllers.join(" "), group.parent.display())?;
        }
        for why in &self.groups_missing {
            writeln!(f, "cgroup       {why}")?;
        }
        let user = if self.root { worded(&self.ordinary_user) } else { "not root" };
        writeln!(f, "user         {user}")?;
        for missing in &self.missing {
            writeln!(f, "not {}       {}\n             help: {}", missing.level, missing.why, missing.help)?;
        }
        Ok(())
    }
}

fn worded(found: &Result<(), String>) -> &str {
    match found {
        Ok(()) => "yes",
        Err(why) => why,
    }
}
