//! Decisions at gates: signed, about what was shown, in the role that the contract demands, and in time.

use super::Pass;
use crate::bridge::OPERATOR;
use crate::gates::{check_signature, subject_hash};
use crate::models;
use crate::run::unix_ms;
use deed_model::{GateSubject, RunEvent, SignedApproval};
use deed_ports::JournalEntry;
use serde_json::Value;

/// Returns whether a decision is what was signed, about a gate of this run that was open by then.
pub(super) fn verify(pass: &Pass<'_>, signed: &SignedApproval, before: &[JournalEntry]) -> Result<(), String> {
    let run_id = pass.state.request.as_ref().map(|request| request.run_id.as_str()).unwrap_or_default();
    check_signature(run_id, signed, pass.known)?;
    let approval = &signed.approval;
    let asked = before.iter().rev().find_map(|entry| match &entry.record.event {
        RunEvent::GateOpened { subject, subject_hash }
            if subject.gate_id == approval.gate_id && *subject_hash == approval.subject_hash =>
        {
            Some(subject)
        }
        _ => None,
    });
    let asked = asked.ok_or("the journal does not say that it was asked for")?;
    if subject_hash(asked).ok() != Some(approval.subject_hash) {
        return Err("what was shown is not what was decided about".to_owned());
    }
    demanded(pass, asked)?;
    if approval.role != asked.approver_role {
        return Err(format!("it was decided as `{}`, and the gate is for `{}`", approval.role, asked.approver_role));
    }
    if approval.expires_at != asked.expires_at {
        return Err(format!("it expires at {}, and the gate at {}", approval.expires_at, asked.expires_at));
    }
    match (unix_ms(&approval.decided_at), unix_ms(&approval.expires_at)) {
        (Some(decided), Some(expires)) if decided < expires => Ok(()),
        _ => Err(format!("it was decided at {}, when the gate had expired", approval.decided_at)),
    }
}

/// Checks that a gate asks what the plan or a contract demands, and in the same role.
fn demanded(pass: &Pass<'_>, asked: &GateSubject) -> Result<(), String> {
    let same = |role: &str, question: &str| role == asked.approver_role && question == asked.question;
    let holds = match (pass.plan.gates.iter().find(|gate| gate.gate_id == asked.gate_id), &asked.call) {
        (Some(gate), _) => same(&gate.approver_role, &gate.question),
        // Before a single call: a gate of its contract, or the operator's question about an answer that was lost.
        (None, Some(_)) if asked.gate_id.starts_with("call:") => {
            let mut contracts = asked.contracts.iter().filter_map(|named| pass.contract(&named.step).ok());
            contracts.any(|contract| {
                contract.execution_contract.call_gates.iter().any(|gate| same(&gate.approver_role, &gate.question))
            }) || of_pack(pass, asked)
        }
        (None, Some(_)) => asked.approver_role == OPERATOR,
        (None, None) => false,
    };
    if holds {
        Ok(())
    } else {
        Err(format!("neither plan nor contract has a gate for `{}` that asks this", asked.approver_role))
    }
}

/// Returns whether the frozen pack has a gate that asks this before a model is asked.
fn of_pack(pass: &Pass<'_>, asked: &GateSubject) -> bool {
    let blob = pass.state.request.as_ref().and_then(|request| request.models_blob);
    let Some(frozen) = blob.and_then(|blob| models::check(&blob, pass.blobs).ok()) else { return false };
    let gates = frozen.pack.document.pointer("/policy_layer/approval_gates").and_then(Value::as_array);
    let text = |gate: &Value, name: &str| gate.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let declared =
        gates.into_iter().flatten().map(|gate| (text(gate, "gate_id"), text(gate, "required_approver_role")));
    let same = |control: &str, role: &str| {
        let gate = models::gate_of(control, role);
        gate.question == asked.question && gate.approver_role == asked.approver_role
    };
    // A control without a gate is decided by the operator.
    let control = models::control_of(&asked.question);
    declared.into_iter().any(|(gate, role)| same(&gate, &role))
        || control.is_some_and(|control| same(control, OPERATOR))
}
