//! Validation gate 5, tenancy: everything belongs to one tenant.
//!
//! Enters: tenant, endpoints, snapshot rule, memory policy. Leaves: parts that could reach across tenants. Must prove:
//! endpoints are registry references, graph reads are pinned, memory is scoped and consented.

use super::GateInput;
use crate::endpoint::{EndpointFault, check_endpoint};
use crate::pointer::pointer;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{Classification, MemoryScope};
use jiff::{Span, SpanRelativeTo};

pub(crate) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings: Vec<Diagnostic> = tenant(input).into_iter().collect();
    findings.extend(endpoints(input));
    findings.extend(intelligence(input));
    findings.extend(memory(input));
    findings
}

/// Returns true if a text can be the id of one tenant.
pub fn names_tenant(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_alphanumeric())
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':'))
        && !matches!(id.to_ascii_lowercase().as_str(), "any" | "all" | "none" | "default" | "global" | "tenant")
}

fn tenant(input: &GateInput<'_>) -> Option<Diagnostic> {
    let id = &input.pack.pack_meta.tenant.tenant_id;
    (!names_tenant(id)).then(|| {
        Diagnostic::error(codes::TENANT_MISSING, format!("{} does not name a tenant", quote(id)))
            .at(input.bundle.document.place("/pack_meta/tenant/tenant_id"))
            .help("name one tenant by its id; set `pack_meta.shared: true` where others may pin the pack too")
    })
}

fn endpoints(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let adapters = input.pack.tooling_layer.adapter_registry.iter().enumerate();
    adapters
        .filter_map(|(i, adapter)| {
            let fault = check_endpoint(&adapter.endpoint_ref).err()?;
            let place = input.bundle.document.place(&pointer!("tooling_layer", "adapter_registry", i, "endpoint_ref"));
            let id = quote(&adapter.adapter_id);
            Some(match fault {
                // The endpoint itself is not repeated: it may hold a password.
                EndpointFault::Credentials => Diagnostic::error(
                    codes::ENDPOINT_WITH_CREDENTIALS,
                    format!("the endpoint of {id} carries credentials"),
                )
                .at(place)
                .help("refer to a registry entry, such as `internal://orders`; the gateway exchanges credentials"),
                EndpointFault::NotAReference(why) => Diagnostic::error(
                    codes::ENDPOINT_NOT_A_REFERENCE,
                    format!("the endpoint of {id} is not a registry reference: {why}"),
                )
                .at(place)
                .help("write `<registry>://<entry>`, such as `internal://orders`"),
            })
        })
        .collect()
}

fn intelligence(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let refs = &input.pack.intelligence_refs;
    let mut findings = Vec::new();
    let rule = &refs.knowledge_graph.snapshot_pin_rule;
    let target = rule.strip_prefix("alias:").or_else(|| rule.strip_prefix("snapshot:"));
    let moving = rule.starts_with("snapshot:") && matches!(target, Some("latest" | "current" | "head" | "newest"));
    let pinned = !moving
        && target.is_some_and(|t| {
            !t.is_empty() && t.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':'))
        });
    if !pinned {
        findings.push(
            Diagnostic::error(codes::SNAPSHOT_NOT_PINNED, format!("{} pins no graph snapshot", quote(rule)))
                .at(document.place("/intelligence_refs/knowledge_graph/snapshot_pin_rule"))
                .help("write `alias:<name>` for live reads or `snapshot:<id>` for a fixed one"),
        );
    }
    for (i, key) in refs.embedding_keys.iter().enumerate().filter(|(_, key)| !is_versioned(key)) {
        findings.push(
            Diagnostic::warning(
                codes::EMBEDDING_NOT_VERSIONED,
                format!("the embedding key {} names no version", quote(key)),
            )
            .at(document.place(&pointer!("intelligence_refs", "embedding_keys", i)))
            .help("write `name_v1` or `name@1.0.0`: another index can change a decision"),
        );
    }
    findings
}

fn is_versioned(key: &str) -> bool {
    key.bytes().any(|b| b.is_ascii_digit())
}

fn memory(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let policy = &input.pack.memory_layer.memory_policy;
    let meta = &input.pack.pack_meta;
    let base = "/memory_layer/memory_policy";
    let mut findings = ttls(input);
    if policy.scope == Some(MemoryScope::Global) {
        findings.push(
            Diagnostic::error(codes::MEMORY_NOT_SCOPED, "memory is shared by all tenants")
                .at(document.place(&format!("{base}/scope")))
                .help("set `scope` to `tenant` or `subject`"),
        );
    }
    if meta.shared && !policy.write_classes_allowed.is_empty() {
        findings.push(
            Diagnostic::error(codes::MEMORY_NOT_SCOPED, "a pack that tenants share must not write memory")
                .at(document.place(&format!("{base}/write_classes_allowed")))
                .help("empty the list, or give each tenant its own pack"),
        );
    }
    for (i, class) in policy.write_classes_allowed.iter().enumerate().filter(|(_, c)| stands_for_all(c)) {
        findings.push(
            Diagnostic::error(codes::MEMORY_NOT_SCOPED, format!("the write class {} is a wildcard", quote(class)))
                .at(document.place(&pointer!("memory_layer", "memory_policy", "write_classes_allowed", i)))
                .help("list the classes that may be written"),
        );
    }
    findings.extend(promotion(input));
    match &policy.consent_gating {
        None => findings.push(
            Diagnostic::error(
                codes::MEMORY_CONSENT_MISSING,
                "the memory policy does not state whether personal data may be written back",
            )
            .at(document.place(base))
            .help("add `consent_gating: { pii_write_back_allowed: false }`"),
        ),
        Some(gating) if gating.pii_write_back_allowed && meta.data_classification < Classification::Confidential => {
            findings.push(
                Diagnostic::error(
                    codes::MEMORY_CONSENT_MISSING,
                    "personal data may be written back, and the pack is classified below CONFIDENTIAL",
                )
                .at(document.place(&format!("{base}/consent_gating/pii_write_back_allowed")))
                .help("forbid it, or raise `pack_meta.data_classification`"),
            );
        }
        Some(_) => {}
    }
    findings
}

/// The classes of memory that a run can propose.
const WRITE_CLASSES: [&str; 4] = ["evidence_link", "preference", "decision_outcome", "correction"];

/// Classes that no run proposes, and a confidence from which no person is asked that is reached at once, or not stated.
fn promotion(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let layer = &input.pack.memory_layer;
    let classes = &layer.memory_policy.write_classes_allowed;
    let unknown =
        classes.iter().enumerate().filter(|(_, c)| !stands_for_all(c) && !WRITE_CLASSES.contains(&c.as_str()));
    let mut findings: Vec<Diagnostic> = unknown
        .map(|(i, class)| {
            let help = did_you_mean(class, WRITE_CLASSES)
                .unwrap_or_else(|| format!("the classes are {}", WRITE_CLASSES.map(|c| format!("`{c}`")).join(", ")));
            Diagnostic::warning(codes::UNKNOWN_WRITE_CLASS, format!("{} is not a class of memory", quote(class)))
                .at(document.place(&pointer!("memory_layer", "memory_policy", "write_classes_allowed", i)))
                .help(help)
        })
        .collect();
    match &layer.promotion_thresholds {
        Some(_) if classes.is_empty() => findings.push(
            Diagnostic::warning(
                codes::PROMOTION_UNGUARDED,
                "no class of memory may be written, so `promotion_thresholds` has no effect",
            )
            .at(document.place("/memory_layer/memory_policy/write_classes_allowed"))
            .help("list the classes that may be written, or remove `promotion_thresholds`"),
        ),
        Some(thresholds) if thresholds.auto_promote_confidence <= 0.0 => findings.push(
            Diagnostic::warning(codes::PROMOTION_UNGUARDED, "every memory is promoted without a person")
                .at(document.place("/memory_layer/promotion_thresholds/auto_promote_confidence"))
                .help("set a confidence such as 0.95: whatever is below it is reviewed"),
        ),
        None if !classes.is_empty() => findings.push(
            Diagnostic::warning(
                codes::PROMOTION_UNGUARDED,
                "the pack writes memory and does not state from which confidence it is promoted",
            )
            .at(document.place("/memory_layer"))
            .help("add `promotion_thresholds: { auto_promote_confidence: 0.95 }`"),
        ),
        Some(_) | None => {}
    }
    findings
}

fn stands_for_all(class: &str) -> bool {
    class.contains('*') || matches!(class.to_ascii_lowercase().as_str(), "all" | "any")
}

fn ttls(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let tiers = input.pack.memory_layer.memory_policy.tier_ttls.tiers();
    let place = |tier: &str| document.place(&pointer!("memory_layer", "memory_policy", "tier_ttls", tier));
    let mut findings = Vec::new();
    let mut longest: Option<(&str, f64)> = None;
    for (tier, text) in tiers {
        let Some(text) = text else { continue };
        let Some(seconds) = ttl_seconds(text).filter(|s| *s > 0.0) else {
            findings.push(
                Diagnostic::error(codes::BAD_MEMORY_TTL, format!("{} is not a lifetime", quote(text)))
                    .at(place(tier))
                    .help("write a positive number of weeks, days, hours, minutes or seconds, such as `1h` or `365d`"),
            );
            continue;
        };
        if let Some((name, before)) = longest.filter(|(_, before)| *before > seconds) {
            findings.push(
                Diagnostic::warning(codes::TTL_ORDER, format!("`{tier}` memory lives shorter than `{name}` memory"))
                    .at(place(tier))
                    .help(format!("`{name}` lives {before} s, `{tier}` {seconds} s")),
            );
        }
        longest = Some((tier, seconds));
    }
    let policy = &input.pack.memory_layer.memory_policy;
    let remembers = !policy.write_classes_allowed.is_empty() || input.pack.memory_layer.recall_policy.is_some();
    if longest.is_none() && findings.is_empty() && remembers {
        findings.push(
            Diagnostic::error(codes::BAD_MEMORY_TTL, "no tier of memory has a lifetime")
                .at(document.place("/memory_layer/memory_policy/tier_ttls"))
                .help("give each tier that is used a lifetime, such as `working: 1h`"),
        );
    }
    findings
}

/// Returns a lifetime in seconds; days are 24 hours, months have no fixed length and are refused.
fn ttl_seconds(text: &str) -> Option<f64> {
    let span: Span = text.parse().ok()?;
    span.total((jiff::Unit::Second, SpanRelativeTo::days_are_24_hours())).ok()
}
