//! Recordings of the support pack, and of a small one.

use crate::common::{bundle, document};
use deed_canon::{ContentHash, to_canonical};
use deed_context::{Hydrations, PackMaterial, Recording, record};
use deed_model::{ReplayBundle, SourceKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) const SNAPSHOT: &str = "snap_7";
pub(crate) const TENANT: &str = "tenant_acme_prod";

/// The support pack with some of its overlays applied.
pub(crate) fn support(selected: &[&str]) -> PackMaterial {
    let selected: Vec<String> = selected.iter().map(|name| (*name).to_owned()).collect();
    PackMaterial::of_bundle(&bundle("packs/support"), &selected)
}

/// A document of the worked example.
pub(crate) fn example(name: &str) -> Value {
    document(&format!("packs/support/examples/{name}.yaml")).value().clone()
}

/// The worked example, counted by an estimate, which is quick.
pub(crate) fn worked(pack: PackMaterial) -> Recording {
    let mut run = example("run");
    run["tokenizer"] = json!("bytes/4");
    Recording {
        pack,
        request: example("request"),
        run,
        evidence: example("evidence"),
        memory: example("memory"),
        recalled_memory: None,
        source_kind: SourceKind::DecisionRecord,
        origin: Default::default(),
        reported_tokens: None,
    }
}

pub(crate) fn recorded(recording: Recording) -> ReplayBundle {
    record(recording, &Hydrations::new()).unwrap_or_else(|report| panic!("{report:?}"))
}

/// The pack with something changed in its document.
pub(crate) fn edited(material: &PackMaterial, change: impl FnOnce(&mut Value)) -> PackMaterial {
    let mut material = material.clone();
    change(&mut material.pack);
    material
}

/// Plain SHA-256, as evidence carries it.
pub(crate) fn payload_hash(content: &Value) -> String {
    match content {
        Value::String(text) => ContentHash::of_bytes(text.as_bytes()).to_string(),
        other => ContentHash::of_bytes(&to_canonical(other).unwrap()).to_string(),
    }
}

/// A piece of evidence that is admitted, with fields laid over it; a null takes one out.
pub(crate) fn evidence(reference: &str, content: Value, over: Value) -> Value {
    let mut item = json!({
        "evidence_ref": reference,
        "source_id": "kg.orders",
        "tenant_id": TENANT,
        "classification": "INTERNAL",
        "payload_hash": payload_hash(&content),
        "content": content,
    });
    lay_over(&mut item, over);
    item
}

/// A memory that is admitted, with fields laid over it; a null takes one out.
pub(crate) fn memory(id: &str, over: Value) -> Value {
    let mut item = json!({
        "id": id,
        "tenant_id": TENANT,
        "subject": "customer:cus_17",
        "intent_id": "support.refund",
        "tier": "semantic",
        "class": "preference",
        "text": format!("This is {id}."),
        "promoted_at": "2026-03-01T00:00:00Z",
        "classification": "INTERNAL",
        "provenance": ["feedback:fb_1", "call:c_2"],
    });
    lay_over(&mut item, over);
    item
}

fn lay_over(item: &mut Value, over: Value) {
    let Value::Object(over) = over else { return };
    for (key, value) in over {
        if value.is_null() {
            item.as_object_mut().unwrap().remove(&key);
        } else {
            item[&key] = value;
        }
    }
}

/// Evidence that is admitted and evidence that is rejected, for several reasons.
pub(crate) fn mixed_evidence() -> Value {
    let kg = |id: &str| format!("kg:o:{id}#{SNAPSHOT}");
    json!([
        evidence(
            &kg("1"),
            json!("Delivered."),
            json!({ "tags": ["PII", "PCI"], "retrieved_at": "2026-05-09T09:00:00Z" })
        ),
        evidence(
            "session:ses_4",
            json!({ "on": ["line", 2], "open": false }),
            json!({ "expires_at": "2026-06-01T00:00:00Z" })
        ),
        evidence(
            "tool:orders.lookup:c_1",
            json!("Old."),
            json!({ "tenant_id": "tenant_other", "expires_at": "2026-05-01T00:00:00Z" })
        ),
        evidence(&kg("6"), json!("It is A."), json!({ "conflicts_with": [kg("7"), kg("9")], "payload_hash": null })),
        evidence(&kg("7"), json!("It is B."), json!({ "resolution_ref": "dec_1", "classification": "PUBLIC" })),
    ])
}

/// Memories that are admitted and memories that are rejected.
pub(crate) fn mixed_memory() -> Value {
    json!([
        memory("m_1", json!({})),
        memory(
            "m_2",
            json!({ "text": null, "entity": "o:1", "predicate": "is", "value": { "state": "open", "n": 2 } })
        ),
        memory(
            "m_3",
            json!({ "subject": "*", "intent_id": "*", "tier": "working", "promoted_at": "2026-05-09T09:30:00Z" })
        ),
        memory("m_4", json!({ "subject": "agt_17", "promoted_at": null, "classification": "RESTRICTED" })),
    ])
}

/// A pack of few words, so that it is read quickly, with something of every kind: a catalogue, splits, guardrails with
/// predicates, capabilities as objects, a pattern of its own.
pub(crate) fn small() -> PackMaterial {
    let pack = json!({
        "contract_meta": {
            "contract_name": "small", "contract_version": "1.0.0", "issuer": "acme", "created_at": "2026-05-09T00:00:00Z",
            "compatibility": { "requires": { "runtime": ">=1.0.0", "ledger": "^2.0.0" } }, "owner": "desk",
        },
        "pack_meta": {
            "pack_id": "small", "pack_version": "1.0.0", "tenant": { "tenant_id": TENANT, "name": "Acme" },
            "environment_defaults": { "language": "en", "region": "south" },
            "ttl_seconds": 60, "data_classification": "INTERNAL", "data_tags": ["PII", "PCI"],
        },
        "intelligence_refs": {
            "ontology": { "namespace": "ont.a", "version": "1.0.0", "entity_types": ["Order", "Customer", "o"] },
            "knowledge_graph": { "snapshot_pin_rule": "alias:prod" },
            "identity_layer": { "ceid_namespaces": ["customer", "order"] },
        },
        "business_context": {
            "summary": { "what_we_do": "Help", "who_we_serve": ["all", "some"], "differentiators": ["quick"] },
            "non_negotiables": ["be kind"],
        },
        "policy_layer": {
            "policy_bundles": [{ "bundle_id": "B", "priority": 10, "policy_dsl": { "language": "jsonlogic", "rules": [
                {
                    "rule_id": "R_ID", "applies_to": { "intent": "support.refund" },
                    "if": { "==": [{ "var": "request.context.identity_verified" }, true] },
                    "then": { "allow": true, "requires": ["order_lookup"] },
                    "else": { "allow": false, "reason": "Not verified." },
                    "decision_binding": "refund", "rationale": "Only to whom we know.",
                },
                {
                    "rule_id": "R_HIGH",
                    "if": { "and": [{ "==": [{ "var": "user.role" }, "agent"] }, { ">": [{ "var": "request.context.refund_amount" }, 3000] }] },
                    "then": { "allow": true, "approval_mode": "destructive", "requires_approval_gate": "G" },
                    "decision_binding": "refund",
                },
                {
                    "rule_id": "R_SNAP", "non_enforcing": true,
                    "if": { "!=": [{ "var": "kg_snapshot_id" }, ""] },
                    "then": { "allow": true, "approval_mode": "read_only", "capabilities": ["notes.write"],
                        "arg_constraints": { "text": { "max_length": 500 } } },
                },
            ] } }],
            "guardrails": {
                "must_refuse": ["label", { "id": "fraud", "when": { ">": [{ "var": ["request.context.fraud_score", 0] }, 0.8] } }],
                "must_escalate": [],
                "redaction_rules": ["pan", { "id": "ticket", "pattern": "TCK-[0-9]{6}" }],
            },
            "approval_gates": [{ "gate_id": "G", "when": { ">": [{ "var": "request.context.refund_amount" }, 3000] },
                "required_approver_role": "lead", "ttl_seconds": 60 }],
        },
        "tooling_layer": {
            "adapter_registry": [
                { "adapter_id": "orders", "type": "OPENAPI", "endpoint_ref": "internal://orders", "capabilities": ["lookup", "purge"], "approval_mode": "read_only" },
                { "adapter_id": "notes", "type": "MCP", "endpoint_ref": "internal://notes", "approval_mode": "network",
                    "capabilities": [{ "id": "write", "approval_mode": "local_write", "kind": "note", "description": "Writes." }] },
            ],
            "permissions": [
                { "permission_id": "p_l", "adapter_id": "orders", "capability": "lookup", "allow": true },
                { "permission_id": "p_w", "adapter_id": "notes", "capability": "write", "allow": true, "requires_approval_gate": "G",
                    "arg_constraints": { "text": { "required": true } } },
            ],
        },
        "decision_layer": { "decision_specs": [{ "decision_key": "refund", "version": "1.0.0", "owner_role": "ops",
            "required_evidence": ["order_lookup"], "allowed_outcomes": ["yes", "no"], "approval_mode": "network", "decision_right": "execute" }] },
        "memory_layer": {
            "memory_policy": { "tier_ttls": { "working": "1h", "semantic": "365d" }, "write_classes_allowed": ["preference"] },
            "recall_policy": { "max_per_intent": 2 },
        },
        "evaluation_layer": {
            "eval_targets": [{ "intent": "support.refund", "utility": 0.9 }],
            "release_gates": [{ "metric": "policy", "max_delta": 0 }],
        },
        "tone_and_comms": { "voice_attributes": ["clear", "calm"], "do": ["cite"], "dont": ["guess"],
            "system_blocks": [{ "kind": "brand", "text": "We are Acme.", "priority": 2 }] },
        "intent_layer": { "catalog": [
            { "id": "support.refund", "intent_class": "action", "task_id": "refund" },
            { "id": "support.status", "intent_class": "question", "task_id": "status" },
        ] },
        "budget_layer": { "default_total": 3000, "splits": {
            "support.refund": { "business": 0.1, "policy": 0.3, "tool": 0.1, "evidence": 0.3, "memory": 0.1, "session": 0.1 },
        } },
    });
    PackMaterial { pack, overlays: BTreeMap::new(), selected: Vec::new(), source: Default::default(), endpoints: None }
}

/// The least that a pack can be, so that it is read in no time.
pub(crate) fn tiny() -> PackMaterial {
    edited(&small(), |pack| {
        let mut take = |pointer: &str, keys: &[&str]| {
            let fields = pack.pointer_mut(pointer).and_then(Value::as_object_mut).unwrap();
            keys.iter().for_each(|key| drop(fields.remove(*key)));
        };
        take("", &["budget_layer"]);
        take("/contract_meta", &["owner"]);
        take("/contract_meta/compatibility/requires", &["ledger"]);
        take("/pack_meta", &["data_tags"]);
        take("/pack_meta/tenant", &["name"]);
        take("/intelligence_refs/ontology", &["entity_types"]);
        take("/business_context/summary", &["differentiators"]);
        take("/policy_layer/policy_bundles/0/policy_dsl/rules/0", &["applies_to", "decision_binding", "rationale"]);
        take("/policy_layer/guardrails", &["must_escalate"]);
        take("/memory_layer", &["recall_policy"]);
        take("/memory_layer/memory_policy", &["write_classes_allowed"]);
        take("/tone_and_comms", &["do", "dont", "system_blocks"]);
        for (pointer, length) in [
            ("/policy_layer/policy_bundles/0/policy_dsl/rules", 1),
            ("/policy_layer/guardrails/must_refuse", 0),
            ("/tooling_layer/adapter_registry", 1),
            ("/tooling_layer/permissions", 1),
            ("/intent_layer/catalog", 1),
        ] {
            pack.pointer_mut(pointer).and_then(Value::as_array_mut).unwrap().truncate(length);
        }
    })
}

/// The same request with less of everything.
pub(crate) fn brief(pack: PackMaterial) -> Recording {
    let mut brief = calm();
    brief.pack = pack;
    brief.evidence.as_array_mut().unwrap().truncate(2);
    brief.memory.as_array_mut().unwrap().truncate(2);
    brief.request["session"]["recent_turns"].as_array_mut().unwrap().truncate(1);
    brief
}

/// A pack without a catalogue, with two overlays, both applied.
pub(crate) fn with_overlays(pack: &PackMaterial) -> PackMaterial {
    let mut small = edited(pack, |pack| {
        pack.as_object_mut().unwrap().remove("intent_layer");
        pack["pack_meta"]["overlays"] = json!(["small.site@1.0.0", "small.risk@1.0.0"]);
    });
    small.overlays.insert("site".to_owned(), json!({ "overlay_ref": "small.site@1.0.0", "base": "small@1.0.0", "changes": [
        { "kind": "endpoint_ref", "adapter_id": "orders", "value": "internal://orders-two", "rationale": "Another place." },
        { "kind": "locale_default", "key": "language", "value": "en-IN", "rationale": "Another language." },
    ] }));
    small.overlays.insert("risk".to_owned(), json!({ "overlay_ref": "small.risk@1.0.0", "base": "small@1.0.0", "changes": [
        { "kind": "policy_threshold", "gate_id": "G", "pointer": "/when/>/1", "value": 1000, "rationale": "More care." },
        { "kind": "evaluator_threshold", "intent": "support.refund", "metric": "utility", "value": 0.95, "rationale": "More of them." },
    ] }));
    small.selected = vec!["site".to_owned(), "risk".to_owned()];
    small
}

/// A request of the small pack that compiles without more ado.
pub(crate) fn calm() -> Recording {
    Recording {
        pack: small(),
        request: json!({
            "request_id": "req_1",
            "tenant_id": TENANT,
            "context_pack_refs": ["small@1.0.0"],
            "channel": "chat",
            "locale": "en-IN",
            "input": {
                "intent": "support.refund",
                "message": "Refund order ord_1, my ticket is TCK-204881, thanks.",
                "context": { "identity_verified": true, "refund_amount": 120, "basket": ["a", "b"], "note": "none" },
            },
            "session": { "session_id": "ses_4", "recent_turns": [
                { "role": "user", "text": "Hello there." },
                { "role": "assistant", "text": "What can I do?" },
                { "role": "user", "text": "I want my money back." },
            ] },
        }),
        run: json!({
            "run_id": "run_1",
            "tenant_id": TENANT,
            "user": { "id": "agt_17", "role": "agent", "team": "blue" },
            "subject_ids": ["customer:cus_17", "customer:cus_18"],
            "intent": "support.refund",
            "safety_mode": "destructive",
            "as_of": "2026-05-09T10:00:00Z",
            "kg_snapshot_id": SNAPSHOT,
            "max_classification": "INTERNAL",
            "prohibitions": [{ "adapter_id": "orders", "capability": "purge" }, { "adapter_id": "mail" }],
            "components": { "ledger": "2.1.0", "queue": "1.0.0" },
            "ontologies": { "ont.a": ["1.0.0", "1.1.0"] },
            "context_pack_refs": ["small@1.0.0"],
            "tokenizer": "bytes/4",
            "desk": { "name": "day", "floor": 3 },
            "shift": "late",
        }),
        evidence: mixed_evidence(),
        memory: mixed_memory(),
        recalled_memory: None,
        source_kind: SourceKind::DecisionRecord,
        origin: Default::default(),
        reported_tokens: None,
    }
}
