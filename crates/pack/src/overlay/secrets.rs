//! Secrets in an overlay, which are always forbidden.

use crate::sensitive;
use deed_diag::{Diagnostic, Document, Place, codes};

/// Returns every secret of an overlay: in values, in keys and in comments. None is shown.
pub(super) fn check(document: &Document, found: &mut Vec<Diagnostic>) {
    found.extend(sensitive::secrets(document).into_iter().map(|s| secret(s.place, &s.title)));
}

fn secret(place: Place, title: &str) -> Diagnostic {
    Diagnostic::error(codes::OVERLAY_HOLDS_SECRET, format!("the overlay holds what looks like a secret: {title}"))
        .stage("overlay")
        .at(place)
        .help("keep it in the credential vault and refer to the registry entry; if it was real, rotate it")
}
