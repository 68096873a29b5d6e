//! Authority: a decision that acts has the right to, in a mode that the run allows.

use super::Cx;
use crate::sheet::Sheet;
use deed_model::{CriticCheck, CriticVerdict};

/// Rights of decisions that act by themselves. Whatever has another right, or an unknown one, needs a person.
const ACTING: [&str; 2] = ["execute", "approve"];

pub(crate) fn check(cx: Cx<'_>) -> Sheet {
    let mut sheet = Sheet::of(CriticCheck::Authority);
    let Some(spec) = cx.spec.filter(|_| cx.acts()) else { return sheet };
    let acting = ACTING.contains(&&*spec.decision_right);
    sheet.require(acting || cx.approved.by_a_person(), CriticVerdict::Escalate, "/outputs/outcome", || {
        format!("the right `{}` does not act by itself: a person decides", spec.decision_right)
    });
    let ceiling = cx.inputs.context.context_ledger.run.safety_mode;
    if acting {
        sheet.require(spec.approval_mode <= ceiling, CriticVerdict::Reject, "/outputs/outcome", || {
            format!("the decision acts in the mode {}, and the run allows {ceiling}", spec.approval_mode)
        });
    }
    sheet
}
