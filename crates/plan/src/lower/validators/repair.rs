//! Retries, and where each class of failure ends.

use deed_model::{FailureClass, PlanStep, RepairBoundary, RepairPolicy, RepairStrategy, Routing};
use std::collections::BTreeMap;

/// The retries of a step if the plan names no number.
const RETRIES: u32 = 6;

/// The repair policy of a step.
pub(in crate::lower) fn repair(step: &PlanStep, routing: &Routing) -> RepairPolicy {
    if step.adapter.is_some() {
        return of_adapter();
    }
    // An effect outside the workspace is not retried unless the plan asks for it.
    let usual = if step.side_effects.is_empty() { RETRIES } else { 0 };
    RepairPolicy {
        strategy: RepairStrategy::RetrySameContract,
        max_retries: step.max_retries.unwrap_or(usual),
        immutable_output_bindings: true,
        boundaries: boundaries(routing.needs_model),
    }
}

/// The repair policy of an adapter: it would give the same again.
pub(in crate::lower) fn of_adapter() -> RepairPolicy {
    RepairPolicy {
        strategy: RepairStrategy::None,
        max_retries: 0,
        immutable_output_bindings: true,
        boundaries: boundaries(false),
    }
}

/// The boundary of each class of failure. Code that no model rewrites gives the same output again.
fn boundaries(needs_model: bool) -> BTreeMap<FailureClass, RepairBoundary> {
    let boundary = |class: FailureClass| match class {
        FailureClass::ContractSchema => RepairBoundary::RejectPlan,
        FailureClass::MissingArtifact => RepairBoundary::BlockStep,
        FailureClass::SandboxRuntime => RepairBoundary::FreshContainer,
        FailureClass::ToolBridge => RepairBoundary::RetrySameContract,
        FailureClass::SemanticVerdict => RepairBoundary::BlockStep,
        FailureClass::OutputShape if needs_model => RepairBoundary::RetrySameContract,
        FailureClass::OutputShape => RepairBoundary::HardStop,
        FailureClass::PolicyViolation | FailureClass::BudgetExhaustion => RepairBoundary::HardStop,
        FailureClass::HumanGatePending => RepairBoundary::Pause,
    };
    FailureClass::ALL.into_iter().map(|class| (class, boundary(class))).collect()
}
