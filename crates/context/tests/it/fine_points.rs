//! The fine points of the design, one by one: why evidence and memory are rejected, how budgets are shared out, and
//! what refuses.

use crate::common::random;

use crate::common::{bundle, hydrated};
use deed_context::{Hydrated, Outcome, compile};
use deed_model::{CompiledContext, ItemStatus, Stage};
use random::{AS_OF, BUCKETS, Raw, SNAPSHOT, TENANT, hydrate, payload_hash, support_pack};
use serde_json::{Value, json};

/// The pack by bytes, once for each test.
fn support() -> Hydrated {
    hydrate(&support_pack())
}

/// What a compile of these inputs gives.
fn with<T>(pack: &Hydrated, raw: &Raw, read: impl FnOnce(&CompiledContext<'_>) -> T) -> T {
    let given = raw.read();
    let outcome = compile(pack, given.inputs());
    match outcome.into_result() {
        Ok(context) => read(&context),
        Err(refusal) => panic!("refused: {refusal:?}"),
    }
}

/// Code, stage and help of a refusal.
fn refusal(pack: &Hydrated, raw: &Raw) -> (String, Option<Stage>, String) {
    let given = raw.read();
    match compile(pack, given.inputs()) {
        Outcome::Refused(refusal) => {
            let help = refusal.diagnostic.help.map(|help| help.to_string()).unwrap_or_default();
            (refusal.diagnostic.code.as_str().to_owned(), refusal.stage, help)
        }
        other => panic!("not refused: {}", other.as_str()),
    }
}

fn refuses(pack: &Hydrated, raw: &Raw, code: &str, stage: Option<Stage>) {
    let (own, at, _) = refusal(pack, raw);
    assert_eq!((own.as_str(), at), (code, stage));
}

fn edited(edit: impl FnOnce(&mut Raw)) -> Raw {
    let mut raw = Raw::example().with_room();
    edit(&mut raw);
    raw
}

/// Sets members, or takes them away where the value is null.
fn merge(object: &mut Value, changes: &Value) {
    for (key, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(object.as_object_mut().unwrap().remove(key)),
            value => object[key] = value.clone(),
        }
    }
}

// ---- evidence

/// A sound piece of evidence with some members changed, or taken away where the change is null.
fn piece(changes: &Value) -> Value {
    let mut item = json!({ "evidence_ref": format!("kg:order:1#{SNAPSHOT}"), "source_id": "kg", "tenant_id": TENANT,
        "classification": "INTERNAL", "content": "text", "payload_hash": payload_hash(&json!("text")) });
    merge(&mut item, changes);
    item
}

/// The status and the reasons of every piece, in order of reference.
fn judged(items: Vec<Value>) -> Vec<(String, Vec<&'static str>)> {
    let raw = edited(|raw| raw.evidence = Value::Array(items));
    with(&support(), &raw, |context| {
        let entries = context.context_ledger.evidence.iter();
        entries.map(|e| (e.status.as_str().to_owned(), e.reasons.iter().map(|r| r.as_str()).collect())).collect()
    })
}

#[test]
fn every_reason_against_evidence() {
    let cases = [
        (json!({}), vec![]),
        (json!({ "evidence_ref": "order 1" }), vec!["malformed_ref"]),
        (json!({ "evidence_ref": format!("note kg:order:1#{SNAPSHOT}") }), vec!["malformed_ref"]),
        (json!({ "evidence_ref": "kg:order:1#older" }), vec!["other_snapshot"]),
        // Compared exactly.
        (json!({ "evidence_ref": format!("kg:order:1#{SNAPSHOT}x") }), vec!["other_snapshot"]),
        (json!({ "evidence_ref": format!("kg:order:1#{}", SNAPSHOT.to_lowercase()) }), vec!["other_snapshot"]),
        // Only `kg:` is bound to the snapshot.
        (json!({ "evidence_ref": "tool:adp_orders.lookup:call#older" }), vec![]),
        (json!({ "evidence_ref": "session:ses_4" }), vec![]),
        (json!({ "evidence_ref": "session:ses_5" }), vec!["other_session"]),
        (json!({ "tenant_id": null }), vec!["missing_tenant"]),
        (json!({ "tenant_id": "" }), vec!["missing_tenant"]),
        (json!({ "tenant_id": "tenant_other" }), vec!["other_tenant"]),
        (json!({ "classification": null }), vec!["missing_classification"]),
        (json!({ "classification": "" }), vec!["missing_classification"]),
        (json!({ "classification": "internal" }), vec!["unknown_classification"]),
        (json!({ "classification": "CONFIDENTIAL" }), vec!["above_classification"]),
        (json!({ "classification": "PUBLIC" }), vec![]),
        (json!({ "payload_hash": null }), vec!["missing_hash"]),
        (json!({ "payload_hash": "" }), vec!["missing_hash"]),
        (json!({ "content": "other text" }), vec!["hash_mismatch"]),
        (json!({ "payload_hash": payload_hash(&json!("text")).trim_start_matches("sha256:") }), vec!["hash_mismatch"]),
        // A text is hashed as it is, anything else as canonical JSON.
        (json!({ "content": { "b": 1, "a": 2.0 }, "payload_hash": payload_hash(&json!("{\"a\":2,\"b\":1}")) }), vec![]),
        (json!({ "expires_at": "2026-05-09T10:00:01Z" }), vec![]),
        (json!({ "expires_at": AS_OF }), vec!["expired"]),
        (json!({ "expires_at": "2026-05-09T15:30:00+05:30" }), vec!["expired"]),
        (json!({ "expires_at": "2026-05-09T09:59:59Z" }), vec!["expired"]),
        (json!({ "expires_at": "soon" }), vec!["malformed_time"]),
        (json!({ "retrieved_at": "just now" }), vec!["malformed_time"]),
        (json!({ "conflicts_with": ["kg:order:2#older"] }), vec!["unresolved_conflict"]),
        (json!({ "conflicts_with": ["kg:order:2#older"], "resolution_ref": "decision:1" }), vec![]),
        (json!({ "resolution_ref": "decision:1" }), vec![]),
        // All that stands against a piece is said.
        (
            json!({ "evidence_ref": "x", "tenant_id": null, "classification": "TOP", "payload_hash": null,
                "expires_at": AS_OF }),
            vec!["malformed_ref", "missing_tenant", "unknown_classification", "missing_hash", "expired"],
        ),
        (
            json!({ "evidence_ref": "kg:order:1#older", "classification": "TOP", "expires_at": AS_OF,
                "conflicts_with": ["y"] }),
            vec!["other_snapshot", "unknown_classification", "expired", "unresolved_conflict"],
        ),
    ];
    for (changes, reasons) in cases {
        let status = if reasons.is_empty() { "kept" } else { "rejected" };
        assert_eq!(judged(vec![piece(&changes)]), [(status.to_owned(), reasons)], "{changes}");
    }
}

/// The lower of the pack's classification and the run's is the ceiling.
#[test]
fn the_lower_ceiling_counts() {
    for (of_pack, of_run, class, kept) in [
        ("INTERNAL", "RESTRICTED", "CONFIDENTIAL", false),
        ("RESTRICTED", "INTERNAL", "CONFIDENTIAL", false),
        ("RESTRICTED", "CONFIDENTIAL", "CONFIDENTIAL", true),
        ("PUBLIC", "RESTRICTED", "INTERNAL", false),
    ] {
        let mut pack = support_pack();
        pack["pack_meta"]["data_classification"] = json!(of_pack);
        let raw = edited(|raw| {
            raw.run["max_classification"] = json!(of_run);
            raw.evidence = json!([piece(&json!({ "classification": class }))]);
        });
        let status = with(&hydrate(&pack), &raw, |context| context.context_ledger.evidence[0].status);
        assert_eq!(status == ItemStatus::Kept, kept, "{of_pack} {of_run} {class}");
    }
}

#[test]
fn repeated_references() {
    let own = piece(&json!({}));
    let other = piece(&json!({ "content": "other", "payload_hash": payload_hash(&json!("other")) }));
    let rejected = || ("rejected".to_owned(), vec!["repeated_ref"]);
    assert_eq!(judged(vec![own.clone(), own.clone()]), [("kept".to_owned(), vec![])]);
    assert_eq!(judged(vec![own.clone(), other.clone()]), [rejected(), rejected()]);
    assert_eq!(judged(vec![own.clone(), other, own.clone()]), [rejected(), rejected()]);
    // The same content counts once, whatever else is said of it; what stands against one copy stands against it.
    let elsewhere = piece(&json!({ "source_id": "elsewhere", "tags": ["PII"] }));
    assert_eq!(judged(vec![own.clone(), elsewhere]), [("kept".to_owned(), vec![])]);
    let expired = piece(&json!({ "expires_at": AS_OF }));
    assert_eq!(judged(vec![expired, own]), [("rejected".to_owned(), vec!["expired"])]);
}

#[test]
fn conflict_sets() {
    let of = |n: u32, against: &[u32], resolved: bool| {
        let name = |n: u32| format!("kg:order:{n}#{SNAPSHOT}");
        let against: Vec<String> = against.iter().map(|n| name(*n)).collect();
        let resolution = resolved.then_some("decision:1");
        piece(&json!({ "evidence_ref": name(n), "conflicts_with": against, "resolution_ref": resolution }))
    };
    let words = |items: Vec<Value>| -> Vec<String> {
        judged(items).into_iter().map(|(status, reasons)| reasons.first().map_or(status, |r| (*r).to_owned())).collect()
    };
    let (open, over) = ("unresolved_conflict", "superseded");
    assert_eq!(words(vec![of(1, &[2], false), of(2, &[], false), of(3, &[], false)]), [open, open, "kept"]);
    assert_eq!(words(vec![of(1, &[2], true), of(2, &[], false)]), ["kept", over]);
    assert_eq!(words(vec![of(1, &[2], false), of(2, &[], true)]), [over, "kept"]);
    assert_eq!(words(vec![of(1, &[2], true), of(2, &[], true)]), [open, open]);
    // Sets that share an item are one, also through one that was not supplied.
    assert_eq!(
        words(vec![of(1, &[2], true), of(2, &[3], false), of(3, &[4], false), of(4, &[], false)]),
        ["kept", over, over, over]
    );
    assert_eq!(words(vec![of(1, &[9], false), of(2, &[9], true)]), [over, "kept"]);
    assert_eq!(
        words(vec![of(1, &[2], true), of(2, &[], false), of(3, &[4], true), of(4, &[], false)]),
        ["kept", over, "kept", over]
    );
    // What is somebody else's, or is not what it says it is, contradicts nothing and settles nothing.
    for fault in [json!({ "tenant_id": "tenant_other" }), json!({ "content": "other text" })] {
        let mut stranger = of(1, &[2], true);
        merge(&mut stranger, &fault);
        let fates = words(vec![stranger.clone(), of(2, &[], false)]);
        assert_eq!(fates[1], "kept", "{fault}");
        assert_eq!(words(vec![stranger, of(2, &[3], false), of(3, &[], true)])[1..], [over, "kept"], "{fault}");
    }
}

#[test]
fn pins() {
    let pin = |pin: Option<&str>, evidence: Value| {
        edited(|raw| {
            raw.run.as_object_mut().unwrap().remove("kg_snapshot_id");
            if let Some(pin) = pin {
                raw.run["kg_snapshot_id"] = json!(pin);
            }
            raw.evidence = evidence;
        })
    };
    let tool = json!([piece(&json!({ "evidence_ref": "tool:adp_orders.lookup:1" }))]);
    let graph = json!([piece(&json!({}))]);
    let pack = support();
    with(&pack, &pin(None, json!([])), |_| ());
    with(&pack, &pin(None, tool.clone()), |context| assert_eq!(context.manifests.evidence_manifest.len(), 1));
    refuses(&pack, &pin(None, graph.clone()), "D1513", Some(Stage::Evidence));
    for evidence in [json!([]), tool, graph.clone()] {
        refuses(&pack, &pin(Some(""), evidence), "D1513", Some(Stage::Evidence));
    }
    with(&pack, &pin(Some("another"), graph), |context| {
        assert_eq!(context.context_ledger.evidence[0].reasons[0].as_str(), "other_snapshot");
    });
}

// ---- memory

fn memory(changes: &Value) -> Value {
    let mut item = json!({ "id": "m", "tenant_id": TENANT, "subject": "customer:cus_17", "intent_id": "support.refund",
        "tier": "semantic", "class": "preference", "text": "text", "promoted_at": "2026-05-01T00:00:00Z",
        "classification": "INTERNAL", "provenance": ["feedback:1"] });
    merge(&mut item, changes);
    item
}

/// Every memory with its reasons, in the order of the ledger.
fn recalled(pack: &Value, items: Vec<Value>) -> Vec<(String, Vec<&'static str>)> {
    let raw = edited(|raw| raw.memory = Value::Array(items));
    with(&hydrate(pack), &raw, |context| {
        let entries = context.context_ledger.memory.iter();
        let entry = |m: &deed_model::LedgerMemory<'_>| {
            assert_eq!(m.status == ItemStatus::Kept, m.reasons.is_empty());
            (m.id.to_string(), m.reasons.iter().map(|r| r.as_str()).collect())
        };
        entries.map(entry).collect()
    })
}

#[test]
fn every_reason_against_memory() {
    let mut pack = support_pack();
    pack["memory_layer"]["memory_policy"]["tier_ttls"].as_object_mut().unwrap().remove("durable");
    let cases = [
        (json!({}), vec![]),
        (json!({ "text": null }), vec!["no_content"]),
        (json!({ "text": null, "entity": "order:1", "predicate": "is", "value": "sent" }), vec![]),
        (json!({ "entity": "order:1", "predicate": "is", "value": "sent" }), vec!["no_content"]),
        (json!({ "tenant_id": null }), vec!["missing_tenant"]),
        (json!({ "tenant_id": "*" }), vec!["other_tenant"]),
        (json!({ "subject": null }), vec!["missing_subject"]),
        (json!({ "subject": "*" }), vec![]),
        (json!({ "subject": "customer:cus_18" }), vec!["other_subject"]),
        (json!({ "intent_id": null }), vec!["missing_intent"]),
        (json!({ "intent_id": "*" }), vec![]),
        (json!({ "intent_id": "support.other" }), vec!["other_intent"]),
        (json!({ "classification": null }), vec!["missing_classification"]),
        (json!({ "classification": "SECRET" }), vec!["unknown_classification"]),
        (json!({ "classification": "CONFIDENTIAL" }), vec!["above_classification"]),
        (json!({ "class": null }), vec!["missing_class"]),
        (json!({ "class": "" }), vec!["missing_class"]),
        (json!({ "class": "gossip" }), vec!["class_not_allowed"]),
        (json!({ "provenance": [] }), vec!["missing_provenance"]),
        (json!({ "provenance": [""] }), vec!["missing_provenance"]),
        (json!({ "text": "write to jane.roe@mail.acme.io" }), vec!["personal_data_not_allowed"]),
        (json!({ "personal_data": true, "consent": "consent:1" }), vec!["personal_data_not_allowed"]),
        (
            json!({ "text": null, "entity": "c:1", "predicate": "phone", "value": "+49 30 901820" }),
            vec!["personal_data_not_allowed"],
        ),
        (json!({ "confidence": 0.95 }), vec![]),
        (json!({ "confidence": 0.9499 }), vec!["below_confidence"]),
        (json!({ "confidence": 0.9499, "reviewed_by": "" }), vec!["below_confidence"]),
        (json!({ "confidence": 0.9499, "reviewed_by": "data" }), vec![]),
        (json!({ "promoted_at": null }), vec!["not_promoted"]),
        (json!({ "promoted_at": "" }), vec!["not_promoted"]),
        (json!({ "promoted_at": "last week" }), vec!["malformed_time"]),
        (json!({ "promoted_at": AS_OF }), vec![]),
        (json!({ "promoted_at": "2026-05-09T10:00:00.000000001Z" }), vec!["promoted_later"]),
        (json!({ "promoted_at": "2026-05-09T10:00:01Z" }), vec!["promoted_later"]),
        (json!({ "tier": null }), vec!["unknown_tier"]),
        (json!({ "tier": "eternal" }), vec!["unknown_tier"]),
        (json!({ "tier": "durable" }), vec!["tier_without_ttl"]),
        // An hour: younger is alive, just as old is not.
        (json!({ "tier": "working", "promoted_at": "2026-05-09T09:00:01Z" }), vec![]),
        (json!({ "tier": "working", "promoted_at": "2026-05-09T09:00:00.000000001Z" }), vec![]),
        (json!({ "tier": "working", "promoted_at": "2026-05-09T09:00:00Z" }), vec!["expired"]),
        (json!({ "tier": "working", "promoted_at": "2026-05-09T08:59:59.9Z" }), vec!["expired"]),
        (json!({ "tier": "episodic", "promoted_at": "2026-05-08T10:00:00Z" }), vec!["expired"]),
        (json!({ "tier": "semantic", "promoted_at": "2025-05-09T10:00:00Z" }), vec!["expired"]),
        (json!({ "tier": "semantic", "promoted_at": "2025-05-09T10:00:01Z" }), vec![]),
        (
            json!({ "tenant_id": null, "subject": "", "intent_id": "x", "classification": "", "promoted_at": null }),
            vec!["missing_tenant", "missing_subject", "other_intent", "missing_classification", "not_promoted"],
        ),
    ];
    for (changes, reasons) in cases {
        assert_eq!(recalled(&pack, vec![memory(&changes)]), [("m".to_owned(), reasons)], "{changes}");
    }
}

#[test]
fn the_rules_of_the_pack_decide_about_memory() {
    let any = || vec![memory(&json!({ "subject": "*" }))];
    let personal = |consent: Value| vec![memory(&json!({ "text": "jane.roe@mail.acme.io", "consent": consent }))];
    let under = |change: &dyn Fn(&mut Value), items| {
        let mut pack = support_pack();
        change(&mut pack["memory_layer"]);
        recalled(&pack, items).remove(0).1
    };
    assert_eq!(under(&|_| {}, any()), [""; 0]);
    assert_eq!(under(&|layer| layer["memory_policy"]["scope"] = json!("tenant"), any()), [""; 0]);
    assert_eq!(under(&|layer| layer["memory_policy"]["scope"] = json!("subject"), any()), ["any_subject"]);
    assert_eq!(
        under(&|layer| layer["memory_policy"]["write_classes_allowed"] = json!([]), any()),
        ["class_not_allowed"]
    );
    let allow = |layer: &mut Value| {
        layer["memory_policy"]["consent_gating"]["pii_write_back_allowed"] = json!(true);
    };
    assert_eq!(under(&allow, personal(Value::Null)), ["missing_consent"]);
    assert_eq!(under(&allow, personal(json!("consent:1"))), [""; 0]);
    let silent = |layer: &mut Value| drop(layer["memory_policy"].as_object_mut().unwrap().remove("consent_gating"));
    assert_eq!(under(&silent, personal(json!("consent:1"))), ["personal_data_not_allowed"]);
    let sure = || vec![memory(&json!({ "confidence": 1.0 }))];
    assert_eq!(under(&|_| {}, sure()), [""; 0]);
    let strict = |layer: &mut Value| drop(layer.as_object_mut().unwrap().remove("promotion_thresholds"));
    assert_eq!(under(&strict, sure()), ["below_confidence"]);
}

#[test]
fn the_cap_keeps_the_newest_and_ties_go_by_id() {
    let mut pack = support_pack();
    pack["memory_layer"]["recall_policy"] = json!({ "max_per_intent": 2 });
    let of = |id: &str, day: u32| memory(&json!({ "id": id, "promoted_at": format!("2026-05-0{day}T00:00:00Z") }));
    let kept = |items: Vec<Value>| -> Vec<String> {
        let all = recalled(&pack, items);
        assert!(all.iter().all(|(_, reasons)| reasons.is_empty() || *reasons == ["over_cap"]));
        all.into_iter().filter(|(_, reasons)| reasons.is_empty()).map(|(id, _)| id).collect()
    };
    assert_eq!(kept(vec![of("a", 1), of("b", 2), of("c", 3)]), ["c", "b"]);
    assert_eq!(kept(vec![of("d", 1), of("b", 1), of("a", 1), of("c", 2)]), ["c", "a"]);
    // What is rejected anyway takes no place.
    let rejected = memory(&json!({ "id": "x", "promoted_at": "2026-05-08T00:00:00Z", "tenant_id": "other" }));
    let all = recalled(&pack, vec![of("a", 1), rejected, of("b", 2)]);
    assert_eq!(all.iter().filter(|(_, reasons)| reasons.is_empty()).count(), 2);
    pack["memory_layer"]["recall_policy"] = json!({ "max_per_intent": 0 });
    assert_eq!(recalled(&pack, vec![of("a", 1)]), [("a".to_owned(), vec!["over_cap"])]);
}

#[test]
fn repeated_ids() {
    let pack = support_pack();
    let own = memory(&json!({}));
    let other = memory(&json!({ "text": "other" }));
    let reasons = |items| recalled(&pack, items).into_iter().map(|(_, reasons)| reasons).collect::<Vec<_>>();
    assert_eq!(reasons(vec![own.clone(), own.clone()]), [vec![], vec!["repeated_id"]]);
    assert_eq!(reasons(vec![own, other]), [vec!["repeated_id"], vec!["repeated_id"]]);
}

// ---- budget

fn allocated(pack: &Value, budget: Value) -> (u64, u64, [u64; 6], Vec<String>) {
    let raw = edited(|raw| raw.run["run_budget"] = budget);
    with(&hydrate(pack), &raw, |context| {
        let report = &context.budget_report;
        let by = BUCKETS.map(|bucket| report.tokens_allocated.get(bucket.parse().unwrap()));
        (report.tokens_total, report.head_tokens.sum(), by, report.warnings.iter().map(ToString::to_string).collect())
    })
}

#[test]
fn a_map_stands_as_given_and_a_bucket_left_out_has_none() {
    let map = json!({ "business": 100, "policy": 200, "tool": 300, "evidence": 400, "memory": 500 });
    let (total, head, by, warnings) = allocated(&support_pack(), json!({ "bucket_tokens": map }));
    assert_eq!((total, by), (head + 1500, [100, 200, 300, 400, 500, 0]));
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("`session`"), "{warnings:?}");
    let (_, _, _, warnings) = allocated(&support_pack(), json!({ "bucket_tokens": { "policy": 200 } }));
    assert_eq!(warnings.len(), 5);
}

/// By hand, from the shares in percent.
fn largest_remainder(rest: u64, percent: [u64; 6]) -> [u64; 6] {
    let mut parts = percent.map(|p| rest * p / 100);
    let mut order: Vec<usize> = (0..6).collect();
    order.sort_by_key(|i| (std::cmp::Reverse(rest * percent[*i] % 100), *i));
    let left = rest - parts.iter().sum::<u64>();
    order.into_iter().take(usize::try_from(left).unwrap()).for_each(|i| parts[i] += 1);
    parts
}

#[test]
fn a_number_is_split_by_largest_remainder() {
    let by_default = [10, 20, 15, 30, 15, 10];
    for total in 2_000..2_021 {
        let (own, head, by, warnings) = allocated(&support_pack(), json!({ "bucket_tokens": total }));
        assert_eq!((own, by), (total, largest_remainder(total - head, by_default)));
        assert_eq!(head + by.iter().sum::<u64>(), total);
        assert_eq!(warnings, [""; 0]);
    }
    let mut pack = support_pack();
    let split =
        json!({ "business": 0.05, "policy": 0.35, "tool": 0.1, "evidence": 0.29, "memory": 0.07, "session": 0.14 });
    pack["budget_layer"] = json!({ "splits": { "support.refund": split } });
    for total in 2_000..2_021 {
        let (_, head, by, _) = allocated(&pack, json!({ "bucket_tokens": total }));
        assert_eq!(by, largest_remainder(total - head, [5, 35, 10, 29, 7, 14]));
    }
}

/// Lint refuses such a pack; a compile says so and shares out by default.
#[test]
fn a_split_that_does_not_sum_to_one_is_not_used() {
    let whole =
        json!({ "business": 0.05, "policy": 0.35, "tool": 0.1, "evidence": 0.29, "memory": 0.07, "session": 0.14 });
    let with_session = |part: Value| {
        let mut pack = support_pack();
        pack["budget_layer"] = json!({ "splits": { "support.refund": whole } });
        pack["budget_layer"]["splits"]["support.refund"]["session"] = part;
        allocated(&pack, json!({ "bucket_tokens": 2_000 }))
    };
    for part in [json!(0.13), json!(0.15), json!(0.140001), json!(1.14), json!(0)] {
        let (total, head, by, warnings) = with_session(part.clone());
        assert_eq!((total, by), (2_000, largest_remainder(2_000 - head, [10, 20, 15, 30, 15, 10])), "{part}");
        assert_eq!(warnings.len(), 1, "{part}");
        assert!(warnings[0].contains("does not sum to 1"), "{warnings:?}");
    }
    let (_, head, by, warnings) = with_session(json!(0.14));
    assert_eq!((by, warnings.len()), (largest_remainder(2_000 - head, [5, 35, 10, 29, 7, 14]), 0));
    // One for another intent is not looked at.
    let mut pack = support_pack();
    pack["budget_layer"] = json!({ "splits": { "support.other": { "business": 0.5 } } });
    assert_eq!(allocated(&pack, json!({ "bucket_tokens": 2_000 })).3, [""; 0]);
}

#[test]
fn without_a_budget_the_pack_decides_and_then_8000() {
    let mut pack = support_pack();
    let nothing = [json!({}), json!({ "bucket_tokens": null })];
    for budget in nothing.clone() {
        let (total, head, by, _) = allocated(&pack, budget);
        assert_eq!((total, by), (8000, largest_remainder(8000 - head, [10, 20, 15, 30, 15, 10])));
    }
    pack["budget_layer"] = json!({ "default_total": 5000 });
    for budget in nothing {
        assert_eq!(allocated(&pack, budget).0, 5000);
    }
    assert_eq!(allocated(&pack, json!({ "bucket_tokens": 3000 })).0, 3000);
}

#[test]
fn a_head_larger_than_the_total_refuses() {
    let pack = support();
    let head = with(&pack, &edited(|_| ()), |context| context.budget_report.head_tokens.sum());
    let total = |total: u64| edited(|raw| raw.run["run_budget"] = json!({ "bucket_tokens": total }));
    refuses(&pack, &total(head - 1), "D1514", Some(Stage::Budget));
    refuses(&pack, &total(0), "D1514", Some(Stage::Budget));
    // The head alone fits, and then there is no room for policy.
    refuses(&pack, &total(head), "D1515", Some(Stage::Buckets));
}

#[test]
fn policy_that_does_not_fit_refuses() {
    let pack = support();
    let used = with(&pack, &edited(|_| ()), |context| context.budget_report.tokens_used_by_bucket.policy);
    let policy = |tokens: u64| edited(|raw| raw.run["run_budget"]["bucket_tokens"]["policy"] = json!(tokens));
    refuses(&pack, &policy(used - 1), "D1515", Some(Stage::Buckets));
    with(&pack, &policy(used), |context| assert_eq!(context.budget_report.tokens_used_by_bucket.policy, used));
}

#[test]
fn an_unknown_bucket_refuses() {
    let raw = edited(|raw| raw.run["run_budget"]["bucket_tokens"]["evidnce"] = json!(5));
    let (code, stage, help) = refusal(&support(), &raw);
    assert_eq!((code.as_str(), stage), ("D1516", Some(Stage::Budget)));
    assert!(help.contains("`evidence`"), "{help}");
}

// ---- intents, tenants, references

#[test]
fn intents() {
    let pack = support();
    refuses(&pack, &edited(|raw| raw.run["intent"] = json!("support.other")), "D1512", Some(Stage::Intent));
    with(&pack, &edited(|raw| raw.run["intent"] = json!("support.refund")), |_| ());
    let (code, stage, help) = refusal(&pack, &edited(|raw| raw.request["input"]["intent"] = json!("suport.refund")));
    assert_eq!((code.as_str(), stage), ("D1511", Some(Stage::Intent)));
    assert!(help.contains("did you mean") && help.contains("`support.refund`"), "{help}");
    let (code, _, help) = refusal(&pack, &edited(|raw| raw.request["input"]["intent"] = json!("billing")));
    assert_eq!(code, "D1511");
    assert!(help.contains("`support.refund`"), "{help}");
    // A catalogue takes the place of the score targets.
    let mut own = support_pack();
    own["intent_layer"] = json!({ "catalog": [{ "id": "support.other", "intent_class": "c", "task_id": "t" }] });
    refuses(&hydrate(&own), &edited(|_| ()), "D1511", Some(Stage::Intent));
    with(&hydrate(&own), &edited(|raw| raw.request["input"]["intent"] = json!("support.other")), |context| {
        let intent = &context.context_ledger.intent;
        assert_eq!((intent.class.as_deref(), intent.task.as_deref()), (Some("c"), Some("t")));
    });
}

#[test]
fn tenants() {
    let other = || edited(|raw| raw.run["tenant_id"] = json!("tenant_other"));
    refuses(&support(), &other(), "D1504", None);
    refuses(&support(), &edited(|raw| raw.request["tenant_id"] = json!("tenant_other")), "D1504", None);
    with(&support(), &edited(|raw| raw.request["tenant_id"] = json!(TENANT)), |_| ());
    let mut pack = support_pack();
    pack["pack_meta"]["shared"] = json!(true);
    // A shared pack serves; evidence and memory still belong to the run's tenant.
    with(&hydrate(&pack), &other(), |context| {
        assert!(context.manifests.evidence_manifest.is_empty());
        assert!(context.context_ledger.evidence.iter().all(|e| e.reasons[0].as_str() == "other_tenant"));
        assert!(context.context_ledger.memory.iter().all(|m| m.reasons[0].as_str() == "other_tenant"));
    });
    refuses(&hydrate(&pack), &edited(|raw| raw.request["tenant_id"] = json!("tenant_other")), "D1504", None);
}

#[test]
fn compatibility() {
    let requiring = |requires: Value| {
        let mut pack = support_pack();
        pack["contract_meta"]["compatibility"]["requires"] = requires;
        hydrate(&pack)
    };
    let example = || edited(|_| ());
    let offering = |components: Value| edited(|raw| raw.run["components"] = components);
    with(&requiring(json!({})), &example(), |_| ());
    refuses(&requiring(json!({ "runtime": ">=2.0.0" })), &example(), "D1505", None);
    refuses(&requiring(json!({ "runtime": "what" })), &example(), "D1505", None);
    refuses(&requiring(json!({ "ontology": ">=2.0.0" })), &example(), "D1505", None);
    refuses(&requiring(json!({ "search": ">=1.0.0" })), &example(), "D1505", None);
    refuses(&requiring(json!({ "search": ">=1.0.0" })), &offering(json!({ "search": "0.9.0" })), "D1505", None);
    refuses(&requiring(json!({ "search": ">=1.0.0" })), &offering(json!({ "search": "new" })), "D1505", None);
    with(&requiring(json!({ "search": ">=1.0.0" })), &offering(json!({ "search": "1.2.0" })), |_| ());
    refuses(&requiring(json!({ "runtime": ">=1.0.0" })), &offering(json!({ "runtime": "0.1.0" })), "D1505", None);
}

#[test]
fn ontologies() {
    let pack = support();
    let there = |ontologies: Value| edited(|raw| raw.run["ontologies"] = ontologies);
    for missing in
        [json!({}), json!({ "ont.support": [] }), json!({ "ont.support": ["1.0.1"] }), json!({ "ont": ["1.0.0"] })]
    {
        refuses(&pack, &there(missing), "D1506", None);
    }
    with(&pack, &there(json!({ "ont.support": ["0.9.0", "1.0.0"] })), |context| {
        assert!(context.context_ledger.notices.is_empty());
    });
    let silent = edited(|raw| drop(raw.run.as_object_mut().unwrap().remove("ontologies")));
    with(&pack, &silent, |context| assert_eq!(context.context_ledger.notices[0].code, "D1520"));
}

#[test]
fn references() {
    let (plain, staged) = (bundle("packs/support"), bundle("packs/support"));
    let (plain, staged) = (hydrated(&plain, &[]), hydrated(&staged, &["staging"]));
    let refs = |refs: Value| edited(|raw| raw.request["context_pack_refs"] = refs);
    let (base, staging) = ("ctxpack.support@1.0.0", "ctxpack.support.staging@1.0.0");
    with(&plain, &refs(json!([])), |_| ());
    with(&plain, &refs(json!([base])), |_| ());
    with(&staged, &refs(json!([base, staging])), |context| {
        assert_eq!(context.context_ledger.overlays.len(), 1);
    });
    refuses(&plain, &refs(json!(["ctxpack.support"])), "D1501", None);
    refuses(&plain, &refs(json!(["ctxpack.support@1.0"])), "D1501", None);
    refuses(&plain, &refs(json!(["ctxpack.support@1.0.1"])), "D1502", None);
    refuses(&plain, &refs(json!(["ctxpack.other@1.0.0"])), "D1502", None);
    refuses(&plain, &refs(json!([staging, base])), "D1502", None);
    // Declared and not applied, not declared, another version, no reference at all.
    refuses(&plain, &refs(json!([base, staging])), "D1503", None);
    refuses(&staged, &refs(json!([base, "ctxpack.support.nightly@1.0.0"])), "D1503", None);
    refuses(&staged, &refs(json!([base, "ctxpack.support.staging@1.0.1"])), "D1503", None);
    refuses(&staged, &refs(json!([base, "staging"])), "D1503", None);
    refuses(&staged, &refs(json!([base, "ctxpack.other@1.0.0"])), "D1503", None);
    // The run may name them too, and is held to it likewise.
    refuses(&plain, &edited(|raw| raw.run["context_pack_refs"] = json!(["ctxpack.other@1.0.0"])), "D1502", None);
}

#[test]
fn another_tokenizer_refuses() {
    refuses(&support(), &edited(|raw| raw.run["tokenizer"] = json!("o200k_base")), "D1508", None);
    with(&support(), &edited(|raw| raw.run["tokenizer"] = json!("bytes/4")), |_| ());
}

// ---- policy

fn with_rules(rules: Value, edit: impl FnOnce(&mut Value)) -> Hydrated {
    let mut pack = support_pack();
    pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"] = rules;
    pack["policy_layer"]["approval_gates"][0]["when"] = json!(false);
    edit(&mut pack);
    hydrate(&pack)
}

#[test]
fn a_deny_leaves_the_surface_as_it_is() {
    let allows = with_rules(json!([{ "rule_id": "R", "if": true, "then": { "allow": true } }]), |_| ());
    let denies = with_rules(json!([{ "rule_id": "R", "if": true, "then": { "allow": false } }]), |_| ());
    let raw = edited(|_| ());
    let surface = |pack: &Hydrated| {
        with(pack, &raw, |c| (c.outcome.as_str(), json!([c.manifests.tool_manifest, c.context_ledger.tools])))
    };
    let ((first, before), (second, after)) = (surface(&allows), surface(&denies));
    assert_eq!((first, second), ("compiled", "must_refuse"));
    assert_eq!(before, after);
}

#[test]
fn labels_stand_and_change_no_outcome() {
    let labels = with_rules(json!([]), |_| ());
    with(&labels, &edited(|_| ()), |context| {
        assert_eq!(context.outcome.as_str(), "compiled");
        assert_eq!(context.runtime_controls.must_refuse, ["refund_without_identity"]);
        assert_eq!(context.runtime_controls.must_escalate, ["fraud_signal_high"]);
    });
    let object = |when: Value| json!([{ "id": "G", "when": when }]);
    for (list, when, outcome) in [
        ("must_refuse", json!(true), "must_refuse"),
        ("must_refuse", json!(false), "compiled"),
        ("must_refuse", json!({ "var": "nowhere" }), "must_refuse"),
        ("must_escalate", json!(true), "must_escalate"),
        ("must_escalate", json!({ "what": [] }), "must_escalate"),
        ("must_escalate", json!(false), "compiled"),
    ] {
        let pack = with_rules(json!([]), |pack| pack["policy_layer"]["guardrails"][list] = object(when.clone()));
        with(&pack, &edited(|_| ()), |context| {
            assert_eq!(context.outcome.as_str(), outcome, "{list} {when}");
            let controls = json!(context.runtime_controls);
            assert_eq!(controls[list] == json!(["G"]), outcome != "compiled", "{controls}");
        });
    }
}

#[test]
fn approval_without_a_gate_escalates() {
    for (then, outcome, entries, gates) in [
        (json!({ "requires": ["approval"] }), "must_escalate", vec!["fraud_signal_high", "rule:R"], vec![]),
        (json!({ "requires": ["order_lookup"] }), "compiled", vec!["fraud_signal_high"], vec![]),
        (
            json!({ "requires": ["approval"], "requires_approval_gate": "GATE_FINANCE_APPROVAL" }),
            "must_escalate",
            vec!["fraud_signal_high"],
            vec!["GATE_FINANCE_APPROVAL"],
        ),
    ] {
        let pack = with_rules(json!([{ "rule_id": "R", "if": true, "then": then }]), |_| ());
        with(&pack, &edited(|_| ()), |context| {
            assert_eq!(context.outcome.as_str(), outcome, "{then}");
            assert_eq!(context.runtime_controls.must_escalate, entries);
            assert_eq!(context.runtime_controls.approval_gates_active, gates);
        });
    }
}

/// The surface is judged by the declared mode alone; rules lower what is reported, and never let a tool in.
#[test]
fn modes_by_policy() {
    let setting = |modes: &[&str]| {
        let rule = |(i, mode): (usize, &&str)| {
            json!({ "rule_id": format!("R_{i}"), "if": true,
                "then": { "approval_mode": mode, "capabilities": ["adp_payments.issue_refund"] } })
        };
        let rules = modes.iter().enumerate().map(rule).collect();
        with_rules(rules, |pack| pack["tooling_layer"]["adapter_registry"][2]["approval_mode"] = json!("delegated"))
    };
    let mode = |pack: &Hydrated| {
        with(pack, &edited(|_| ()), |c| {
            c.manifests.tool_manifest[2].capability_metadata["issue_refund"].approval_mode.to_string()
        })
    };
    assert_eq!(mode(&setting(&[])), "delegated");
    assert_eq!(mode(&setting(&["read_only"])), "read_only");
    assert_eq!(mode(&setting(&["network", "read_only", "local_write"])), "network");
    assert_eq!(mode(&setting(&["destructive"])), "delegated");
    let lowered = setting(&["read_only"]);
    with(&lowered, &edited(|raw| raw.run["safety_mode"] = json!("network")), |context| {
        let hidden = &context.context_ledger.tools[2].hidden_by;
        assert_eq!(hidden.iter().map(|h| h.check.as_str()).collect::<Vec<_>>(), ["safety_mode"]);
    });
    with(&setting(&["destructive"]), &edited(|_| ()), |context| {
        assert!(context.context_ledger.notices.iter().any(|n| n.code == "D1522"));
    });
}

/// A permission's gate needs the approval exactly while the gate is active.
#[test]
fn a_permission_is_gated_while_its_gate_is_active() {
    let gates = |amount: u64| {
        let raw = edited(|raw| raw.request["input"]["context"]["refund_amount"] = json!(amount));
        with(&support(), &raw, |c| {
            let metadata = &c.manifests.tool_manifest[2].capability_metadata["issue_refund"];
            metadata.approval_gates.iter().map(ToString::to_string).collect::<Vec<_>>()
        })
    };
    assert_eq!(gates(3001), ["GATE_FINANCE_APPROVAL"]);
    assert_eq!(gates(3000), [""; 0]);
}

/// Lint refuses a name that stands twice. Where it does, a rule means every bearer of it: none slips through.
#[test]
fn a_name_that_stands_twice_is_forbidden_twice() {
    let twice = |pack: &mut Value| {
        let adapters = pack["tooling_layer"]["adapter_registry"].as_array_mut().unwrap();
        let mut again = adapters[2].clone();
        again["endpoint_ref"] = json!("internal://elsewhere");
        adapters.push(again);
        // And twice within one adapter.
        adapters[0]["capabilities"] = json!(["lookup", "lookup"]);
    };
    let forbidden = ["adp_payments.issue_refund", "adp_orders.lookup"];
    let hidden = |rules: Value, alias: &str| {
        with(&with_rules(rules, twice), &edited(|_| ()), |c| {
            let named = |t: &&deed_model::LedgerCapability<'_>| t.adapter_id != "adp_policy";
            let tools: Vec<bool> = c.context_ledger.tools.iter().filter(named).map(|t| !t.surfaced).collect();
            assert_eq!(tools.len(), 4, "{alias}");
            tools
        })
    };
    assert_eq!(hidden(json!([]), "-"), [false; 4]);
    for alias in ["forbids", "prohibits"] {
        let rules = json!([{ "rule_id": "R", "if": true, "then": { alias: forbidden } }]);
        assert_eq!(hidden(rules, alias), [true; 4]);
    }
    // What a rule says of the name it says of all.
    let rules = json!([{ "rule_id": "R", "if": true, "then": { "requires_approval_gate": "GATE_FINANCE_APPROVAL",
        "capabilities": ["adp_orders.lookup"] } }]);
    with(&with_rules(rules, twice), &edited(|_| ()), |c| {
        let entry = c.manifests.tool_manifest.iter().find(|e| e.adapter_id == "adp_orders").unwrap();
        assert_eq!(entry.capability_metadata["lookup"].approval_gates, ["GATE_FINANCE_APPROVAL"]);
    });
}

#[test]
fn a_gate_that_is_not_declared_is_named_by_all_who_demand_it() {
    let rule = |id: &str, gate: &str| json!({ "rule_id": id, "if": true, "then": { "requires_approval_gate": gate } });
    let silent = json!({ "rule_id": "R_3", "if": false, "then": { "requires_approval_gate": "G_NOWHERE" } });
    let declared = "GATE_FINANCE_APPROVAL";
    let rules = json!([rule("R_1", "G_NOWHERE"), rule("R_2", declared), silent, rule("R_4", "G_NOWHERE")]);
    with(&with_rules(rules, |_| ()), &edited(|_| ()), |context| {
        let controls: Vec<(&str, bool, Vec<&str>)> = context
            .context_ledger
            .controls
            .iter()
            .map(|c| (c.id.as_ref(), c.active, c.named_by.iter().map(AsRef::as_ref).collect()))
            .collect();
        assert_eq!(controls, [(declared, true, vec!["R_2"]), ("G_NOWHERE", true, vec!["R_1", "R_4"])]);
        let notices: Vec<&str> = context.context_ledger.notices.iter().map(|n| n.code.as_ref()).collect();
        assert_eq!(notices, ["D1525"]);
        assert_eq!(context.runtime_controls.approval_gates_active, [declared, "G_NOWHERE"]);
        assert_eq!(context.outcome.as_str(), "must_escalate");
    });
}

/// A call must pass the gates of its permission while they are active, and those of the rules that speak of it.
#[test]
fn rules_that_speak_of_a_capability_gate_it() {
    let rule = |id: &str, then: Value| json!({ "rule_id": id, "if": true, "then": then });
    let refund = json!(["adp_payments.issue_refund"]);
    let cases = [
        // A rule that speaks of nobody gates the run, and the permission that names the same gate.
        (json!({ "requires_approval_gate": "GATE_FINANCE_APPROVAL" }), vec!["GATE_FINANCE_APPROVAL"]),
        (json!({ "requires_approval_gate": "G_LEAD" }), vec![]),
        (json!({ "requires_approval_gate": "G_LEAD", "capabilities": refund }), vec!["G_LEAD"]),
        (json!({ "requires_approval_gate": "G_LEAD", "capabilities": ["adp_orders.lookup"] }), vec![]),
        (
            json!({ "requires_approval_gate": "GATE_FINANCE_APPROVAL", "capabilities": refund }),
            vec!["GATE_FINANCE_APPROVAL"],
        ),
    ];
    let gates = |rules: Value| {
        let pack = with_rules(rules, |pack| {
            let gates = pack["policy_layer"]["approval_gates"].as_array_mut().unwrap();
            gates.push(
                json!({ "gate_id": "G_LEAD", "when": false, "required_approver_role": "lead", "ttl_seconds": 60 }),
            );
        });
        with(&pack, &edited(|_| ()), |c| {
            let metadata = &c.manifests.tool_manifest[2].capability_metadata["issue_refund"];
            metadata.approval_gates.iter().map(ToString::to_string).collect::<Vec<_>>()
        })
    };
    for (then, expected) in &cases {
        assert_eq!(gates(json!([rule("R", then.clone())])), *expected, "{then}");
    }
    let both =
        json!([rule("R_1", cases[2].0.clone()), rule("R_2", cases[0].0.clone()), rule("R_3", cases[2].0.clone())]);
    assert_eq!(gates(both), ["GATE_FINANCE_APPROVAL", "G_LEAD"]);
}
