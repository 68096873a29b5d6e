//! `deed golden accept`: what moved becomes what is expected, once it was shown.

use super::shown;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{GoldenAcceptance, GoldenResult, accept_golden};
use deed_diag::{Diagnostic, codes};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Update the expectations of failing cases, after showing the stage and the field that moved.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed golden accept ./support
  deed golden accept ./support 03_approval_needed --yes")]
pub(crate) struct Accept {
    /// Folder of the pack.
    #[arg(value_name = "DIR")]
    pack: PathBuf,
    /// Cases to accept, by name [default: all that fail].
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// Another version of the pack: the stages of each failing case are compared with it.
    #[arg(long, value_name = "REF|DIR")]
    base: Option<String>,
    /// Write; without it what moved is only shown, and the command ends with 1.
    #[arg(long)]
    yes: bool,
}

/// Golden cases that moved.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AcceptedGolden {
    /// The cases that failed, with what moved.
    cases: Vec<GoldenResult>,
    /// The files that were rewritten; none without `--yes`.
    written: Vec<PathBuf>,
}

impl Accept {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let acceptance = if self.yes { GoldenAcceptance::Accepted } else { GoldenAcceptance::Shown };
        let done = accept_golden(&global.session(), &self.pack, &self.cases, self.base.as_deref(), acceptance)?;
        let mut report = done.report;
        let mut text = String::new();
        done.moved.iter().for_each(|case| shown::case(&mut text, case));
        let pending = !self.yes && !done.moved.is_empty();
        if pending {
            let message = format!("{} golden cases moved, and nothing was written", done.moved.len());
            let help = "if all of it is intended, run the command again with `--yes`";
            report.push(Diagnostic::error(codes::GOLDEN_CHANGES_NOT_ACCEPTED, message).stage("golden").help(help));
        }
        for path in &done.written {
            let _ = writeln!(text, "wrote {}", path.display());
        }
        let remark = match (done.moved.is_empty(), done.written.len()) {
            (true, _) => Some("nothing to accept".to_owned()),
            (false, 0) => None,
            (false, many) => Some(format!("accepted {many}: review the diff before you commit it")),
        };
        let found = pending || report.has_errors();
        let success = Success::new(AcceptedGolden { cases: done.moved, written: done.written }, text).report(report);
        Ok(Success { found, remark, ..success })
    }
}
