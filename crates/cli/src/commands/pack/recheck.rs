//! `deed pack recheck`: the gates that a change elsewhere asks for.

use super::lint::concluded;
use super::source::any_bundle;
use crate::args::Global;
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_pack::{Trigger, lint_gates};
use std::path::Path;

/// Run the gates that a change of something the pack refers to asks for.
#[derive(Debug, Args)]
pub(crate) struct Recheck {
    /// The pack's folder, or a reference.
    pack: String,
    /// What changed: POLICY_BUNDLE_UPDATED, ONTOLOGY_UPDATED, ADAPTER_SCHEMA_UPDATED, DECISION_CATALOG_UPDATED,
    /// MEMORY_POLICY_UPDATED, EVALUATOR_UPDATED or MODEL_CONFIG_UPDATED; may be given more than once.
    #[arg(long = "trigger", value_name = "TRIGGER", required = true)]
    triggers: Vec<Trigger>,
}

impl Recheck {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let bundle = any_bundle(&self.pack, global)?;
        let gates: Vec<_> = self.triggers.iter().flat_map(|t| t.gates()).copied().collect();
        let report = lint_gates(&bundle, &gates);
        let found = !report.passed();
        Ok(Success { found, ..concluded(Path::new(&self.pack), report, false) })
    }
}
