//! The contracts of approval gates.

use super::sorted;
use deed_model::{GateContract, Plan};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn contracts(plan: &Plan) -> Vec<GateContract> {
    let mut waiting: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for step in &plan.steps {
        for gate in &step.waits_for {
            waiting.entry(gate).or_default().insert(step.id.clone());
        }
    }
    let mut gates: Vec<GateContract> = plan
        .gates
        .iter()
        .map(|gate| GateContract {
            gate_id: gate.id.clone(),
            question: gate.question.clone(),
            approver_role: gate.approver_role.clone(),
            after: sorted(&gate.after),
            before: waiting.remove(gate.id.as_str()).into_iter().flatten().collect(),
            ttl_seconds: gate.ttl_seconds,
        })
        .collect();
    gates.sort_by(|a, b| a.gate_id.cmp(&b.gate_id));
    gates
}
