//! Recheck: what really breaks in a pack after something that it refers to changed.
//!
//! Enters: a pack, and the changed document. Leaves: the findings, and the validation gates that ran. Must prove: what
//! depends on the document is computed again with the document itself, and not with what the pack says about it.

mod adapter;
mod decision_catalog;
mod document;
mod evaluator;
mod memory_policy;
mod model_config;
mod ontology;
mod policy_bundle;
mod replaced;
mod runtime;

pub use adapter::AdapterDescription;

use deed_canon::ContentHash;
use deed_context::{GoldenRunner, Hydrations};
use deed_diag::{Diagnostic, Document, Report, Severity};
use deed_model::{ContextPack, RecheckTrigger};
use deed_pack::{Bundle, Gate, GateOutcome, lint_with, recheck_gates};

/// Something that a pack refers to and that changed.
#[derive(Debug)]
pub enum Dependency {
    /// The ontology.
    Ontology(Document),
    /// The schema of an adapter, or its OpenAPI description.
    Adapter(AdapterDescription),
    /// A policy bundle, as it stands in a pack.
    PolicyBundle(Document),
    /// The catalogue of decisions.
    DecisionCatalog(Document),
    /// The memory policy, as it stands in a pack.
    MemoryPolicy(Document),
    /// The results of an evaluator.
    Evaluator(Document),
    /// The configuration of the model.
    ModelConfig(Document),
    /// The version of the runtime.
    Runtime(String),
}

impl Dependency {
    /// Returns the trigger that the change is.
    pub fn trigger(&self) -> RecheckTrigger {
        match self {
            Self::Ontology(_) => RecheckTrigger::OntologyUpdated,
            Self::Adapter(_) => RecheckTrigger::AdapterSchemaUpdated,
            Self::PolicyBundle(_) => RecheckTrigger::PolicyBundleUpdated,
            Self::DecisionCatalog(_) => RecheckTrigger::DecisionCatalogUpdated,
            Self::MemoryPolicy(_) => RecheckTrigger::MemoryPolicyUpdated,
            Self::Evaluator(_) => RecheckTrigger::EvaluatorUpdated,
            Self::ModelConfig(_) => RecheckTrigger::ModelConfigUpdated,
            Self::Runtime(_) => RecheckTrigger::RuntimeUpdated,
        }
    }

    fn document(&self) -> Option<&Document> {
        match self {
            Self::Ontology(document)
            | Self::PolicyBundle(document)
            | Self::DecisionCatalog(document)
            | Self::MemoryPolicy(document)
            | Self::Evaluator(document)
            | Self::ModelConfig(document) => Some(document),
            Self::Adapter(_) | Self::Runtime(_) => None,
        }
    }
}

/// The result of a recheck.
#[derive(Debug)]
pub struct Recheck {
    /// The change.
    pub trigger: RecheckTrigger,
    /// The name of what changed, such as the id of an adapter.
    pub dependency: String,
    /// The hash of the changed document, over its canonical form.
    pub dependency_hash: ContentHash,
    /// The validation gates that ran.
    pub gates: Vec<GateOutcome>,
    /// The findings, with the sources that show them.
    pub report: Report,
}

impl Recheck {
    /// Returns true if the pack still fits.
    pub fn passed(&self) -> bool {
        !self.report.has_errors()
    }
}

/// What a kind of dependency found.
struct Found {
    /// The name of what changed.
    name: String,
    hash: ContentHash,
    /// What is wrong between the pack and the document.
    findings: Vec<Diagnostic>,
    /// The pack with the document in it, if the validation gates can judge that.
    replaced: Option<replaced::Replaced>,
}

/// What a kind of dependency is checked against.
struct Checked<'b> {
    bundle: &'b Bundle,
    pack: &'b ContextPack,
    cache: &'b Hydrations,
}

/// Checks a pack against a changed document.
///
/// # Errors
/// The document or the pack cannot be read.
pub fn recheck(bundle: &Bundle, dependency: &Dependency, cache: &Hydrations) -> Result<Recheck, Report> {
    // A pack without the shape of one cannot be judged, and what is wrong with it is no finding of the change.
    let is_shaped = lint_with(bundle, &[Gate::Schema], &GoldenRunner).passed();
    let Some(pack) = bundle.typed().filter(|_| is_shaped) else {
        return Err(lint_with(bundle, recheck_gates(dependency.trigger()), &GoldenRunner).report);
    };
    let checked = Checked { bundle, pack: &pack, cache };
    let found = match dependency {
        Dependency::Ontology(document) => ontology::check(&checked, document),
        Dependency::Adapter(description) => adapter::check(&checked, description),
        Dependency::PolicyBundle(document) => policy_bundle::check(&checked, document),
        Dependency::DecisionCatalog(document) => decision_catalog::check(&checked, document),
        Dependency::MemoryPolicy(document) => memory_policy::check(&checked, document),
        Dependency::Evaluator(document) => evaluator::check(&checked, document),
        Dependency::ModelConfig(document) => model_config::check(&checked, document),
        Dependency::Runtime(version) => runtime::check(&checked, version),
    }?;
    let mut report = bundle.report();
    dependency.document().into_iter().for_each(|document| report.add_source(document.source().clone()));
    let trigger = dependency.trigger();
    let gates = recheck_gates(trigger);
    let before = lint_with(bundle, gates, &GoldenRunner);
    let gates = match &found.replaced {
        None => {
            before.report.diagnostics().iter().for_each(|d| report.push(d.clone()));
            before.gates
        }
        Some(replaced) => {
            let after = lint_with(&replaced.bundle, gates, &GoldenRunner);
            let kept = replaced.findings(&before, &after);
            let gates = recounted(after.gates, &kept);
            kept.into_iter().for_each(|d| report.push(d));
            gates
        }
    };
    found.findings.into_iter().for_each(|d| {
        let stage = if d.stage.is_empty() { "recheck".into() } else { d.stage.clone() };
        report.push(d.stage(stage));
    });
    Ok(Recheck { trigger, dependency: found.name, dependency_hash: found.hash, gates, report })
}

/// Counts anew what the gates found: only what the change brought counts.
fn recounted(gates: Vec<GateOutcome>, kept: &[Diagnostic]) -> Vec<GateOutcome> {
    let count = |gate: &GateOutcome, severity| {
        kept.iter().filter(|d| d.severity == severity && d.stage == gate.gate.as_str()).count()
    };
    let counted = gates.into_iter().map(|gate| GateOutcome {
        errors: count(&gate, Severity::Error),
        warnings: count(&gate, Severity::Warning),
        ..gate
    });
    counted.collect()
}

impl Recheck {
    /// Counts the findings of a severity.
    pub fn count(&self, severity: Severity) -> u64 {
        self.report.count(severity) as u64
    }
}
