//! The producer lacks columns that the input reads.

use super::Case;
use crate::lower::findings::Finding;
use deed_diag::{codes, quote};

pub(super) fn diagnose(case: &Case<'_, '_>, missing: &[String]) -> Finding {
    let missing: Vec<String> = missing.iter().map(|field| quote(field)).collect();
    let (slot, who) = (case.slot(), case.producer());
    let message = format!("input {slot} needs {}, which {who} does not give", missing.join(", "));
    Finding::error(case.input.at().key("fields"), codes::COLUMNS_NOT_GIVEN, message)
        .help("let the producer give them, or list under `fields` only what the step reads")
}
