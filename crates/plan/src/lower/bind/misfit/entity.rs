//! The producer gives another entity.

use super::Case;
use crate::lower::bind::elsewhere;
use crate::lower::findings::{Finding, Findings};
use deed_diag::codes;

pub(super) fn diagnose(case: &Case<'_, '_>, findings: &mut Findings<'_>) -> Finding {
    let (slot, wanted, who, given) = (case.slot(), case.wanted(), case.producer(), case.given());
    let message = format!("input {slot} takes {wanted}, and {who} gives {given}");
    let help = elsewhere::suggest(case.view, case.input, case.need, findings);
    Finding::error(case.input.at().key("entity_schema_id"), codes::OTHER_ENTITY, message)
        .help(help.unwrap_or_else(|| "add a step that makes the one of the other".to_owned()))
}
