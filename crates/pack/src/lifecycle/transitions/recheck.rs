//! Rechecks of a published version, after something that it refers to changed.

use super::super::history::{PackHistory, RecheckRecord};
use super::super::publication::{published, refusal};
use super::super::transition::Transition;
use deed_diag::{Diagnostic, codes};
use deed_model::{RecheckTrigger, RegistryEvent};

/// Records the outcome of a recheck. The same outcome about the same change is recorded once.
pub fn may_recheck(
    history: &PackHistory,
    trigger: RecheckTrigger,
    dependency: &str,
    found: &RecheckRecord,
) -> Result<Transition, Vec<Diagnostic>> {
    let publication = published(history)?;
    let same = |known: &RecheckRecord| RecheckRecord { seq: found.seq, ..known.clone() } == *found;
    if history.rechecks.get(&(trigger, dependency.to_owned())).is_some_and(same) {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::PackRechecked {
        pack_ref: history.pack_ref.clone(),
        content_hash: publication.content_hash,
        trigger,
        dependency: dependency.to_owned(),
        dependency_hash: found.dependency_hash,
        errors: found.errors,
        warnings: found.warnings,
    }))
}

/// Returns true if no later recheck is about the same thing. A pack has several adapters and policy bundles, which are told
/// apart by their names; of everything else it has one, whatever the changed document calls it.
fn is_last(history: &PackHistory, (trigger, _): &(RecheckTrigger, String), record: &RecheckRecord) -> bool {
    match trigger {
        RecheckTrigger::AdapterSchemaUpdated | RecheckTrigger::PolicyBundleUpdated => true,
        RecheckTrigger::OntologyUpdated
        | RecheckTrigger::DecisionCatalogUpdated
        | RecheckTrigger::MemoryPolicyUpdated
        | RecheckTrigger::EvaluatorUpdated
        | RecheckTrigger::ModelConfigUpdated
        | RecheckTrigger::RuntimeUpdated => {
            !history.rechecks.iter().any(|((other, _), later)| other == trigger && later.seq > record.seq)
        }
    }
}

/// Refuses new pins and promotions of a version whose last recheck for some change found errors.
pub(super) fn none_failed(history: &PackHistory) -> Result<(), Vec<Diagnostic>> {
    let failed = history.rechecks.iter().filter(|(key, record)| record.errors > 0 && is_last(history, key, record));
    let faults: Vec<Diagnostic> = failed
        .map(|((trigger, dependency), record)| {
            let message = format!(
                "the last recheck of `{}` for {trigger} of `{dependency}` found {} {} (event {})",
                history.pack_ref,
                record.errors,
                if record.errors == 1 { "error" } else { "errors" },
                record.seq
            );
            refusal(history, codes::RECHECK_FAILED, message)
                .help("publish a version that fits, or correct the dependency and run `deed pack recheck` again")
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}
