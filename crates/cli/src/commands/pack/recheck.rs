//! `deed pack recheck`: what breaks in a pack after something that it refers to changed.

use super::lint::plural;
use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deed_app::AppError;
use deed_app::packs::{self, ChangedDependency, DependencyKind, RecheckRequest, RecheckedPack};
use deed_diag::{Diagnostic, Severity, codes, quote};
use deed_model::RecheckTrigger;
use deed_pack::GateOutcome;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Check a pack again after something that it refers to has changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack recheck ctxpack.support@1.0.0 --ontology ontology.yaml
  deed pack recheck ctxpack.support@1.0.0 --adapter adp_payments=openapi.yaml
  deed pack recheck ./support --trigger POLICY_BUNDLE_UPDATED")]
pub(crate) struct Recheck {
    /// Folder of the pack, such as ./support, or a version such as ctxpack.a@1.0.0.
    pack: String,
    /// Changed ontology (deed/ontology/v1).
    #[arg(long, value_name = "FILE")]
    ontology: Option<PathBuf>,
    /// Changed adapter: its id, and its OpenAPI description or deed/adapter-schema/v1; repeat for several.
    #[arg(long = "adapter", value_name = "ID=FILE")]
    adapters: Vec<String>,
    /// Changed policy bundle, as it stands in a pack; repeat for several.
    #[arg(long = "policy-bundle", value_name = "FILE")]
    policy_bundles: Vec<PathBuf>,
    /// Changed catalogue of decisions (deed/decision-catalog/v1).
    #[arg(long, value_name = "FILE")]
    decision_catalog: Option<PathBuf>,
    /// Changed memory policy, as the memory layer of a pack.
    #[arg(long, value_name = "FILE")]
    memory_policy: Option<PathBuf>,
    /// Results of a changed evaluator (deed/evaluator-results/v1).
    #[arg(long, value_name = "FILE")]
    evaluator: Option<PathBuf>,
    /// Changed configuration of the model (deed/model-config/v1).
    #[arg(long, value_name = "FILE")]
    model_config: Option<PathBuf>,
    /// Version of the runtime that will be used, such as 1.2.0.
    #[arg(long, value_name = "VERSION")]
    runtime: Option<String>,
    /// Kind of change without a document: its validation gates run; repeat for several.
    #[arg(long = "trigger", value_name = "TRIGGER", ignore_case = true, value_parser = trigger())]
    triggers: Vec<RecheckTrigger>,
}

/// A pack that was checked again.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Rechecked {
    /// The pack, as it was named.
    pack: String,
    /// True where it still fits.
    passed: bool,
    /// The changes, each with its outcome.
    changes: Vec<RecheckedChange>,
    /// The validation gates that ran for triggers without a document.
    gates: Vec<GateOutcome>,
}

/// A change that a pack was checked against.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RecheckedChange {
    /// The trigger.
    trigger: RecheckTrigger,
    /// The name of what changed.
    dependency: String,
    /// The hash of the changed document.
    dependency_hash: String,
    /// True where the pack still fits.
    passed: bool,
    /// The number of errors.
    errors: u64,
    /// The number of warnings.
    warnings: u64,
    /// The validation gates that ran.
    gates: Vec<GateOutcome>,
    /// The event in the log; null for a folder, and where the same was recorded before.
    event: Option<Recorded>,
}

fn trigger() -> impl TypedValueParser<Value = RecheckTrigger> {
    PossibleValuesParser::new(RecheckTrigger::ALL.map(RecheckTrigger::as_str))
        .try_map(|name| name.parse::<RecheckTrigger>())
}

impl Recheck {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let changed = self.changed()?;
        if changed.is_empty() && self.triggers.is_empty() {
            let message = "name what changed, or the kind of change";
            let help = "such as `--ontology FILE`, `--adapter ID=FILE` or `--trigger POLICY_BUNDLE_UPDATED`";
            return Err(AppError::usage(Diagnostic::error(codes::USAGE, message).stage("usage").help(help)));
        }
        let request = RecheckRequest { pack: self.pack.clone(), changed, triggers: self.triggers.clone() };
        let rechecked = packs::recheck(&global.session(), &request)?;
        Ok(self.shown(&rechecked))
    }

    fn changed(&self) -> Result<Vec<ChangedDependency>, AppError> {
        let mut changed = Vec::new();
        let mut document = |kind: DependencyKind, path: &PathBuf| {
            changed.push(ChangedDependency::Document(kind, path.clone()));
        };
        self.policy_bundles.iter().for_each(|path| document(DependencyKind::PolicyBundle, path));
        for (kind, path) in [
            (DependencyKind::Ontology, &self.ontology),
            (DependencyKind::DecisionCatalog, &self.decision_catalog),
            (DependencyKind::MemoryPolicy, &self.memory_policy),
            (DependencyKind::Evaluator, &self.evaluator),
            (DependencyKind::ModelConfig, &self.model_config),
        ] {
            path.iter().for_each(|path| document(kind, path));
        }
        for adapter in &self.adapters {
            let Some((adapter_id, path)) =
                adapter.split_once('=').filter(|(id, path)| !id.is_empty() && !path.is_empty())
            else {
                let message = format!("{} does not name an adapter and a file", quote(adapter));
                let help = "write `--adapter adp_orders=openapi.yaml`";
                return Err(AppError::usage(Diagnostic::error(codes::USAGE, message).stage("usage").help(help)));
            };
            changed.push(ChangedDependency::Adapter { adapter_id: adapter_id.to_owned(), path: PathBuf::from(path) });
        }
        changed.extend(self.runtime.iter().cloned().map(ChangedDependency::Runtime));
        Ok(changed)
    }

    fn shown(&self, rechecked: &RecheckedPack) -> Success {
        let mut text = String::new();
        let mut changes = Vec::new();
        for (recheck, outcome) in &rechecked.rechecks {
            let (errors, warnings) = (recheck.count(Severity::Error), recheck.count(Severity::Warning));
            let verdict = match (errors, warnings) {
                (0, 0) => "ok".to_owned(),
                (0, w) => format!("ok, {w} warning{}", plural(w as usize)),
                (e, _) => format!("{e} error{}", plural(e as usize)),
            };
            let recorded = outcome.as_ref().map_or("not recorded", |_| "recorded");
            let _ = writeln!(text, "{:<23} {}  {verdict}  {recorded}", recheck.trigger.as_str(), recheck.dependency);
            let gates: Vec<String> = recheck.gates.iter().map(gate).collect();
            let _ = writeln!(text, "    {}", gates.join(", "));
            changes.push(RecheckedChange {
                trigger: recheck.trigger,
                dependency: recheck.dependency.clone(),
                dependency_hash: recheck.dependency_hash.to_string(),
                passed: recheck.passed(),
                errors,
                warnings,
                gates: recheck.gates.clone(),
                event: outcome.as_ref().and_then(event),
            });
        }
        let gates = rechecked.gates.as_ref().map(|gates| gates.gates.clone()).unwrap_or_default();
        for outcome in &gates {
            let _ = writeln!(text, "{}", gate(outcome));
        }
        let passed = rechecked.passed();
        let data = Rechecked { pack: self.pack.clone(), passed, changes, gates };
        let remark = match passed {
            true => "passed: the pack still fits",
            false => "refused: the pack does not fit any more",
        };
        let success = Success::new(data, text).report(rechecked.report()).remark(remark);
        Success { found: !passed, ..success }
    }
}

/// A validation gate with its verdict, in a few words.
fn gate(outcome: &GateOutcome) -> String {
    let verdict = match (outcome.ran, outcome.errors) {
        (false, _) => "not run".to_owned(),
        (true, 0) => "ok".to_owned(),
        (true, errors) => format!("{errors} error{}", plural(errors)),
    };
    format!("{} {verdict}", outcome.gate.as_str())
}
