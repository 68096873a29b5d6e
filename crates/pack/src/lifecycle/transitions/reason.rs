//! Endings need a reason.

use deed_diag::{Code, Diagnostic, Place};

const NO_REASON: Code = Code::new("D1208");

/// Refuses an empty reason.
pub(super) fn given(reason: &str, what: &str, place: Place) -> Result<(), Vec<Diagnostic>> {
    if !reason.trim().is_empty() {
        return Ok(());
    }
    Err(vec![
        Diagnostic::error(NO_REASON, format!("{what} needs a reason"))
            .stage("lifecycle")
            .at(place)
            .help("say why in a sentence: whoever is stopped by it will read it"),
    ])
}
