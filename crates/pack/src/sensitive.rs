//! Secrets and personal data in a document, found once.
//!
//! Texts are examined together with their keys, numbers as they are spelled, and the source as a whole, since comments
//! hold secrets too. A finding carries its place and its kind, never the value, except to conceal it.

use crate::suspect;
use deed_canon::{Node, NodeKind, Pointer, Span};
use deed_detect::{Finding, PersonalKind, SecretScanner, scan_personal, scan_personal_value};
use deed_diag::{Code, Diagnostic, Document, Invariant as _, Place};

/// The place of the owner's contact.
const CONTACT: &str = "/contract_meta/owner";

/// A finding.
#[derive(Clone)]
pub(crate) struct Sensitive {
    /// The place.
    pub(crate) place: Place,
    /// The kind, in words.
    pub(crate) title: String,
    /// True for values that a business may publish: an email address, a telephone number.
    pub(crate) may_be_public: bool,
    /// The bytes that no excerpt shows.
    pub(crate) span: Span,
    /// The texts that no message shows: what was found, and not the words around it.
    pub(crate) texts: Vec<String>,
}

// Never the text itself.
impl std::fmt::Debug for Sensitive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sensitive({}, {:?})", self.title, self.place)
    }
}

fn may_be_public(finding: &Finding) -> bool {
    matches!(finding.rule_id.parse(), Ok(PersonalKind::Email | PersonalKind::Phone))
}

/// Returns every secret of a document.
pub(crate) fn secrets(document: &Document) -> Vec<Sensitive> {
    let scanner = SecretScanner::standard();
    let mut found = in_values(document, |_, key, text| {
        let found = scanner.scan_value(key, text);
        if found.is_empty() { suspect::secrets(text) } else { found }
    });
    add_from_source(document, scanner.scan(document.source().text()), &[], &mut found);
    found
}

/// Returns a finding for each secret and each piece of personal data in parts of a document, by their pointers.
///
/// What lies there becomes part of a signed pack, so addresses and telephone numbers count too. Findings never repeat what
/// they found.
pub fn sensitive_parts(document: &Document, parts: &[&str], code: Code) -> Vec<Diagnostic> {
    let value = document.value();
    let spans =
        parts.iter().filter(|part| value.pointer(part).is_some()).map(|part| document.tree().nearest(part).0.span);
    let within = Spans::of(spans.collect());
    let words = |found: &Sensitive, what: &str| {
        Diagnostic::error(code, format!("this looks like {what}: {}", found.title)).at(found.place.clone())
    };
    let secrets = secrets(document);
    let told = Spans::of(secrets.iter().map(|secret| secret.span).collect());
    let personal = personal(document);
    let secrets = secrets.iter().filter(|found| within.overlap(found.span)).map(|found| words(found, "a secret"));
    let personal = personal.iter().filter(|found| within.overlap(found.span) && !told.overlap(found.span));
    secrets.chain(personal.map(|found| words(found, "personal data"))).collect()
}

/// Returns all personal data of a document.
pub(crate) fn personal(document: &Document) -> Vec<Sensitive> {
    let kinds: Vec<PersonalKind> = PersonalKind::ALL.into_iter().filter(|k| *k != PersonalKind::ApiKey).collect();
    let beyond_contact: Vec<PersonalKind> =
        kinds.iter().copied().filter(|k| !matches!(k, PersonalKind::Email | PersonalKind::Phone)).collect();
    let mut found = in_values(document, |pointer, key, text| {
        let found = scan_personal_value(key, text, if pointer == CONTACT { &beyond_contact } else { &kinds });
        if found.is_empty() { suspect::personal(text) } else { found }
    });
    // Comments: a telephone number is too easily mistaken there.
    let in_comments: Vec<PersonalKind> = kinds.iter().copied().filter(|k| *k != PersonalKind::Phone).collect();
    let contact = document.place(CONTACT).span.filter(|_| document.value().pointer(CONTACT).is_some());
    let values = Spans::of(value_spans(document.tree()));
    let outside = |f: &Finding| !values.overlap(Span::new(f.range.start, f.range.end));
    let findings = scan_personal(document.source().text(), &in_comments).into_iter().filter(outside).collect();
    add_from_source(document, findings, contact.as_slice(), &mut found);
    found
}

fn in_values(document: &Document, scan: impl Fn(&str, Option<&str>, &str) -> Vec<Finding>) -> Vec<Sensitive> {
    let mut found = Vec::new();
    walk(document.tree(), "", None, &mut |text: Text<'_>| {
        let findings = scan(text.pointer, text.key, text.text);
        if let Some(finding) = findings.first() {
            found.push(Sensitive {
                place: document.place(text.pointer),
                title: finding.title.to_string(),
                may_be_public: may_be_public(finding),
                span: text.span,
                texts: findings.iter().map(|finding| word_of(text.text, finding)).collect(),
            });
        }
    });
    found
}

/// The finding with the rest of the words that it lies in: a rule may match less than the whole token.
fn word_of(text: &str, finding: &Finding) -> String {
    let parts = (text.get(..finding.range.start), text.get(finding.range.clone()), text.get(finding.range.end..));
    let (Some(before), Some(found), Some(after)) = parts else { return text.to_owned() };
    let start = before.rfind(char::is_whitespace).map_or(0, |at| text.ceil_char_boundary(at + 1));
    let end = after.find(char::is_whitespace).map_or(text.len(), |at| finding.range.end + at);
    text.get(start..end).unwrap_or(found).to_owned()
}

/// Adds findings in the source that are not in an already reported value.
fn add_from_source(document: &Document, findings: Vec<Finding>, skip: &[Span], found: &mut Vec<Sensitive>) {
    let source = document.source();
    let told = Spans::of(found.iter().map(|s| s.span).chain(skip.iter().copied()).collect());
    for finding in findings {
        let span = Span::new(finding.range.start, finding.range.end);
        if !told.overlap(span) {
            found.push(Sensitive {
                place: Place::span(source.name(), span),
                title: finding.title.to_string(),
                may_be_public: may_be_public(&finding),
                span,
                texts: vec![source.text().get(finding.range).invariant("a finding lies within its text").to_owned()],
            });
        }
    }
}

/// Spans with a quick test for overlaps.
struct Spans(Vec<Span>);

impl Spans {
    /// Sorts and merges, so that ends are sorted too.
    fn of(mut spans: Vec<Span>) -> Self {
        spans.sort_unstable();
        let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
        for span in spans {
            match merged.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        Self(merged)
    }

    fn overlap(&self, span: Span) -> bool {
        let next = self.0.partition_point(|s| s.end <= span.start);
        self.0.get(next).is_some_and(|s| s.start < span.end)
    }
}

/// A text of a document: a value, a number as it is spelled, or a key.
struct Text<'a> {
    pointer: &'a str,
    key: Option<&'a str>,
    text: &'a str,
    span: Span,
}

fn walk(node: &Node, pointer: &str, key: Option<&str>, visit: &mut dyn FnMut(Text<'_>)) {
    match &node.kind {
        NodeKind::String(text) => visit(Text { pointer, key, text, span: node.span }),
        // Small numbers are amounts and counts.
        NodeKind::Number(number) if node.span.end - node.span.start >= 9 => {
            visit(Text { pointer, key, text: &number.to_string(), span: node.span });
        }
        NodeKind::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                walk(item, &Pointer::push(pointer, &i.to_string()), key, visit);
            }
        }
        NodeKind::Object(members) => {
            for member in members.iter() {
                let at = Pointer::push(pointer, &member.key);
                visit(Text { pointer: &at, key: None, text: &member.key, span: member.key_span });
                walk(&member.value, &at, Some(&member.key), visit);
            }
        }
        NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) => {}
    }
}

/// Returns the spans of keys and of values that are not containers, in source order.
fn value_spans(node: &Node) -> Vec<Span> {
    fn gather(node: &Node, out: &mut Vec<Span>) {
        match &node.kind {
            NodeKind::Array(items) => items.iter().for_each(|item| gather(item, out)),
            NodeKind::Object(members) => members.iter().for_each(|m| {
                out.push(m.key_span);
                gather(&m.value, out);
            }),
            NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) | NodeKind::String(_) => out.push(node.span),
        }
    }
    let mut out = Vec::new();
    gather(node, &mut out);
    out
}
