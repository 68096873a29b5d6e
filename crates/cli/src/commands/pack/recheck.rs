//! `deed pack recheck`: the validation gates that a change elsewhere requires.

use super::lint::concluded;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deed_app::{AppError, packs};
use deed_context::GoldenRunner;
use deed_pack::{Trigger, lint_with};
use std::path::Path;

/// Check a pack again after something that it refers to has changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack recheck ctxpack.support@1.0.0 --trigger POLICY_BUNDLE_UPDATED")]
pub(crate) struct Recheck {
    /// Folder of the pack, such as ./support, or a reference.
    pack: String,
    /// Kind of change; repeat for several.
    #[arg(long = "trigger", value_name = "TRIGGER", required = true, ignore_case = true, value_parser = trigger())]
    triggers: Vec<Trigger>,
}

fn trigger() -> impl TypedValueParser<Value = Trigger> {
    PossibleValuesParser::new(Trigger::ALL.map(Trigger::as_str)).try_map(|name| name.parse::<Trigger>())
}

impl Recheck {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let bundle = packs::any_bundle(&global.session(), &self.pack)?.bundle;
        let gates: Vec<_> = self.triggers.iter().flat_map(|t| t.gates()).copied().collect();
        let report = lint_with(&bundle, &gates, &GoldenRunner);
        let found = !report.passed();
        Ok(Success { found, ..concluded(Path::new(&self.pack), report, false) })
    }
}
