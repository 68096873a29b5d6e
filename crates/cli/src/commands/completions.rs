//! `deed completions`: a script for the shell.

use crate::args::Cli;
use crate::output::Success;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use deed_app::AppError;
use schemars::JsonSchema;
use serde::Serialize;

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed completions bash > /etc/bash_completion.d/deed
  deed completions fish > ~/.config/fish/completions/deed.fish")]
pub(crate) struct Completions {
    /// Shell to complete commands in.
    shell: Shell,
}

/// A completion script.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Script {
    /// The shell.
    shell: String,
    /// The script.
    script: String,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "deed", &mut script);
        let data = Script { shell: self.shell.to_string(), script: String::from_utf8_lossy(&script).into_owned() };
        Ok(Success::new(data, script).document())
    }
}
