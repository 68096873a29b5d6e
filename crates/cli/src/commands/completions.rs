//! `deed completions`: a script for the shell.

use crate::args::Cli;
use crate::output::Success;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use deed_app::AppError;
use serde_json::json;

/// Print a completion script for a shell.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Which shell.
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "deed", &mut script);
        let data = json!({ "shell": self.shell.to_string(), "script": String::from_utf8_lossy(&script) });
        Ok(Success::new(data, script))
    }
}
