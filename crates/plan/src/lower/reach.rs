//! C7, routing, continued: what the code of a step may reach, and which of its calls wait for a person.

use super::state::{Lowering, Told};
use crate::codes::{BAD_CALL_GATE, BAD_EGRESS, NO_WAY_OUT};
use deed_diag::{Document, Source, did_you_mean, quote};
use deed_logic::{Mode, Program, Severity, Ty};
use deed_model::{CallGate, EgressRule, PlanStep};
use deed_reach::{Rules, is_token, secret_name, special};
use serde_json::Value;
use std::net::IpAddr;

/// Capabilities that need a way out.
const OUTWARD: [&str; 2] = ["http.fetch", "http.submit"];

pub(super) fn check(lowering: &mut Lowering<'_>) {
    for index in 0..lowering.steps.len() {
        let Some(step) = lowering.plan.steps.get(index) else { continue };
        // What the runtime would refuse when the plan is submitted is refused here, by the same reader.
        for fault in Rules::read(step.egress.clone()).err().unwrap_or_default() {
            let at = format!("/egress/{}/{}", fault.index, fault.field);
            let help = "`deed explain D1974` shows how a rule is written";
            lowering.tell(Told::error(index, BAD_EGRESS, at, fault.message).help(help));
        }
        let sound = |rule: &&EgressRule| Rules::read(vec![(*rule).clone()]).is_ok();
        for (position, rule) in step.egress.iter().enumerate().filter(|(_, rule)| sound(rule)) {
            closed_address(lowering, index, position, rule);
            methods(lowering, index, position, (step, rule));
        }
        for (position, gate) in step.call_gates.iter().enumerate() {
            if let Some((field, message)) = refused(step, gate) {
                let at = format!("/call_gates/{position}/{field}");
                let help = "rules of a call gate are boolean, and read `arguments`, such as `arguments.url`";
                let told = Told::error(index, BAD_CALL_GATE, at, message);
                lowering.tell(if field == "when" { told.help(help) } else { told });
            }
        }
        way_out(lowering, index, step);
    }
}

/// Code that may fetch, and from nowhere.
fn way_out(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) {
    let outward = step.tool_needs.iter().any(|tool| OUTWARD.contains(&tool.as_str()));
    if outward && step.egress.is_empty() {
        let told = Told::warning(index, NO_WAY_OUT, "/tool_needs", "it may fetch, and no host is allowed");
        lowering.tell(told.help("list hosts under `egress`; `deed run --learn-egress` says which are needed"));
    }
    if !step.egress.is_empty() && !outward {
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
    let program = match Program::compile(gate.when.as_ref()?, Mode::Strict) {
        Ok(program) => program,
        Err(errors) => return Some(("when", errors.first().map_or_else(String::new, ToString::to_string))),
    };
    let variables = program.variables();
    let mut strange = variables.iter().filter(|used| !used.scoped && !used.dynamic);
    if let Some(used) = strange.find(|used| used.path.first().is_none_or(|first| first != "arguments")) {
        return Some(("when", format!("it reads {}, which a call does not have", quote(&used.path.join(".")))));
    }
    let found = deed_logic::check(&program, &Ty::Any).into_iter().find(|found| found.severity == Severity::Error);
    found.map(|found| ("when", format!("it cannot be evaluated: {found}")))
}

/// An address that no rule reaches, or only one that says so.
fn closed_address(lowering: &mut Lowering<'_>, index: usize, position: usize, rule: &EgressRule) {
    let host = rule.host.trim_start_matches('[').trim_end_matches(']');
    let Some(kind) = host.parse::<IpAddr>().ok().and_then(special) else { return };
    let (message, help) = match (kind.may_be_listed(), rule.private_addresses) {
        (true, true) => return,
        (true, false) => (
            format!("{} is a private or special address, which the rule does not open", quote(&rule.host)),
            "write `private_addresses: true`, or name a public host",
        ),
        (false, _) => {
            (format!("{} is an address that no rule opens", quote(&rule.host)), "name a host that can be reached")
        }
    };
    lowering.tell(Told::warning(index, NO_WAY_OUT, format!("/egress/{position}/host"), message).help(help));
}

/// Methods as HTTP has them; those that change something need the capability for it.
const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"];

/// Methods that change nothing.
const READING: [&str; 4] = ["GET", "HEAD", "OPTIONS", "QUERY"];

fn methods(lowering: &mut Lowering<'_>, index: usize, position: usize, (step, rule): (&PlanStep, &EgressRule)) {
    for (number, method) in rule.methods.iter().enumerate() {
        let at = format!("/egress/{position}/methods/{number}");
        if let Some(help) = did_you_mean(method, METHODS).filter(|_| !METHODS.contains(&method.as_str())) {
            let message = format!("{} is not a method of HTTP", quote(method));
            lowering.tell(Told::warning(index, NO_WAY_OUT, at, message).help(help));
            continue;
        }
        let sends = !READING.contains(&method.as_str());
        if sends && !step.tool_needs.iter().any(|tool| tool == "http.submit") {
            let message =
                format!("{} is allowed, and the step does not name `http.submit`; it would be refused", quote(method));
            let told = Told::warning(index, NO_WAY_OUT, at, message);
            lowering.tell(told.help("list `http.submit` under `tool_needs`, or remove the method"));
        }
    }
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
