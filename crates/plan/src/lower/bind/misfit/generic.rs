//! One side is generic, and the policy does not let generic data be bound.

use super::Case;
use crate::lower::findings::Finding;
use crate::lower::snapshot::put_under;
use deed_diag::codes;
use deed_model::PolicyRules;

pub(super) fn diagnose(case: &Case<'_, '_>) -> Finding {
    let (slot, wanted, who, given) = (case.slot(), case.wanted(), case.producer(), case.given());
    let message =
        format!("input {slot} takes {wanted}, {who} gives {given}, and the policy does not let generic data be bound");
    let under = put_under(case.view.cx, case.input.step.index, PolicyRules::allows_generic);
    Finding::error(case.input.at().key("entity_schema_id"), codes::GENERIC_DATA_NOT_BOUND, message)
        .help(format!("name the entity, or {under} `generic.inference-allowed.v1`"))
}
