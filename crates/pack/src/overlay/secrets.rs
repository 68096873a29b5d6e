//! The fifth forbidden thing: a secret anywhere in an overlay.

use crate::sensitive;
use deed_diag::{Code, Diagnostic, Document, Place};

const SECRET: Code = Code::new("D1024");

/// Every secret of an overlay: in values, in keys and in comments. None is shown.
pub(super) fn check(document: &Document, found: &mut Vec<Diagnostic>) {
    found.extend(sensitive::secrets(document).into_iter().map(|s| secret(s.place, &s.title)));
}

fn secret(place: Place, title: &str) -> Diagnostic {
    Diagnostic::error(SECRET, format!("the overlay holds what looks like a secret: {title}"))
        .stage("overlay")
        .at(place)
        .help("keep it in the credential vault and refer to the registry entry; if it was real, replace it there")
}
