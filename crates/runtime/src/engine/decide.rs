//! Accepts a decision at a gate. The journal's write transaction decides which of several decisions counts: exactly one
//! is written, and the refusal of any other names the decider and the decision.

use super::{LocalEngine, trusted};
use crate::gates;
use crate::run::unix_ms;
use crate::state::{GateState, RunState};
use deed_diag::{Code, codes};
use deed_model::{Approval, RunEvent, SignedApproval};
use deed_ports::{AppendOutcome, ApproverStanding, EngineError, JournalEntry, Unless, Wait};
use std::sync::Arc;

/// Writes a decision, if the gate is open for it.
pub(super) fn decide(engine: &LocalEngine, run_id: &str, signed: SignedApproval) -> Result<(), EngineError> {
    loop {
        let (entries, state) = engine.load(run_id)?;
        answers(engine, run_id, &signed, &entries, &state)?;
        trusted::journal(engine, run_id, &entries, &state)?;
        let from = entries.last().map_or(0, |last| last.seq + 1);
        let event = RunEvent::GateDecided { signed: Box::new(signed.clone()) };
        let record = engine.record(event, &entries);
        let unless = changes(&signed.approval.gate_id);
        match engine.world.journal.append_unless(run_id, vec![record], from, unless)? {
            AppendOutcome::Written(_) => return Ok(engine.world.journal.anchor(run_id, Wait::Durable)?),
            // The gate changed since it was read: check again what is asked now.
            AppendOutcome::Excluded { .. } => {}
        }
    }
}

/// Events after which a decision has to be checked again: the gate was decided, lapsed or opened anew, or the run ended.
fn changes(gate_id: &str) -> Unless {
    let gate_id = gate_id.to_owned();
    Arc::new(move |event| match event {
        RunEvent::GateDecided { signed } => signed.approval.gate_id == gate_id,
        RunEvent::GateOpened { subject, .. } => subject.gate_id == gate_id,
        RunEvent::GateLapsed { gate_id: lapsed, .. } => *lapsed == gate_id,
        RunEvent::Ended { .. } | RunEvent::Sealed { .. } => true,
        _ => false,
    })
}

/// Refuses a decision that does not fit the gate, as the events have it.
fn answers(
    engine: &LocalEngine,
    run_id: &str,
    signed: &SignedApproval,
    entries: &[JournalEntry],
    state: &RunState,
) -> Result<(), EngineError> {
    let approval = &signed.approval;
    let gate_id = &approval.gate_id;
    let asked = state
        .gates
        .get(gate_id)
        .filter(|gate| gate.subject.expires_at == approval.expires_at && gate.subject_hash == approval.subject_hash);
    if let Some(earlier) = asked.and_then(|gate| gate.decided.as_ref()) {
        return Err(decided(run_id, earlier));
    }
    let Some(gate) = asked.filter(|_| state.ended.is_none()) else {
        let message = format!("gate `{gate_id}` is not waiting for this decision");
        return Err(refuse(codes::STALE_APPROVAL, message, "`deed gate list` shows the gates that wait"));
    };
    if gate.subject.approver_role != approval.role {
        let message = format!("this gate is for `{}`, and not for `{}`", gate.subject.approver_role, approval.role);
        return Err(refuse(codes::OTHER_ROLE, message, "`deed gate show` names the role"));
    }
    if unix_ms(&approval.decided_at) < opened_ms(entries, gate) {
        let message = format!("the decision at gate `{gate_id}` is older than the question");
        return Err(refuse(codes::STALE_APPROVAL, message, "inspect it again with `deed gate show`, and decide then"));
    }
    entitled(engine, state, approval)?;
    gates::check_signature(run_id, signed, engine.world.knows_decider()).map_err(|why| {
        let message = format!("the decision at gate `{gate_id}` does not count: {why}");
        let help = "`deed gate approve` signs with the key of the workspace, or with one under its `keys`";
        refuse(codes::STALE_APPROVAL, message, help)
    })
}

/// Refuses an approver whom the directory of the run's workspace does not let decide in the role.
fn entitled(engine: &LocalEngine, state: &RunState, approval: &Approval) -> Result<(), EngineError> {
    let Some(of) = state.request.as_ref().and_then(|request| request.workspace.as_ref()) else { return Ok(()) };
    match engine.world.directory.standing(&of.workspace, &approval.approver, &approval.role) {
        ApproverStanding::Holds(held) if gates::given_under(approval, held) => Ok(()),
        ApproverStanding::Holds(_) => {
            let message = "the approval does not state the authority of its approver".to_owned();
            Err(refuse(codes::ROLE_NOT_HELD, message, "decide again: the people of the workspace have changed"))
        }
        ApproverStanding::Lacks { why, help } => {
            Err(EngineError::Refused { code: codes::ROLE_NOT_HELD, message: why, help: Some(help) })
        }
    }
}

/// Returns the time at which the gate was opened.
fn opened_ms(entries: &[JournalEntry], gate: &GateState) -> Option<i64> {
    entries.iter().rev().find_map(|entry| match &entry.record.event {
        RunEvent::GateOpened { subject, .. } if subject.gate_id == gate.subject.gate_id => unix_ms(&entry.record.at),
        _ => None,
    })
}

/// The refusal of a decision that comes second.
fn decided(run_id: &str, earlier: &SignedApproval) -> EngineError {
    let approval = &earlier.approval;
    let message = format!(
        "gate `{}` was already {} by {} as {} at {}",
        approval.gate_id,
        approval.decision.as_str(),
        approval.approver,
        approval.role,
        approval.decided_at
    );
    let help = format!("this decision was not recorded; `deed runs show {run_id}` shows where the run stands");
    EngineError::Refused { code: codes::GATE_DECIDED, message, help: Some(help) }
}

fn refuse(code: Code, message: String, help: &str) -> EngineError {
    EngineError::Refused { code, message, help: Some(help.to_owned()) }
}
