//! The fifth forbidden thing: a secret anywhere in an overlay.

use crate::gates::security::walk;
use deed_canon::Span;
use deed_detect::SecretScanner;
use deed_diag::{Code, Diagnostic, Document, Place};

const SECRET: Code = Code::new("D1024");

/// Every secret of an overlay: in values, in keys and in comments. None is shown.
pub(super) fn check(document: &Document, found: &mut Vec<Diagnostic>) {
    let scanner = SecretScanner::standard();
    let mut told: Vec<Span> = Vec::new();
    walk(document.tree(), "", None, &mut |pointer, key, text, span| {
        if let Some(finding) = scanner.scan_value(key, text).first() {
            told.push(span);
            found.push(secret(document.place(pointer), &finding.title));
        }
    });
    for finding in scanner.scan(document.source().text()) {
        let span = Span::new(finding.range.start, finding.range.end);
        if !told.iter().any(|t| t.start < span.end && span.start < t.end) {
            found.push(secret(Place::span(document.source().name(), span), &finding.title));
        }
    }
}

fn secret(place: Place, title: &str) -> Diagnostic {
    Diagnostic::error(SECRET, format!("the overlay holds what looks like a secret: {title}"))
        .stage("overlay")
        .at(place)
        .help("keep it in the credential vault and refer to the registry entry; if it was real, replace it there")
}
