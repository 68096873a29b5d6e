//! Secrets in a proposal: it is refused before anything is recorded, since the log keeps what it has.

use deed_canon::{Node, NodeKind, Pointer, Span};
use deed_detect::SecretScanner;
use deed_diag::{Diagnostic, Document, codes};

/// Returns a finding for each text that holds a secret, and hides it in every excerpt. Comments count too.
pub(super) fn conceal(document: &mut Document) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    walk(document.tree(), "", None, &mut found);
    if found.is_empty() {
        let scanned = SecretScanner::standard().scan(document.source().text());
        found.extend(scanned.into_iter().map(|finding| (String::new(), Span::from(finding.range))));
    }
    found.iter().for_each(|(_, span)| document.withhold(*span));
    let finding = |pointer: &str| {
        Diagnostic::error(codes::SECRET_IN_MEMORY, "the proposal holds a secret, and the log would keep it permanently")
            .stage("memory")
            .at(document.place(pointer))
            .help("remove it; if it is a real one, treat it as leaked")
    };
    found.iter().map(|(pointer, _)| finding(pointer)).collect()
}

fn walk(node: &Node, pointer: &str, key: Option<&str>, found: &mut Vec<(String, Span)>) {
    match &node.kind {
        NodeKind::Array(items) => {
            let parts = items.iter().enumerate();
            parts.for_each(|(i, item)| walk(item, &Pointer::push(pointer, &i.to_string()), key, found));
        }
        NodeKind::Object(members) => {
            for member in members.iter() {
                walk(&member.value, &Pointer::push(pointer, &member.key), Some(&member.key), found);
            }
        }
        NodeKind::String(text) => {
            if !SecretScanner::standard().scan_value(key, text).is_empty() {
                found.push((pointer.to_owned(), node.span));
            }
        }
        NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) => {}
    }
}
