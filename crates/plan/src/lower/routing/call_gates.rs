//! Gates before single calls: each is for a capability of the step, says what it asks, and has a rule that can be
//! evaluated.

use crate::lower::cx::Step;
use crate::lower::findings::{Finding, Findings};
use deed_diag::{codes, did_you_mean, quote};
use deed_logic::{Mode, Program, Severity, Ty};
use deed_model::{CallGate, PlanStep};
use std::collections::BTreeSet;

pub(super) fn check(step: Step<'_>, findings: &mut Findings<'_>) {
    for (position, gate) in step.authored.call_gates.iter().enumerate() {
        if let Some((field, message)) = fault(step.authored, gate) {
            let at = step.at().key("call_gates").item(position).key(field);
            let help = "rules of a call gate are boolean, and read `arguments`, such as `arguments.url`";
            let finding = Finding::error(at, codes::BAD_CALL_GATE, message);
            findings.add(finding.help(match field {
                "when" => help.to_owned(),
                "tool" => format!("list `{}` under `tool_needs`, or gate a capability that is listed", gate.tool),
                "question" => "write what the approver decides about".to_owned(),
                _ => "name the role that decides".to_owned(),
            }));
        } else {
            check_arguments(step, position, gate, findings);
        }
    }
}

/// The arguments that calls of a capability have, as the bridge takes them; none of a capability that no tool has.
pub fn call_arguments(capability: &str) -> Option<&'static [&'static str]> {
    match capability {
        "http.fetch" | "http.submit" => Some(&["method", "url", "headers", "body", "redirects"]),
        "operator.artifact.evaluate" => Some(&["bundle", "path", "rubric", "enforcement"]),
        "operator.artifact.write" => Some(&["path", "text", "json"]),
        _ => None,
    }
}

/// A rule over an argument that no call has decides nothing that was meant.
fn check_arguments(step: Step<'_>, position: usize, gate: &CallGate, findings: &mut Findings<'_>) {
    let Some(known) = call_arguments(&gate.tool) else { return };
    let Some(Ok(program)) = gate.when.as_ref().map(|rule| Program::compile(rule, Mode::Strict)) else { return };
    let mut named = BTreeSet::new();
    for used in program.variables().iter().filter(|used| !used.scoped && !used.dynamic) {
        let Some(argument) = used.path.get(1).filter(|argument| !known.contains(&argument.as_str())) else { continue };
        if named.insert(argument.clone()) {
            let at = step.at().key("call_gates").item(position).key("when");
            let path = quote(&format!("arguments.{argument}"));
            let message = format!("it reads {path}, which no call of {} has", quote(&gate.tool));
            let help = did_you_mean(argument, known.iter().copied());
            let all = || format!("the arguments are {}", known.join(", "));
            findings.add(Finding::warning(at, codes::BAD_CALL_GATE, message).help(help.unwrap_or_else(all)));
        }
    }
}

/// The first fault of a gate, with the field that it is in.
fn fault(step: &PlanStep, gate: &CallGate) -> Option<(&'static str, String)> {
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
