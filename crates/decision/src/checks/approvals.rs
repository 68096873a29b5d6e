//! Approvals: every active gate was opened for this very decision, and no approval is false.

use super::Cx;
use crate::bindings::Standing;
use crate::sheet::Sheet;
use deed_model::{CriticCheck, CriticVerdict};

pub(crate) fn check(cx: Cx<'_>) -> Sheet {
    let mut sheet = Sheet::of(CriticCheck::Approvals);
    for (i, (gate, standing)) in cx.approved.all().enumerate() {
        let pointer = format!("/approvals/{i}");
        match standing {
            Standing::Approved => sheet.require(true, CriticVerdict::Accept, pointer, String::new),
            Standing::Refused => {
                sheet.require(!cx.acts(), CriticVerdict::Reject, pointer, || format!("it was rejected at {gate}"));
            }
            Standing::NotAsked => sheet.note(pointer, format!("the context does not ask at {gate}")),
            Standing::Invalid { verdict, reason } => sheet.require(false, *verdict, pointer, || reason.clone()),
        }
    }
    for signed in cx.claim.approvals.iter().filter(|signed| signed.approval.approver == cx.claim.actor.id) {
        sheet.note("/approvals", format!("{} approved what they decided themselves", signed.approval.approver));
    }
    if cx.acts() {
        gates(cx, &mut sheet);
    }
    sheet
}

/// Requires an approval at each gate that is active; those that depend on a call are asked when it is made.
fn gates(cx: Cx<'_>, sheet: &mut Sheet) {
    for demand in &cx.inputs.context.runtime_controls.approvals {
        let gate = &demand.gate;
        if demand.depends_on_call {
            sheet.note("/approvals", format!("gate {} is asked when a tool is called", gate.gate_id));
            continue;
        }
        sheet.require(cx.approved.opens(&gate.gate_id), CriticVerdict::Escalate, "/approvals", || {
            let role = gate.required_approver_role.as_deref().unwrap_or("a person");
            format!("gate {} needs the approval of {role}", gate.gate_id)
        });
    }
}
