//! `deed models local stop`: ends servers that were started here.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::models::local::stop;
use std::fmt::Write as _;

/// Stop the server of a model, or all servers that Deed started.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed models local stop
  deed models local stop --model smollm2-135m")]
pub(crate) struct Stop {
    /// Model [default: all that are served].
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

impl Stop {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let stopped = stop(self.model.as_deref())?;
        let mut text = String::new();
        for server in &stopped.stopped {
            let how = if server.had_ended() { "had ended already" } else { "stopped" };
            let _ = writeln!(text, "{} {how}", server.model);
        }
        Ok(Success::new(stopped, text))
    }
}
