//! Gate 8, security: no secrets, no personal data, no open surface, short non-negotiables.
//!
//! Enters: every text of every document, comments included. Leaves: what must not be signed and shipped.
//! Must prove: nothing that the detectors know is in the pack. Findings never repeat what they found.

use crate::bundle::Bundle;
use crate::pointer::pointer;
use deed_canon::{Node, NodeKind, Pointer, Span};
use deed_detect::{PersonalKind, SecretScanner, scan_personal_value};
use deed_diag::{Code, Diagnostic, Document, Place, quote};
use deed_model::ContextPack;

const SECRET: Code = Code::new("D0901");
const PERSONAL: Code = Code::new("D0902");
const OPEN_SURFACE: Code = Code::new("D0903");
const LONG_NON_NEGOTIABLE: Code = Code::new("D0904");
const MANY_NON_NEGOTIABLES: Code = Code::new("D0905");

const LONGEST_NON_NEGOTIABLE: usize = 200;
const MOST_NON_NEGOTIABLES: usize = 12;
/// Where the address of whoever answers for the pack belongs.
const CONTACT: &str = "/contract_meta/owner";

pub(crate) fn check(bundle: &Bundle, pack: Option<&ContextPack>) -> Vec<Diagnostic> {
    let documents = std::iter::once(&bundle.document).chain(bundle.overlays.values());
    let mut findings: Vec<Diagnostic> = documents.clone().chain(&bundle.golden).flat_map(secrets).collect();
    // Golden cases may hold made-up personal data: that is how redaction is tested.
    findings.extend(documents.flat_map(personal));
    if let Some(pack) = pack {
        findings.extend(surface(bundle, pack));
        findings.extend(non_negotiables(bundle, pack));
    }
    findings
}

fn secret(place: Place, title: &str) -> Diagnostic {
    Diagnostic::error(SECRET, format!("there is a secret here: {title}"))
        .at(place)
        .help("take it out, treat it as leaked, and let the tool gateway exchange credentials")
}

/// Secrets in the source as it stands, and in values that only mean something together with their key.
fn secrets(document: &Document) -> Vec<Diagnostic> {
    let scanner = SecretScanner::standard();
    let source = document.source();
    let mut spans: Vec<Span> = Vec::new();
    let mut findings: Vec<Diagnostic> = Vec::new();
    for found in scanner.scan(source.text()) {
        let span = Span::new(found.range.start, found.range.end);
        if overlaps(&spans, span) {
            continue;
        }
        spans.push(span);
        findings.push(secret(Place::span(source.name(), span), &found.title));
    }
    walk(document.tree(), "", None, &mut |pointer, key, text, span| {
        if overlaps(&spans, span) {
            return;
        }
        if let Some(found) = scanner.scan_value(key, text).first() {
            findings.push(secret(document.place(pointer), &found.title));
        }
    });
    findings
}

fn overlaps(spans: &[Span], span: Span) -> bool {
    spans.iter().any(|s| s.start < span.end && span.start < s.end)
}

fn personal(document: &Document) -> Vec<Diagnostic> {
    let kinds: Vec<PersonalKind> = PersonalKind::ALL.into_iter().filter(|k| *k != PersonalKind::ApiKey).collect();
    let mut findings = Vec::new();
    walk(document.tree(), "", None, &mut |pointer, key, text, _| {
        if pointer == CONTACT {
            return;
        }
        if let Some(found) = scan_personal_value(key, text, &kinds).first() {
            findings.push(
                Diagnostic::error(PERSONAL, format!("there is personal data here: {}", found.title))
                    .at(document.place(pointer))
                    .help("keep records in the graph or the evidence store and refer to them"),
            );
        }
    });
    findings
}

/// Calls `visit` with the pointer, key, text and span of every text, keys included.
pub(crate) fn walk(node: &Node, pointer: &str, key: Option<&str>, visit: &mut dyn FnMut(&str, Option<&str>, &str, Span)) {
    match &node.kind {
        NodeKind::String(text) => visit(pointer, key, text, node.span),
        NodeKind::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                walk(item, &Pointer::push(pointer, &i.to_string()), key, visit);
            }
        }
        NodeKind::Object(members) => {
            for member in members {
                let at = Pointer::push(pointer, &member.key);
                visit(&at, None, &member.key, member.key_span);
                walk(&member.value, &at, Some(&member.key), visit);
            }
        }
        NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) => {}
    }
}

/// Names that stand for everything.
fn surface(bundle: &Bundle, pack: &ContextPack) -> Vec<Diagnostic> {
    let open = |name: &str| name.contains('*') || matches!(name.to_ascii_lowercase().as_str(), "all" | "any");
    let mut findings = Vec::new();
    let mut report = |at: String, name: &str, what: &str| {
        findings.push(
            Diagnostic::error(OPEN_SURFACE, format!("the {what} {} stands for everything", quote(name)))
                .at(bundle.document.place(&at))
                .help("list what is needed: the smallest surface that does the job"),
        );
    };
    for (a, adapter) in pack.tooling_layer.adapter_registry.iter().enumerate() {
        for (c, capability) in adapter.capabilities.iter().enumerate().filter(|(_, c)| open(c.id())) {
            report(pointer!("tooling_layer", "adapter_registry", a, "capabilities", c), capability.id(), "capability");
        }
    }
    for (p, permission) in pack.tooling_layer.permissions.iter().enumerate() {
        if open(&permission.capability) {
            report(pointer!("tooling_layer", "permissions", p, "capability"), &permission.capability, "permission's capability");
        }
        if open(&permission.adapter_id) {
            report(pointer!("tooling_layer", "permissions", p, "adapter_id"), &permission.adapter_id, "permission's adapter");
        }
    }
    findings
}

fn non_negotiables(bundle: &Bundle, pack: &ContextPack) -> Vec<Diagnostic> {
    let items = &pack.business_context.non_negotiables;
    let mut findings: Vec<Diagnostic> = items
        .iter()
        .enumerate()
        .filter(|(_, text)| text.chars().count() > LONGEST_NON_NEGOTIABLE)
        .map(|(i, text)| {
            let length = text.chars().count();
            Diagnostic::error(
                LONG_NON_NEGOTIABLE,
                format!("a non-negotiable has {length} characters; at most {LONGEST_NON_NEGOTIABLE} are read as a constraint"),
            )
            .at(bundle.document.place(&pointer!("business_context", "non_negotiables", i)))
            .help("say one constraint in one sentence; what can be checked belongs into a rule")
        })
        .collect();
    if items.len() > MOST_NON_NEGOTIABLES {
        findings.push(
            Diagnostic::warning(
                MANY_NON_NEGOTIABLES,
                format!("there are {} non-negotiables; beyond {MOST_NON_NEGOTIABLES} none stands out", items.len()),
            )
            .at(bundle.document.place("/business_context/non_negotiables"))
            .help("move what can be checked into rules"),
        );
    }
    findings
}
