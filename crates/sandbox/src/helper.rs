//! Starts helper programs outside the sandbox: probes, the launcher, an interpreter that is asked for its version.
//!
//! None of them inherits anything from the caller that could make it load other code: the environment is empty, the
//! working folder is `/`, and there is no input unless the caller sets one.

use std::path::Path;
use std::process::{Command, Stdio};

/// Returns a command that runs `program` in `/`, with an empty environment and no input.
pub(crate) fn isolated(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir("/").stdin(Stdio::null());
    command
}
