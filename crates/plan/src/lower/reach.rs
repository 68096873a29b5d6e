//! C7, routing, continued: what the code of a step may reach, and which of its calls wait for a person.

use super::state::{Lowering, Told};
use crate::codes::{BAD_CALL_GATE, BAD_EGRESS, NO_WAY_OUT};
use deed_diag::{Document, Source, quote};
use deed_logic::{Mode, Program};
use deed_model::{CallGate, PlanStep};
use deed_reach::{Rules, is_token, secret_name};
use serde_json::Value;

/// Capabilities that need a way out.
const OUTWARD: [&str; 2] = ["http.fetch", "http.submit"];

pub(super) fn check(lowering: &mut Lowering<'_>) {
    for index in 0..lowering.steps.len() {
        let Some(step) = lowering.plan.steps.get(index) else { continue };
        // What the runtime would refuse when the plan is submitted is refused here, by the same reader.
        for fault in Rules::read(step.egress.clone()).err().unwrap_or_default() {
            let at = format!("/egress/{}/{}", fault.index, fault.field);
            lowering.tell(Told::error(index, BAD_EGRESS, at, fault.message));
        }
        for (position, gate) in step.call_gates.iter().enumerate() {
            if let Some((field, message)) = refused(step, gate) {
                let at = format!("/call_gates/{position}/{field}");
                lowering.tell(Told::error(index, BAD_CALL_GATE, at, message));
            }
        }
        way_out(lowering, index, step);
    }
}

/// Code that may fetch, and from nowhere.
fn way_out(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) {
    let outward = step.tool_needs.iter().any(|tool| OUTWARD.contains(&tool.as_str()));
    if step.code.is_some() && outward && step.egress.is_empty() {
        let told = Told::warning(index, NO_WAY_OUT, "/tool_needs", "it may fetch, and no host is allowed");
        lowering.tell(told.help("list hosts under `egress`; `deed run --learn-egress` says which are needed"));
    }
    if !step.egress.is_empty() && !outward && step.code.is_some() {
        let told = Told::error(index, BAD_EGRESS, "/egress", "it may reach hosts, and names no capability for it");
        lowering.tell(told.help("list `http.fetch` under `tool_needs`; `http.submit` for what changes something"));
    }
}

fn refused(step: &PlanStep, gate: &CallGate) -> Option<(&'static str, String)> {
    if !step.tool_needs.contains(&gate.tool) {
        return Some(("tool", format!("calls of {} are gated, and the step does not name it", quote(&gate.tool))));
    }
    if gate.question.trim().is_empty() {
        return Some(("question", "it does not say what is asked".to_owned()));
    }
    if gate.approver_role.trim().is_empty() {
        return Some(("approver_role", "it does not say who may answer".to_owned()));
    }
    let errors = Program::compile(gate.when.as_ref()?, Mode::Strict).err()?;
    Some(("when", errors.first().map_or_else(String::new, ToString::to_string)))
}

/// The source of a plan. What stands in a credential and is no name there may be the secret itself, which somebody wrote
/// down: no message and no excerpt shows it, whichever check it is that speaks of it.
pub(super) fn source(document: &Document) -> Source {
    let mut source = document.source().clone();
    for (step, value) in items(document.value(), "steps") {
        for (rule, value) in items(value, "egress") {
            for field in ["secret", "header", "format"] {
                let text = value.pointer(&format!("/credential/{field}")).and_then(Value::as_str);
                if let Some(text) = text.filter(|text| !belongs(field, text)) {
                    let (node, _) = document.tree().nearest(&format!("/steps/{step}/egress/{rule}/credential/{field}"));
                    source.conceal(node.span);
                    source.conceal_text(text.to_owned());
                }
            }
        }
    }
    source
}

/// Whether a text can be what a field of a credential asks for.
fn belongs(field: &str, text: &str) -> bool {
    match field {
        "secret" => secret_name(text).is_some(),
        "header" => is_token(text.as_bytes()),
        _ => text.contains("{}"),
    }
}

fn items<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = (usize, &'v Value)> {
    value.get(key).and_then(Value::as_array).into_iter().flatten().enumerate()
}
