//! Gates before single calls: each is for a capability of the step, says what it asks, and has a rule that can be
//! evaluated.

use crate::lower::cx::Step;
use crate::lower::findings::{Finding, Findings};
use deed_diag::{codes, quote};
use deed_logic::{Mode, Program, Severity, Ty};
use deed_model::{CallGate, PlanStep};

pub(super) fn check(step: Step<'_>, findings: &mut Findings<'_>) {
    for (position, gate) in step.authored.call_gates.iter().enumerate() {
        if let Some((field, message)) = fault(step.authored, gate) {
            let at = step.at().key("call_gates").item(position).key(field);
            let help = "rules of a call gate are boolean, and read `arguments`, such as `arguments.url`";
            let finding = Finding::error(at, codes::BAD_CALL_GATE, message);
            findings.add(if field == "when" { finding.help(help) } else { finding });
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
