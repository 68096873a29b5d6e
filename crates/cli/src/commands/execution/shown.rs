//! Runs, steps and gates as people and programs read them.

use deed_detect::CharClass;
use deed_model::{Budget, CompiledPlan, GateSubject, StepFailure};
use deed_ports::Standing;
use deed_runtime::{GateState, RunState, StepStatus, standing};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// How many remarks on a step are shown; the others are in the journal.
const MOST_REMARKS: usize = 10;

/// So many of something, in words.
pub(crate) fn count(number: usize, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {one}s"),
    }
}

/// A word for where a run stands.
pub(crate) fn word(state: &RunState) -> &'static str {
    match standing(state) {
        Standing::Ended(outcome) => outcome.as_str(),
        Standing::Waiting(_) => "waiting",
        Standing::Running => "unfinished",
    }
}

/// A word for where a step stands. Nothing goes on, waits or is tried again in a run that has ended.
pub(crate) fn step_word(state: &RunState, status: &StepStatus) -> &'static str {
    match status {
        StepStatus::Running | StepStatus::Parked { .. } | StepStatus::Again { .. } if state.ended.is_some() => {
            "stopped"
        }
        StepStatus::Pending => "pending",
        StepStatus::Running => "running",
        StepStatus::Parked { .. } => "parked",
        StepStatus::Again { .. } => "retrying",
        StepStatus::Succeeded => "succeeded",
        StepStatus::Failed { .. } => "failed",
    }
}

/// A failure in lines.
pub(crate) fn failure(out: &mut String, failure: &StepFailure, indent: &str) {
    let _ = writeln!(out, "{indent}{}: {}", failure.code, plain(&failure.message));
    if let Some(help) = &failure.help {
        let _ = writeln!(out, "{indent}help: {}", plain(help));
    }
    for line in failure.printed.iter().flat_map(|text| text.lines()) {
        let _ = writeln!(out, "{indent}| {}", plain(line));
    }
}

/// Text from code, without anything that moves a terminal's cursor or turns the direction of what is read.
pub(crate) fn plain(text: &str) -> String {
    let moves = |c: char| matches!(CharClass::of(c), CharClass::Control | CharClass::Bidi) || c == '\n';
    text.chars().map(|c| if moves(c) { '\u{fffd}' } else { c }).collect()
}

/// Text of several lines, in one.
pub(crate) fn in_a_line(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join(" ⏎ ")
}

/// A budget in words: what is spent of what.
pub(crate) fn budget(spent: &Budget, grant: &Budget) -> String {
    let word = |name: &str| match name {
        "wall_seconds" => "seconds".to_owned(),
        other => other.replace('_', " "),
    };
    let both = spent.parts().into_iter().zip(grant.parts());
    let parts: Vec<String> = both
        .filter(|((_, spent), (_, grant))| spent.unwrap_or(0) > 0 || grant.is_some_and(|grant| grant > 0))
        .map(|((name, spent), (_, grant))| match grant {
            Some(grant) => format!("{} of {grant} {}", spent.unwrap_or(0), word(name)),
            None => format!("{} {}", spent.unwrap_or(0), word(name)),
        })
        .collect();
    parts.join(", ")
}

/// The gates at which a person is asked; nobody is, once the run has ended.
pub(crate) fn asked(state: &RunState) -> impl Iterator<Item = &GateState> {
    state.gates.values().filter(|gate| state.ended.is_none() && gate.is_open())
}

/// A run with its steps, as JSON.
pub(crate) fn run_json(run_id: &str, state: &RunState, plan: Option<&CompiledPlan>) -> Value {
    let request = state.request.as_ref();
    let order: Vec<&str> = plan.into_iter().flat_map(|plan| &plan.steps).map(|step| step.step_id.as_str()).collect();
    let steps: Vec<Value> = order
        .iter()
        .map(|id| {
            let step = state.step(id);
            let status = step.map(|step| step.status.clone()).unwrap_or_default();
            let failure = match &status {
                StepStatus::Failed { failure } | StepStatus::Again { failure, .. } => Some(failure),
                _ => None,
            };
            json!({
                "step": id, "status": step_word(state, &status), "attempt": step.map_or(0, |step| step.attempt),
                "outputs": step.map(|step| &step.outputs), "calls": step.map_or(0, |step| step.calls.len()),
                "failure": failure, "remarks": step.map_or(&[][..], |step| &step.remarks),
            })
        })
        .collect();
    json!({
        "run_id": run_id, "plan": request.map(|request| &request.plan), "plan_hash": request.map(|r| r.plan_hash),
        "status": word(state), "why": state.why, "steps": steps, "spent": state.total_spent(),
        "grant": request.map(|request| request.grant), "actor": request.map(|request| &request.actor),
        "forked": request.and_then(|request| request.forked.as_ref()),
        "gates": asked(state).map(|gate| json!({
            "gate": gate.subject.gate_id, "role": gate.subject.approver_role, "question": gate.subject.question,
        })).collect::<Vec<_>>(),
    })
}

/// A run with its steps, in lines.
pub(crate) fn run_text(run_id: &str, state: &RunState, plan: Option<&CompiledPlan>) -> String {
    let mut out = String::new();
    let request = state.request.as_ref();
    let name = request.map_or("", |request| request.plan.as_str());
    let _ = writeln!(out, "{run_id}  {name}  {}", word(state));
    if let Some(why) = &state.why {
        let _ = writeln!(out, "  {}", plain(why));
    }
    let ids = plan.into_iter().flat_map(|plan| &plan.steps).map(|step| step.step_id.len());
    let width = ids.max().unwrap_or(0);
    for contract in plan.into_iter().flat_map(|plan| &plan.steps) {
        let step = state.step(&contract.step_id);
        let status = step.map(|step| step.status.clone()).unwrap_or_default();
        let calls = step.map_or(0, |step| step.calls.len());
        let files = step.map_or(0, |step| step.outputs.len());
        let both = [(files, "file"), (calls, "call")];
        let about: Vec<String> =
            both.into_iter().filter(|(number, _)| *number > 0).map(|(number, one)| count(number, one)).collect();
        let line = format!("  {:<10} {:<width$}  {}", step_word(state, &status), contract.step_id, about.join(", "));
        let _ = writeln!(out, "{}", line.trim_end());
        match &status {
            StepStatus::Failed { failure: told } | StepStatus::Again { failure: told, .. } => {
                failure(&mut out, told, "             ");
            }
            StepStatus::Parked { gate_id } if state.ended.is_none() => {
                let _ = writeln!(out, "             waits at {gate_id}");
            }
            _ => {}
        }
        remarks(&mut out, step.map_or(&[], |step| &step.remarks));
    }
    if let Some(request) = request {
        let spent = budget(&state.total_spent(), &request.grant);
        if !spent.is_empty() {
            let _ = writeln!(out, "  spent {spent}");
        }
    }
    for gate in asked(state) {
        out.push_str(&gate_text(&gate.subject, None));
    }
    out
}

/// What did not fail a step and should be looked at, in lines.
fn remarks(out: &mut String, all: &[String]) {
    for remark in all.iter().take(MOST_REMARKS) {
        let _ = writeln!(out, "             remark: {}", plain(remark));
    }
    if all.len() > MOST_REMARKS {
        let more = all.len() - MOST_REMARKS;
        let least = if all.len() >= deed_runtime::MOST_REMARKS { "at least " } else { "" };
        let _ = writeln!(out, "             remark: and {least}{more} more; `deed runs events` has all");
    }
}

/// What a person is asked: everything that is hashed, and nothing else.
pub(crate) fn gate_text(subject: &GateSubject, hash: Option<&str>) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "gate {}  for {}", subject.gate_id, subject.approver_role);
    // What comes after a line break must not look like a line of ours.
    let mark = if subject.question.contains('\n') { "| " } else { "" };
    for line in subject.question.lines() {
        let _ = writeln!(out, "  {mark}{}", plain(line));
    }
    let _ = writeln!(out, "  run       {}", subject.run_id);
    for contract in &subject.contracts {
        let _ = writeln!(out, "  goes on   {} ({})", contract.step, in_a_line(&contract.label));
        for effect in &contract.effects {
            let _ = writeln!(out, "  effect    {}", in_a_line(effect));
        }
        for rule in &contract.reaches {
            let _ = writeln!(out, "  reaches   {}", plain(rule));
        }
        let _ = writeln!(out, "  contract  {}", contract.contract_hash);
    }
    if let Some(call) = &subject.call {
        let _ = writeln!(out, "  call      {}  (tool {})", call.tool, call.tool_digest);
        let arguments = serde_json::to_string_pretty(&call.arguments).unwrap_or_default();
        for line in arguments.lines() {
            let _ = writeln!(out, "    {line}");
        }
    }
    for file in &subject.evidence {
        let _ = writeln!(out, "  rests on  {}  {} bytes  {}", plain(&file.path), file.bytes, file.sha256);
    }
    let _ = writeln!(out, "  until     {}", subject.expires_at);
    if let Some(hash) = hash {
        let _ = writeln!(out, "  hash      {hash}");
    }
    out
}
