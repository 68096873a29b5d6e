//! Rechecks of a pack after something that it refers to changed.

use super::source::{ReadPack, any_bundle};
use crate::error::AppError;
use crate::files;
use crate::imprints::foreign;
use crate::registry::{error, without_secret};
use crate::session::Session;
use deed_context::{GoldenRunner, Hydrations};
use deed_diag::{Report, Severity};
use deed_model::{PackOrigin, RecheckTrigger};
use deed_pack::{LintReport, RecheckRecord, lint_with, recheck_gates};
use deed_release::{AdapterDescription, Dependency, Recheck};
use deed_store::Outcome;
use std::path::PathBuf;
use tracing::info_span;

/// The kind of a changed dependency that is a file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependencyKind {
    /// The ontology.
    Ontology,
    /// A policy bundle.
    PolicyBundle,
    /// The catalogue of decisions.
    DecisionCatalog,
    /// The memory policy.
    MemoryPolicy,
    /// The results of an evaluator.
    Evaluator,
    /// The configuration of the model.
    ModelConfig,
}

/// A changed dependency, as a caller names it.
#[derive(Debug, Clone)]
pub enum ChangedDependency {
    /// A document.
    Document(DependencyKind, PathBuf),
    /// The schema or the OpenAPI description of an adapter.
    Adapter {
        /// The adapter.
        adapter_id: String,
        /// The file.
        path: PathBuf,
    },
    /// The version of the runtime.
    Runtime(String),
}

/// A pack to check again.
#[derive(Debug, Clone, Default)]
pub struct RecheckRequest {
    /// A folder such as `./support`, or a version of the registry.
    pub pack: String,
    /// The dependencies that changed.
    pub changed: Vec<ChangedDependency>,
    /// Changes without a document: the validation gates alone run.
    pub triggers: Vec<RecheckTrigger>,
}

/// A pack that was checked again.
#[derive(Debug)]
pub struct RecheckedPack {
    /// The rechecks, each with the recorded event; none for a folder.
    pub rechecks: Vec<(Recheck, Option<Outcome>)>,
    /// The gates that ran for changes without a document.
    pub gates: Option<LintReport>,
}

impl RecheckedPack {
    /// Returns true if the pack still fits.
    pub fn passed(&self) -> bool {
        self.rechecks.iter().all(|(recheck, _)| recheck.passed()) && self.gates.as_ref().is_none_or(LintReport::passed)
    }

    /// Returns all findings.
    pub fn report(&self) -> Report {
        let mut report = Report::default();
        self.rechecks.iter().for_each(|(recheck, _)| report.merge(recheck.report.clone()));
        if let Some(gates) = &self.gates {
            report.merge(gates.report.clone());
        }
        report
    }
}

/// Checks a pack again after something that it refers to changed. The outcome for a version of the registry is recorded.
///
/// # Errors
/// A file cannot be read, the pack does not refer to it, or the registry cannot be written.
pub fn recheck(session: &Session, request: &RecheckRequest) -> Result<RecheckedPack, AppError> {
    let _span = info_span!("recheck pack").entered();
    let pack: ReadPack = any_bundle(session, &request.pack)?;
    // All documents are read before any outcome is recorded.
    let changed = request.changed.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let cache = Hydrations::new();
    let mut checked = Vec::new();
    for dependency in &changed {
        checked.push(deed_release::recheck(&pack.bundle, dependency, &cache)?);
    }
    let gates = (!request.triggers.is_empty()).then(|| {
        let gates: Vec<_> = request.triggers.iter().flat_map(|trigger| recheck_gates(*trigger)).copied().collect();
        lint_with(&pack.bundle, &gates, &GoldenRunner)
    });
    let mut rechecks = Vec::new();
    for recheck in checked {
        let outcome = record(session, &pack, &recheck)?;
        rechecks.push((recheck, outcome));
    }
    Ok(RecheckedPack { rechecks, gates })
}

fn read(changed: &ChangedDependency) -> Result<Dependency, AppError> {
    Ok(match changed {
        ChangedDependency::Runtime(version) => Dependency::Runtime(version.clone()),
        ChangedDependency::Adapter { adapter_id, path } => Dependency::Adapter(AdapterDescription {
            adapter_id: adapter_id.clone(),
            file: files::display_name(path),
            document: foreign(path)?,
        }),
        ChangedDependency::Document(kind, path) => {
            let document = files::document(path)?;
            match kind {
                DependencyKind::Ontology => Dependency::Ontology(document),
                DependencyKind::PolicyBundle => Dependency::PolicyBundle(document),
                DependencyKind::DecisionCatalog => Dependency::DecisionCatalog(document),
                DependencyKind::MemoryPolicy => Dependency::MemoryPolicy(document),
                DependencyKind::Evaluator => Dependency::Evaluator(document),
                DependencyKind::ModelConfig => Dependency::ModelConfig(document),
            }
        }
    })
}

/// Records the outcome for a version of the registry. A folder has no history.
fn record(session: &Session, pack: &ReadPack, recheck: &Recheck) -> Result<Option<Outcome>, AppError> {
    let Some(draft) = pack.bundle.draft().filter(|_| pack.origin == PackOrigin::Proven) else { return Ok(None) };
    let (_, registry) = session.registry()?;
    let found = RecheckRecord {
        seq: 0,
        dependency_hash: recheck.dependency_hash,
        errors: recheck.count(Severity::Error),
        warnings: recheck.count(Severity::Warning),
    };
    let name = without_secret("the name of the dependency", &recheck.dependency)?;
    let stamp = session.stamp()?;
    registry.record_recheck(&draft.pack_ref, recheck.trigger, name, &found, &stamp).map(Some).map_err(error)
}
