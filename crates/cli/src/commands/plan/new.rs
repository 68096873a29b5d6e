//! `deed plan new`: a plan to begin with.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_diag::{Code, Diagnostic, quote};
use serde_json::json;
use std::path::PathBuf;

const BAD_NAME: Code = Code::new("D1970");

/// Write a commented plan that compiles as it stands.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// Its name: lowercase words with dashes.
    name: String,
    /// Where to write it; `NAME.plan.yaml` otherwise.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl New {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let plain = self.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'));
        if !plain
            || !self.name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            || self.name.len() > 100
        {
            let message = format!("{} is no name of a plan", quote(&self.name));
            let help = "a name has lowercase letters, digits, `-` and `_`";
            return Err(AppError::usage(Diagnostic::error(BAD_NAME, message).stage("plan").help(help)));
        }
        let path = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.plan.yaml", self.name)));
        files::write(&path, deed_plan::scaffold(&self.name).as_bytes(), Existing::Keep, Access::Shared)?;
        let shown = path.display().to_string();
        let text = format!("{shown}\n");
        Ok(Success::new(json!({ "written": shown }), text).remark(format!("next: `deed plan check {shown}`")))
    }
}
