//! `deed pack recheck`: the gates that a change elsewhere asks for.

use super::lint::concluded;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deed_app::{AppError, packs};
use deed_context::GoldenRunner;
use deed_pack::{Trigger, lint_with};
use std::path::Path;

/// Run the gates that a change of something the pack refers to asks for.
#[derive(Debug, Args)]
pub(crate) struct Recheck {
    /// The pack's folder, or a reference.
    pack: String,
    /// What changed; may be given more than once.
    #[arg(long = "trigger", value_name = "TRIGGER", required = true, ignore_case = true, value_parser = trigger())]
    triggers: Vec<Trigger>,
}

fn trigger() -> impl TypedValueParser<Value = Trigger> {
    PossibleValuesParser::new(Trigger::ALL.map(Trigger::as_str)).try_map(|name| name.parse::<Trigger>())
}

impl Recheck {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let bundle = packs::any_bundle(&global.session(), &self.pack)?;
        let gates: Vec<_> = self.triggers.iter().flat_map(|t| t.gates()).copied().collect();
        let report = lint_with(&bundle, &gates, &GoldenRunner);
        let found = !report.passed();
        Ok(Success { found, ..concluded(Path::new(&self.pack), report, false) })
    }
}
