//! Validation gate 8, security: no secrets, no personal data, no open surface, short non-negotiables.
//!
//! Enters: every text of every document, comments included. Leaves: parts that must not be signed and published. Must
//! prove: nothing that the detectors know is in the pack. Findings never repeat what they found.

use crate::bundle::Bundle;
use crate::hidden;
use crate::pointer::pointer;
use crate::sensitive::Sensitive;
use deed_diag::{Diagnostic, Place, codes, quote};
use deed_model::ContextPack;
use std::collections::BTreeSet;

const LONGEST_NON_NEGOTIABLE: usize = 200;
const MOST_NON_NEGOTIABLES: usize = 12;
const LONGEST_SUMMARY: usize = 4000;
/// Above that many different addresses and telephone numbers they are records.
const MOST_CONTACTS: usize = 10;
const MOST_EXPOSED: usize = 128;
/// Texts that `deed pack new` writes for the author to replace.
const PLACEHOLDERS: [&str; 1] = ["Say in one sentence what the work is"];

pub(crate) fn check(bundle: &Bundle, pack: Option<&ContextPack>) -> Vec<Diagnostic> {
    // The overlay check reports secrets in overlays, with its own code; it needs the typed pack.
    let elsewhere =
        |place: &Place| pack.is_some() && bundle.overlays.values().any(|d| d.source().name() == place.source);
    let mut findings: Vec<Diagnostic> =
        bundle.findings.secrets.iter().filter(|s| !elsewhere(&s.place)).map(secret).collect();
    findings.extend(personal_data(&bundle.findings.personal));
    for document in std::iter::once(&bundle.document).chain(bundle.overlays.values()).chain(&bundle.golden) {
        findings.extend(hidden::check(document));
    }
    if let Some(pack) = pack {
        findings.extend(surface(bundle, pack));
        findings.extend(breadth(bundle, pack));
        findings.extend(summary(bundle, pack));
        findings.extend(placeholders(bundle, pack));
        findings.extend(non_negotiables(bundle, pack));
    }
    findings
}

/// Returns every secret of every document.
pub(crate) fn secret_findings(bundle: &Bundle) -> Vec<Diagnostic> {
    bundle.findings.secrets.iter().map(secret).collect()
}

fn secret(found: &Sensitive) -> Diagnostic {
    Diagnostic::error(codes::SECRET_IN_PACK, format!("this looks like a secret: {}", found.title))
        .at(found.place.clone())
        .help("remove it, treat it as leaked, and let the tool gateway exchange credentials")
}

/// Personal data of all documents. A business has a few public contacts; more of them are a dump of records.
fn personal_data(found: &[Sensitive]) -> Vec<Diagnostic> {
    let mut findings: Vec<Diagnostic> = found.iter().map(personal).collect();
    let contacts: BTreeSet<&String> = found.iter().filter(|s| s.may_be_public).flat_map(|s| &s.texts).collect();
    if let Some(first) = found.iter().find(|s| s.may_be_public).filter(|_| contacts.len() > MOST_CONTACTS) {
        findings.push(
            Diagnostic::error(
                codes::RECORDS_IN_PACK,
                format!("there are {} addresses and numbers of people; a pack has no records", contacts.len()),
            )
            .at(first.place.clone())
            .help("keep records in the graph or the evidence store and refer to them"),
        );
    }
    findings
}

/// A surface that no reviewer reads to its end.
fn breadth(bundle: &Bundle, pack: &ContextPack) -> Option<Diagnostic> {
    let exposed = pack.tooling_layer.permissions.iter().filter(|permission| permission.allow).count();
    (exposed > MOST_EXPOSED).then(|| {
        Diagnostic::warning(
            codes::WIDE_SURFACE,
            format!("{exposed} capabilities are exposed, more than {MOST_EXPOSED}"),
        )
        .at(bundle.document.place("/tooling_layer/permissions"))
        .help("split the pack by intent: the smallest surface that is sufficient")
    })
}

/// A summary that is a document of its own.
fn summary(bundle: &Bundle, pack: &ContextPack) -> Option<Diagnostic> {
    let summary = &pack.business_context.summary;
    let texts = std::iter::once(&summary.what_we_do).chain(&summary.who_we_serve).chain(&summary.differentiators);
    let length: usize = texts.map(|text| text.chars().count()).sum();
    (length > LONGEST_SUMMARY).then(|| {
        Diagnostic::warning(
            codes::LONG_SUMMARY,
            format!("the summary has {length} characters, more than {LONGEST_SUMMARY}"),
        )
        .at(bundle.document.place("/business_context/summary"))
        .help("say what the work is in a few sentences; retrieve the rest as evidence")
    })
}

/// Texts of the scaffold that were never replaced.
fn placeholders(bundle: &Bundle, pack: &ContextPack) -> Option<Diagnostic> {
    let text = &pack.business_context.summary.what_we_do;
    PLACEHOLDERS.contains(&text.as_str()).then(|| {
        Diagnostic::info(codes::PLACEHOLDER_TEXT, "this is the text of the scaffold")
            .at(bundle.document.place("/business_context/summary/what_we_do"))
            .help("say what your work is: a model reads it")
    })
}

/// Values with a valid checksum are refused; an address or a number may be the public contact of a business.
fn personal(found: &Sensitive) -> Diagnostic {
    let message = format!("this looks like personal data: {}", found.title);
    if found.may_be_public {
        return Diagnostic::warning(codes::PERSONAL_DATA_IN_PACK, message)
            .at(found.place.clone())
            .help("leave it only if it is a public contact; records belong in the evidence store");
    }
    Diagnostic::error(codes::PERSONAL_DATA_IN_PACK, message)
        .at(found.place.clone())
        .help("keep records in the graph or the evidence store and refer to them")
}

/// Wildcard names.
fn surface(bundle: &Bundle, pack: &ContextPack) -> Vec<Diagnostic> {
    let open = |name: &str| name.contains('*') || matches!(name.to_ascii_lowercase().as_str(), "all" | "any");
    let mut findings = Vec::new();
    let mut report = |at: String, name: &str, what: &str| {
        findings.push(
            Diagnostic::error(codes::WILDCARD_SURFACE, format!("the {what} {} is a wildcard", quote(name)))
                .at(bundle.document.place(&at))
                .help("list what is needed: the smallest surface that is sufficient"),
        );
    };
    for (a, adapter) in pack.tooling_layer.adapter_registry.iter().enumerate() {
        for (c, capability) in adapter.capabilities.iter().enumerate().filter(|(_, c)| open(c.id())) {
            report(pointer!("tooling_layer", "adapter_registry", a, "capabilities", c), capability.id(), "capability");
        }
    }
    for (p, permission) in pack.tooling_layer.permissions.iter().enumerate() {
        if open(&permission.capability) {
            report(
                pointer!("tooling_layer", "permissions", p, "capability"),
                &permission.capability,
                "permission's capability",
            );
        }
        if open(&permission.adapter_id) {
            report(
                pointer!("tooling_layer", "permissions", p, "adapter_id"),
                &permission.adapter_id,
                "permission's adapter",
            );
        }
    }
    for (d, spec) in pack.decision_layer.decision_specs.iter().enumerate() {
        for (o, outcome) in spec.allowed_outcomes.iter().enumerate().filter(|(_, o)| open(o)) {
            report(pointer!("decision_layer", "decision_specs", d, "allowed_outcomes", o), outcome, "outcome");
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
                codes::LONG_NON_NEGOTIABLE,
                format!("a non-negotiable has {length} characters; at most {LONGEST_NON_NEGOTIABLE} are read as a constraint"),
            )
            .at(bundle.document.place(&pointer!("business_context", "non_negotiables", i)))
            .help("write one constraint as one sentence; put what can be checked into a rule")
        })
        .collect();
    if items.len() > MOST_NON_NEGOTIABLES {
        findings.push(
            Diagnostic::warning(
                codes::TOO_MANY_NON_NEGOTIABLES,
                format!("there are {} non-negotiables; beyond {MOST_NON_NEGOTIABLES} none stands out", items.len()),
            )
            .at(bundle.document.place("/business_context/non_negotiables"))
            .help("move what can be checked into rules"),
        );
    }
    findings
}
