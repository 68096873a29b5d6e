//! The gates to run again when something that a pack refers to has changed.

use crate::gates::Gate;
use deed_model::RecheckTrigger;

/// Returns the gates that check what a change may have broken. The schema gate is always among them, since no other gate can
/// run on a document that is not a pack.
pub fn recheck_gates(trigger: RecheckTrigger) -> &'static [Gate] {
    match trigger {
        RecheckTrigger::PolicyBundleUpdated => {
            &[Gate::Schema, Gate::References, Gate::Policy, Gate::Risk, Gate::Replay]
        }
        RecheckTrigger::OntologyUpdated => &[Gate::Schema, Gate::References, Gate::Tenancy, Gate::Replay],
        RecheckTrigger::AdapterSchemaUpdated => &[Gate::Schema, Gate::References, Gate::Risk, Gate::Security],
        RecheckTrigger::DecisionCatalogUpdated => &[Gate::Schema, Gate::References, Gate::Risk],
        RecheckTrigger::MemoryPolicyUpdated => &[Gate::Schema, Gate::Tenancy, Gate::Replay, Gate::Security],
        RecheckTrigger::EvaluatorUpdated => &[Gate::Schema, Gate::Replay, Gate::Evaluation],
        RecheckTrigger::ModelConfigUpdated => &[Gate::Schema, Gate::Replay],
        RecheckTrigger::RuntimeUpdated => &[Gate::Schema, Gate::References, Gate::Replay],
    }
}
