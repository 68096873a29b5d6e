//! `deed golden run`: golden cases compiled, with the stage and the field that moved in each that fails.

use super::shown;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{GoldenResult, golden};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Run golden cases and name the stage and the field that moved.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed golden run ./support
  deed golden run ./support 03_approval_needed --base ctxpack.support@1.0.0")]
pub(crate) struct Run {
    /// Folder of the pack, such as ./support, or a version such as ctxpack.a@1.0.0.
    #[arg(value_name = "REF|DIR")]
    pack: String,
    /// Cases to run, by name [default: all].
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// Another version of the pack: the stages of each failing case are compared with it.
    #[arg(long, value_name = "REF|DIR")]
    base: Option<String>,
}

/// Golden cases that were run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RanGolden {
    /// The cases.
    cases: Vec<GoldenResult>,
    /// The number of those that pass.
    passed: usize,
}

impl Run {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let examined = golden(&global.session(), &self.pack, &self.cases, self.base.as_deref())?;
        let mut text = String::new();
        examined.cases.iter().for_each(|case| shown::case(&mut text, case));
        let passed = examined.cases.iter().filter(|case| case.passed).count();
        let _ = writeln!(text, "{passed} of {} pass", examined.cases.len());
        let found = passed < examined.cases.len();
        let data = RanGolden { cases: examined.cases, passed };
        let success = Success::new(data, text).report(examined.report);
        Ok(Success { found, ..success })
    }
}
