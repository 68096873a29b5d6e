//! Options of lowering: code in files beside the plan, and the approval gates of a pack.

use crate::endpoints::Endpoints;
use crate::sources::Sources;
use deed_catalog::Catalog;
use deed_logic::{Mode, Program};
use deed_model::{ApprovalGate, Plan, PlanGate, PlanStep};
use serde_json::json;

/// Options of lowering, besides the plan and the catalogue.
#[derive(Debug, Clone, Default)]
pub struct LowerOptions {
    /// Texts of the files that steps name.
    pub sources: Sources,
    /// Approval gates of the pack that governs the run. They become gates of the plan, before every step that reaches
    /// beyond the workspace.
    pub gates: Vec<ApprovalGate>,
    /// The endpoints of that pack in its environment, which egress rules may name.
    pub endpoints: Endpoints,
}

/// Puts the gates of a pack before the steps that they concern.
pub(crate) fn insert_gates(plan: &mut Plan, catalog: &Catalog, gates: &[ApprovalGate]) {
    for gate in gates {
        for step in plan.steps.iter_mut().filter(|step| acts(step, catalog) && concerns(gate, step)) {
            let id: String = format!("pack-{}-{}", plain(&gate.gate_id), step.id).chars().take(100).collect();
            let why = gate.rationale.clone().unwrap_or_else(|| "the pack asks for an approval here".to_owned());
            plan.gates.push(PlanGate {
                id: id.clone(),
                question: format!("May {} go on? {why}", step.id),
                approver_role: gate.required_approver_role.clone(),
                after: step.depends_on.clone(),
                ttl_seconds: Some(gate.ttl_seconds),
            });
            step.waits_for.push(id);
        }
    }
}

fn plain(id: &str) -> String {
    let lower = id.chars().flat_map(char::to_lowercase);
    lower.map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' { c } else { '-' }).collect()
}

/// Returns whether a step reaches beyond the workspace.
fn acts(step: &PlanStep, catalog: &Catalog) -> bool {
    let external = |tool: &String| catalog.capability(tool).is_some_and(|known| known.external);
    !step.side_effects.is_empty() || step.tool_needs.iter().any(external)
}

/// Returns whether a gate concerns a step. What a request would say is not known yet, and a rule that errs holds.
fn concerns(gate: &ApprovalGate, step: &PlanStep) -> bool {
    let Ok(program) = Program::compile(&gate.when, Mode::Strict) else { return true };
    let effects: Vec<_> = step.side_effects.iter().map(|e| json!({ "action": e.action, "target": e.target })).collect();
    let facts = json!({ "step": { "id": step.id, "tool_needs": step.tool_needs, "side_effects": effects } });
    program.test(&facts).unwrap_or(true)
}
