//! The producer gives the entity in another slot.

use super::Case;
use crate::lower::findings::Finding;
use deed_diag::{codes, quote};

pub(super) fn diagnose(case: &Case<'_, '_>) -> Finding {
    let (here, there) = (&case.input.authored.slot, &case.output().slot);
    let (slot, wanted, who) = (case.slot(), case.wanted(), case.producer());
    let message = format!("input {slot} takes {wanted}, which {who} gives as {}", quote(there));
    Finding::error(case.input.at().key("slot"), codes::OTHER_SLOT, message)
        .help(format!("write `slot: {there}` here, or `slot: {here}` there"))
}
