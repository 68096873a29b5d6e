//! `deed golden list`: the golden cases of a pack, and whether each passes.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::golden;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the golden cases of a pack.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed golden list ./support
  deed golden list ctxpack.support@1.0.0")]
pub(crate) struct List {
    /// Folder of the pack, such as ./support, or a version such as ctxpack.a@1.0.0.
    #[arg(value_name = "REF|DIR", default_value = ".")]
    pack: String,
}

/// A golden case.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedCase {
    /// Its name.
    name: String,
    /// Its file.
    file: String,
    /// A sentence about what it shows.
    description: String,
    /// True if it passes.
    passed: bool,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let examined = golden(&global.session(), &self.pack, &[], None)?;
        let mut text = String::new();
        for case in &examined.cases {
            let verdict = if case.passed { "ok" } else { "fails" };
            let _ = writeln!(text, "{:<32} {verdict:<6} {}", case.name, case.description);
        }
        let listed = examined.cases.into_iter().map(|case| ListedCase {
            name: case.name,
            file: case.file,
            description: case.description,
            passed: case.passed,
        });
        Ok(Success::new(listed.collect::<Vec<_>>(), text))
    }
}
