//! Sizes that nobody should send: they end, without a panic, and everything is accounted for.

use crate::common::random;

use deed_context::{Evidence, Outcome, compile};
use deed_model::{Bucket, CompiledContext, EvidenceItem, ItemStatus};
use random::{Raw, SNAPSHOT, TENANT, hydrate, payload_hash, support_pack};
use serde_json::{Value, json};

/// Kept and dropped blocks of a bucket; no block is both.
fn blocks(context: &CompiledContext<'_>, bucket: Bucket) -> (usize, usize) {
    let kept = context.compiled_prompt.context_blocks.iter().filter(|b| b.bucket == bucket).count();
    (kept, context.budget_report.dropped_block_ids.get(&bucket).map_or(0, Vec::len))
}

#[test]
fn a_message_of_ten_megabytes() {
    let pack = hydrate(&support_pack());
    let mut raw = Raw::example();
    let line = "Refund the order, please; it came <<< broken.\n";
    let lines = 10 * 1024 * 1024 / line.len() + 1;
    raw.request["input"]["message"] = json!(line.repeat(lines));
    let given = raw.read();
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    assert!(context.budget_report.head_tokens.task > 10 * 1024 * 1024 / 4);
    assert_eq!(context.context_ledger.neutralized.fence, lines as u64);
}

/// A message with something hidden in every line takes more looks; a number of tokens that it does not fit refuses.
#[test]
fn a_megabyte_of_hidden_characters() {
    let pack = hydrate(&support_pack());
    let mut raw = Raw::example();
    raw.request["input"]["message"] = json!("41\u{200b}11 \u{202e}\u{e0041} é １２\n".repeat(1024 * 1024 / 24));
    raw.run["run_budget"] = json!({ "bucket_tokens": 100_000 });
    let given = raw.read();
    let Outcome::Refused(refusal) = compile(&pack, given.inputs()) else { panic!("it cannot fit") };
    assert_eq!(refusal.diagnostic.code.as_str(), "D1514");
}

/// A hundred thousand pieces: a tenth sound, a thousand of all supplied twice, the others of another snapshot.
#[test]
fn a_hundred_thousand_pieces_of_evidence() {
    let pack = hydrate(&support_pack());
    let mut given = Raw::example().read();
    let hash = payload_hash(&json!("small"));
    let item = |i: usize| EvidenceItem {
        evidence_ref: format!("kg:order:{i}#{}", if i.is_multiple_of(10) { SNAPSHOT } else { "older" }),
        tenant_id: Some(TENANT.to_owned()),
        classification: Some("INTERNAL".to_owned()),
        content: json!("small"),
        payload_hash: Some(hash.clone()),
        ..EvidenceItem::default()
    };
    given.evidence = Evidence::new((0..100_000).map(|i| item(i % 99_000)).collect());
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    let ledger = &context.context_ledger.evidence;
    assert_eq!(ledger.len(), 99_000);
    assert_eq!(ledger.iter().map(|e| e.supplied.unwrap_or(1)).sum::<u64>(), 100_000);
    let count = |status: ItemStatus| ledger.iter().filter(|e| e.status == status).count();
    assert_eq!(count(ItemStatus::Rejected), 99_000 - 9_900);
    assert!(ledger.iter().all(|e| (e.status == ItemStatus::Rejected) != e.reasons.is_empty()));
    assert_eq!(blocks(context, Bucket::Evidence), (count(ItemStatus::Kept), count(ItemStatus::Dropped)));
    assert!(count(ItemStatus::Kept) > 0);
    assert_eq!(context.manifests.evidence_manifest.len(), count(ItemStatus::Kept));
    let dropped = &context.budget_report.dropped_blocks;
    assert!(dropped.iter().all(|b| b.smallest_budget > context.budget_report.tokens_allocated.evidence));
}

/// Everything contradicts its neighbour: one set of all.
#[test]
fn a_long_chain_of_conflicts() {
    let pack = hydrate(&support_pack());
    let mut raw = Raw::example();
    let hash = payload_hash(&json!("small"));
    let name = |i: usize| format!("kg:order:{i}#{SNAPSHOT}");
    let item = |i: usize| {
        json!({ "evidence_ref": name(i), "tenant_id": TENANT, "classification": "INTERNAL", "content": "small",
            "payload_hash": hash, "conflicts_with": [name(i + 1)],
            "resolution_ref": if i == 7 { "decision:1" } else { "" } })
    };
    raw.evidence = Value::Array((0..10_000).map(item).collect());
    let given = raw.read();
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    let superseded =
        context.context_ledger.evidence.iter().filter(|e| e.reasons.iter().any(|r| r.as_str() == "superseded"));
    assert_eq!(superseded.count(), 9_999);
    assert_eq!(context.manifests.evidence_manifest.len(), 1);
}

#[test]
fn ten_thousand_turns_and_memories() {
    let pack = hydrate(&support_pack());
    let mut raw = Raw::example();
    let turn = |i: usize| json!({ "role": "user", "text": format!("turn {i} {}", "x".repeat(i % 90)) });
    raw.request["session"] = json!({ "recent_turns": (0..10_000).map(turn).collect::<Vec<_>>() });
    let item = |i: usize| {
        json!({ "id": format!("m_{i}"), "tenant_id": TENANT, "subject": "*", "intent_id": "*", "tier": "semantic",
            "class": "preference", "provenance": ["kg:x"], "text": "small", "promoted_at": "2026-05-01T00:00:00Z",
            "classification": "PUBLIC" })
    };
    raw.memory = Value::Array((0..10_000).map(item).collect());
    let given = raw.read();
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    let (kept, dropped) = blocks(context, Bucket::Session);
    assert_eq!(kept + dropped, 10_001);
    assert!(kept > 1 && dropped > 1);
    // The newest are kept.
    let newest = context.compiled_prompt.context_blocks.iter().find(|b| b.block_id == "turn_0").unwrap();
    assert!(newest.content.contains("turn 9999 "));
    assert_eq!(context.context_ledger.memory.len(), 10_000);
    let admitted = context.context_ledger.memory.iter().filter(|m| m.reasons.is_empty()).count();
    assert_eq!(admitted, 8);
}
