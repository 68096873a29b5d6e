//! Approval gates of the plan: named once, asked of someone, after steps that exist, and waited for.

use super::{NAME_HELP, is_name, suggest};
use crate::lower::cx::{Cx, StepIndex};
use crate::lower::findings::{At, Finding, Findings};
use deed_diag::{codes, quote};
use deed_model::PlanGate;
use std::collections::{BTreeSet, HashMap};

/// Checks all gates, and returns the steps that come before each.
pub(super) fn check<'l>(
    cx: Cx<'l>,
    by_id: &HashMap<&'l str, StepIndex>,
    findings: &mut Findings<'_>,
) -> HashMap<&'l str, Vec<StepIndex>> {
    let mut gates: HashMap<&str, Vec<StepIndex>> = HashMap::new();
    let waits = cx.plan.steps.iter().flat_map(|step| step.waits_for.iter().map(String::as_str));
    let waited_for: BTreeSet<&str> = waits.collect();
    for (position, gate) in cx.plan.gates.iter().enumerate() {
        let at = At::plan("/gates").item(position);
        texts(gate, &at, findings);
        let mut after = Vec::new();
        for (position, step) in gate.after.iter().enumerate() {
            match by_id.get(step.as_str()) {
                Some(step) => after.push(*step),
                None => {
                    let message = format!("gate {} comes after {}, which is not a step", quote(&gate.id), quote(step));
                    let help = suggest(by_id, step, findings);
                    let at = at.key("after").item(position);
                    findings.add(Finding::error(at, codes::UNKNOWN_DEPENDENCY, message).help_opt(help));
                }
            }
        }
        if !waited_for.contains(gate.id.as_str()) {
            let message = format!("no step waits for gate {}", quote(&gate.id));
            let finding = Finding::error(at.key("id"), codes::GATE_WITHOUT_STEP, message);
            findings.add(finding.help("name it under `waits_for` of the steps that need the approval, or take it out"));
        }
        if gates.insert(&gate.id, after).is_some() {
            let message = format!("another gate is called {}", quote(&gate.id));
            findings.add(Finding::error(at.key("id"), codes::DUPLICATE_PLAN_NAME, message));
        }
    }
    gates
}

fn texts(gate: &PlanGate, at: &At, findings: &mut Findings<'_>) {
    if !is_name(&gate.id) {
        let message = format!("{} is not a name: lowercase letters, digits, `-` and `_`", quote(&gate.id));
        findings.add(Finding::error(at.key("id"), codes::BAD_NAME_IN_PLAN, message).help(NAME_HELP));
    }
    for (key, text) in [("question", &gate.question), ("approver_role", &gate.approver_role)] {
        if text.trim().is_empty() {
            let message = format!("gate {} does not say its {}", quote(&gate.id), key.replace('_', " "));
            findings.add(Finding::error(at.key(key), codes::BLANK_TEXT, message));
        }
    }
}
