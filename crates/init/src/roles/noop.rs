//! Inside, in the place of the program: says what is in force for it, so that the probe believes no promise.

use super::{Done, while_doing};
use std::fs;
use std::process::ExitCode;

/// Plays the part.
pub(crate) fn noop() -> Done {
    let status = fs::read_to_string("/proc/self/status").map_err(while_doing("read what is in force"))?;
    let wanted = ["CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:", "Seccomp_filters:"];
    status.lines().filter(|line| wanted.iter().any(|name| line.starts_with(name))).for_each(|line| println!("{line}"));
    Ok(ExitCode::SUCCESS)
}
