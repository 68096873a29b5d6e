//! The identity of a process: its number alone may belong to another one later.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The time that a server has to end by itself.
const PATIENCE: Duration = Duration::from_secs(5);
/// The interval at which it is looked for.
const INTERVAL: Duration = Duration::from_millis(20);

/// A process of this boot of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProcessIdentity {
    /// Its number.
    pub(super) pid: i32,
    /// The clock ticks between the boot and its start.
    started: u64,
    /// The id of the boot.
    boot: String,
}

impl ProcessIdentity {
    /// The identity of a process that runs; none if there is no such process.
    pub(super) fn of(pid: i32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned();
        // The name of the program is in parentheses and may hold anything.
        let mut fields = stat.rsplit_once(") ")?.1.split(' ');
        // A process that ended and was not collected is none.
        let runs = fields.next().is_some_and(|state| !matches!(state, "Z" | "X"));
        let started = fields.nth(18)?.parse().ok()?;
        runs.then_some(Self { pid, started, boot })
    }

    /// Returns true while this very process runs.
    pub(super) fn runs(&self) -> bool {
        Self::of(self.pid).is_some_and(|found| found == *self)
    }

    /// Ends it: asks first, and kills it if it does not end in time. A process that is no longer this one is left alone.
    ///
    /// # Errors
    /// The system refuses, or the process outlives its killing.
    pub(super) fn end(&self) -> Result<(), std::io::Error> {
        for signal in [Signal::SIGTERM, Signal::SIGKILL] {
            if !self.runs() {
                return Ok(());
            }
            match kill(Pid::from_raw(self.pid), signal) {
                Ok(()) | Err(nix::errno::Errno::ESRCH) => {}
                Err(error) => return Err(error.into()),
            }
            let began = Instant::now();
            while self.runs() && began.elapsed() < PATIENCE {
                std::thread::sleep(INTERVAL);
            }
        }
        match self.runs() {
            true => Err(std::io::Error::other("it does not end")),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_is_ended_only_under_its_own_identity() {
        let mut child = Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let own = ProcessIdentity::of(child.id().try_into().unwrap()).unwrap();
        let other = ProcessIdentity { started: own.started + 1, ..own.clone() };
        let earlier = ProcessIdentity { boot: "another boot".to_owned(), ..own.clone() };
        for stranger in [&other, &earlier] {
            assert!(!stranger.runs());
            stranger.end().unwrap();
            assert!(own.runs(), "a process of the same number was ended");
        }
        own.end().unwrap();
        assert!(!own.runs());
        child.wait().unwrap();
        assert_eq!(ProcessIdentity::of(own.pid).filter(|found| *found == own), None);
    }
}
