//! Deprecations and revocations need a reason.

use deed_diag::{Diagnostic, Place, codes};

/// Refuses an empty reason.
pub(super) fn given(reason: &str, what: &str, place: Place) -> Result<(), Vec<Diagnostic>> {
    if !reason.trim().is_empty() {
        return Ok(());
    }
    Err(vec![
        Diagnostic::error(codes::REASON_MISSING, format!("{what} needs a reason"))
            .stage("lifecycle")
            .at(place)
            .help("write a sentence for the people it stops"),
    ])
}
