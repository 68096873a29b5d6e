//! Evidence and memory that is rejected with its reasons; the compile goes on.

use super::example::{SNAPSHOT, compile, compiled, evidence, example, refused, vary};
use crate::common::Project;
use serde_json::{Value, json};

/// The reasons against each item of a part of the ledger, by its name.
fn reasons(data: &Value, part: &str, name: &str) -> Vec<(String, Value)> {
    let items = data["context_ledger"][part].as_array().unwrap();
    let why = |item: &Value| item.get("reasons").cloned().unwrap_or_else(|| json!([]));
    items.iter().map(|item| (item[name].as_str().unwrap().to_owned(), why(item))).collect()
}

fn of_evidence(p: &Project, items: &[Value]) -> Vec<(String, Value)> {
    p.write("evidence.json", json!(items).to_string());
    reasons(&compiled(p, &["--evidence", "evidence.json"]), "evidence", "evidence_ref")
}

#[test]
fn evidence_that_does_not_belong_here() {
    let p = example();
    let changed = |id: &str, field: &str, value: Value| {
        let mut item = evidence(id, "Order: delivered.");
        item[field] = value;
        item
    };
    let mut both = changed("ord_8", "tenant_id", json!("tenant_globex"));
    both["payload_hash"] = json!(format!("sha256:{}", "0".repeat(64)));
    let found = of_evidence(
        &p,
        &[
            evidence("ord_1", "Order: delivered."),
            changed("ord_2", "evidence_ref", json!("kg:order:ord_2#snapshot_of_yesterday")),
            changed("ord_3", "tenant_id", json!("tenant_globex")),
            changed("ord_4", "classification", json!("RESTRICTED")),
            changed("ord_5", "payload_hash", json!(format!("sha256:{}", "0".repeat(64)))),
            changed("ord_6", "expires_at", json!("2026-05-09T10:00:00Z")),
            changed("ord_7", "evidence_ref", json!("session:ses_of_another")),
            both,
        ],
    );
    let own = |id: &str| format!("kg:order:{id}#{SNAPSHOT}");
    assert_eq!(
        found,
        [
            (own("ord_1"), json!([])),
            ("kg:order:ord_2#snapshot_of_yesterday".to_owned(), json!(["other_snapshot"])),
            (own("ord_3"), json!(["other_tenant"])),
            (own("ord_4"), json!(["above_classification"])),
            (own("ord_5"), json!(["hash_mismatch"])),
            (own("ord_6"), json!(["expired"])),
            (own("ord_8"), json!(["other_tenant", "hash_mismatch"])),
            ("session:ses_of_another".to_owned(), json!(["other_session"])),
        ]
    );
    let out = p.ok(&compile(&["--evidence", "evidence.json"]));
    assert!(out.stdout.contains("  rejected: other_tenant, hash_mismatch\n"), "{}", out.stdout);
    assert!(!p.ok(&compile(&["--evidence", "evidence.json", "--prompt"])).stdout.contains("tenant_globex"));
}

#[test]
fn evidence_that_contradicts_itself() {
    let p = example();
    let mut one = evidence("ord_1", "It was delivered.");
    one["conflicts_with"] = json!([format!("kg:order:ord_2#{SNAPSHOT}")]);
    let other = evidence("ord_2", "It was lost.");
    let both: Vec<Value> = of_evidence(&p, &[one.clone(), other.clone()]).into_iter().map(|(_, why)| why).collect();
    assert_eq!(both, [json!(["unresolved_conflict"]), json!(["unresolved_conflict"])]);
    one["resolution_ref"] = json!("decision:17");
    let settled: Vec<Value> = of_evidence(&p, &[one, other.clone()]).into_iter().map(|(_, why)| why).collect();
    assert_eq!(settled, [json!([]), json!(["superseded"])]);
    let twice = of_evidence(&p, &[other, evidence("ord_2", "It was found.")]);
    assert!(twice.iter().all(|(_, why)| *why == json!(["repeated_ref"])), "{twice:?}");
}

#[test]
fn graph_evidence_without_a_snapshot() {
    let p = example();
    let pin = format!("kg_snapshot_id: {SNAPSHOT}\n");
    vary(&p, "run.yaml", "open.yaml", &[(&pin, "")]);
    let args = compile(&["--run", "open.yaml", "--evidence", "evidence.yaml"]);
    refused(&p, &args, 1, "D1513", "kg_snapshot_id");
    p.ok(&compile(&["--run", "open.yaml"]));
    vary(&p, "run.yaml", "void.yaml", &[(&pin, "kg_snapshot_id: \"\"\n")]);
    refused(&p, &compile(&["--run", "void.yaml"]), 1, "D1513", "an empty snapshot");
}

#[test]
fn memory_that_is_not_ready_or_no_longer_true() {
    let p = example();
    let memory = |id: &str, changes: &[(&str, Value)]| {
        let mut item = json!({
            "id": id, "tenant_id": "tenant_acme_prod", "subject": "*", "intent_id": "*", "tier": "episodic",
            "class": "preference", "text": "Likes chat.", "promoted_at": "2026-05-09T09:00:00Z",
            "classification": "INTERNAL", "provenance": ["feedback:1"],
        });
        changes.iter().for_each(|(field, value)| item[*field] = value.clone());
        item
    };
    let items = [
        memory("a", &[]),
        memory("b", &[("promoted_at", Value::Null)]),
        // As old as its tier's lifetime, to the second.
        memory("c", &[("promoted_at", json!("2026-05-08T10:00:00Z"))]),
        memory("d", &[("promoted_at", json!("2026-05-08T10:00:01Z"))]),
        memory("e", &[("promoted_at", json!("2026-05-10T00:00:00Z"))]),
        memory("f", &[("tenant_id", json!("tenant_globex"))]),
        memory("g", &[("subject", json!("customer:cus_99"))]),
        memory("h", &[("classification", json!("SECRET"))]),
    ];
    p.write("memory.json", json!(items).to_string());
    let mut found = reasons(&compiled(&p, &["--memory", "memory.json"]), "memory", "id");
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let found: Vec<(&str, Value)> = found.iter().map(|(id, why)| (id.as_str(), why.clone())).collect();
    assert_eq!(
        found,
        [
            ("a", json!([])),
            ("b", json!(["not_promoted"])),
            ("c", json!(["expired"])),
            ("d", json!([])),
            ("e", json!(["promoted_later"])),
            ("f", json!(["other_tenant"])),
            ("g", json!(["other_subject"])),
            ("h", json!(["unknown_classification"])),
        ]
    );
}
