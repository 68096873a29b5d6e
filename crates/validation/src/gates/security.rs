//! Gate 2, security: no credential in any text, comments included. Findings never repeat it.

use crate::document::PackFile;
use deed_canon::Span;
use deed_detect::{Guard, Secrets};
use deed_diag::{Diagnostic, Place, codes};

pub(super) fn check(file: &PackFile) -> Vec<Diagnostic> {
    let source = file.document.source();
    let found = Guard::new(Secrets::Sought, &[], Vec::new()).scan(source.text());
    let diagnostic = |finding: &deed_detect::Finding| {
        let message = format!("this looks like a secret: {}", finding.title);
        let span = Span::new(finding.range.start, finding.range.end);
        Diagnostic::error(codes::SECRET_IN_VALIDATION_PACK, message)
            .at(Place::span(source.name(), span))
            .help("remove it, and treat it as leaked")
    };
    found.iter().map(diagnostic).collect()
}
