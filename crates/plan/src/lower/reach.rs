//! C7, routing, continued: what the code of a step may reach, and which of its calls wait for a person.

use super::state::{Lowering, Told};
use crate::codes::{BAD_CALL_GATE, BAD_EGRESS, NO_WAY_OUT};
use deed_diag::quote;
use deed_logic::{Mode, Program};
use deed_model::{CallGate, EgressRule, PlanStep};

/// Capabilities that need a way out.
const OUTWARD: [&str; 2] = ["http.fetch", "http.submit"];

pub(super) fn check(lowering: &mut Lowering<'_>) {
    for index in 0..lowering.steps.len() {
        let Some(step) = lowering.plan.steps.get(index) else { continue };
        for (position, rule) in step.egress.iter().enumerate() {
            for (field, message) in faults(rule) {
                let at = format!("/egress/{position}/{field}");
                lowering.tell(Told::error(index, BAD_EGRESS, at, message));
            }
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

fn faults(rule: &EgressRule) -> Vec<(String, String)> {
    let mut faults = Vec::new();
    let host = rule.host.trim_end_matches('.');
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '_');
    if host.is_empty() || !host.chars().all(plain) {
        faults.push(("host".to_owned(), format!("{} is no host", quote(&rule.host))));
    }
    for (position, path) in rule.paths.iter().enumerate() {
        if !path.starts_with('/') {
            faults.push((format!("paths/{position}"), format!("the path {} does not begin with `/`", quote(path))));
        }
    }
    for (position, method) in rule.methods.iter().enumerate() {
        if method.is_empty() || !method.bytes().all(|b| b.is_ascii_uppercase() || b == b'-') {
            faults.push((format!("methods/{position}"), format!("{} is no method in capitals", quote(method))));
        }
    }
    if let Some(credential) = &rule.credential
        && credential.secret.strip_prefix("secret://").is_none_or(str::is_empty)
    {
        // Not quoted: somebody may have written the secret itself.
        let message = "a credential is named as `secret://name`, and never written down".to_owned();
        faults.push(("credential/secret".to_owned(), message));
    }
    faults
}
