//! Inside, in the place of the program: reports the restrictions in force, so that the probe need not trust the setup.

use super::{Done, while_doing};
use std::fs;
use std::process::ExitCode;

/// Runs this role.
pub(crate) fn noop() -> Done {
    let status = fs::read_to_string("/proc/self/status").map_err(while_doing("read what is in force"))?;
    let wanted = ["CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:", "Seccomp_filters:"];
    status.lines().filter(|line| wanted.iter().any(|name| line.starts_with(name))).for_each(|line| println!("{line}"));
    Ok(ExitCode::SUCCESS)
}
