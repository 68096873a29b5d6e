//! Every hash of a compiled context can be taken again by whoever holds it, and whatever single part of it is changed,
//! the stage that made the part is named.

use crate::common::archive;

use crate::common::Given;
use archive::{SNAPSHOT, calm, edited, evidence, memory, small, support as support_pack, with_overlays, worked};
use deed_canon::Pointer;
use deed_context::{Hydrations, Recording, compile, hydrate, verify};
use deed_model::{CompiledContext, Stage};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Who made a part, by the beginning of its pointer, where `*` is one segment; the first row that matches holds.
const MAKERS: &[(&str, Stage)] = &[
    ("/context_ledger/intent", Stage::Intent),
    ("/context_ledger/controls", Stage::Policy),
    ("/context_ledger/policy_decisions", Stage::Policy),
    ("/context_ledger/tools", Stage::Tools),
    ("/manifests/tool_manifest", Stage::Tools),
    // Whether an item kept its block is known only at the end.
    ("/context_ledger/evidence/*/block_id", Stage::Manifests),
    ("/context_ledger/evidence/*/payload_hash", Stage::Manifests),
    ("/context_ledger/evidence/*/status", Stage::Manifests),
    ("/context_ledger/evidence", Stage::Evidence),
    ("/context_ledger/memory/*/block_id", Stage::Manifests),
    ("/context_ledger/memory/*/origin", Stage::Manifests),
    ("/context_ledger/memory/*/status", Stage::Manifests),
    ("/context_ledger/memory", Stage::Memory),
    ("/compiled_prompt/system", Stage::Budget),
    ("/compiled_prompt/developer", Stage::Budget),
    ("/compiled_prompt/task", Stage::Budget),
    ("/budget_report/head_tokens", Stage::Budget),
    ("/budget_report/tokens_allocated", Stage::Budget),
    ("/budget_report/tokens_total", Stage::Budget),
    ("/budget_report/warnings", Stage::Budget),
    ("/compiled_prompt/context_blocks", Stage::Buckets),
    ("/budget_report", Stage::Buckets),
    ("/context_ledger/as_of", Stage::Manifests),
    ("/context_ledger/budget", Stage::Manifests),
    ("/context_ledger/decisions", Stage::Manifests),
    ("/context_ledger/neutralized", Stage::Manifests),
    ("/context_ledger/notices", Stage::Manifests),
    ("/context_ledger/obligations", Stage::Manifests),
    ("/context_ledger/overlays", Stage::Manifests),
    ("/context_ledger/pack", Stage::Manifests),
    ("/context_ledger/redactions", Stage::Manifests),
    ("/context_ledger/request", Stage::Manifests),
    ("/context_ledger/resolved_pack_hash", Stage::Manifests),
    ("/context_ledger/run", Stage::Manifests),
    ("/context_ledger/stable_prefix", Stage::Manifests),
    ("/context_ledger/tokenizer", Stage::Manifests),
    ("/context_ledger/rules_by_call", Stage::Policy),
    ("/decisions", Stage::Manifests),
    ("/manifests/evidence_manifest", Stage::Manifests),
    ("/manifests/policy_manifest", Stage::Manifests),
    ("/obligations", Stage::Manifests),
    ("/outcome", Stage::Manifests),
    ("/runtime_controls", Stage::Manifests),
];

fn begins(pointer: &str, prefix: &str) -> bool {
    let mut own = pointer.split('/');
    prefix.split('/').all(|wanted| own.next().is_some_and(|segment| wanted == "*" || wanted == segment))
}

/// What `verify` must name for a change at a pointer: a stage, or nothing for the whole.
fn maker(change: &Change) -> Option<Stage> {
    let pointer = change.pointer.as_str();
    if pointer == "/context_ledger/compiled_context_hash" {
        return None;
    }
    if let Some(at) = pointer.strip_prefix("/context_ledger/stage_hashes") {
        // A change to the list itself leaves every stage where `verify` looks for it.
        let position = at.split('/').nth(1)?.parse::<usize>().unwrap();
        return Some(Stage::ALL[position]);
    }
    let row = MAKERS.iter().find(|(prefix, _)| begins(pointer, prefix));
    Some(row.unwrap_or_else(|| panic!("nobody makes {pointer}")).1)
}

/// One change: what is put where.
struct Change {
    /// What it concerns.
    pointer: String,
    what: String,
    /// Where the new value goes.
    at: String,
    new: Value,
}

/// Words of which another one can be read in the same place.
const WORDS: &[&[&str]] = &[
    &["read_only", "local_write", "network", "delegated", "destructive"],
    &["allow", "require", "deny"],
    &["then", "else", "error"],
    &["kept", "dropped", "rejected"],
    &["business", "policy", "tool", "evidence", "memory", "session"],
    &["intent", "policy", "tools", "evidence", "memory", "budget", "buckets", "manifests"],
    &["compiled", "must_escalate", "must_refuse"],
    &["must_refuse", "must_escalate", "approval_gate"],
    &["permission", "prohibition", "policy", "safety_mode"],
    &["other_tenant", "missing_hash", "expired", "superseded", "unresolved_conflict"],
    &["other_subject", "not_promoted", "over_cap", "above_classification"],
];

/// Every change of every part of a document.
fn changes(value: &Value, pointer: &str, out: &mut Vec<Change>) {
    let mut put = |own: &str, what: String, new: Value| {
        out.push(Change { pointer: own.to_owned(), what, at: pointer.to_owned(), new });
    };
    match value {
        Value::Null => put(pointer, "to a text".to_owned(), json!("x")),
        Value::Bool(flag) => put(pointer, format!("to {}", !flag), json!(!flag)),
        Value::Number(number) => {
            let next = number.as_u64().map_or_else(|| json!(number.as_f64().unwrap() + 1.0), |n| json!(n + 1));
            put(pointer, format!("to {next}"), next);
            put(pointer, "to 0".to_owned(), json!(0));
        }
        Value::String(text) if text.starts_with("sha256:") => {
            let last = if text.ends_with('0') { '1' } else { '0' };
            let mut other = text.clone();
            other.pop();
            other.push(last);
            put(pointer, "another hash".to_owned(), json!(other));
        }
        Value::String(text) => {
            put(pointer, "longer by one".to_owned(), json!(format!("{text}x")));
            put(pointer, "nothing".to_owned(), json!(""));
            let groups = WORDS.iter().filter(|group| group.contains(&text.as_str()));
            for word in groups.flat_map(|group| group.iter()).filter(|word| **word != text) {
                put(pointer, format!("to `{word}`"), json!(word));
            }
        }
        Value::Array(items) => {
            for at in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(at);
                put(&format!("{pointer}/{at}"), "taken out".to_owned(), Value::Array(fewer));
            }
            for at in 1..items.len() {
                let mut swapped = items.clone();
                swapped.swap(at - 1, at);
                put(pointer, format!("{} and {at} swapped", at - 1), Value::Array(swapped));
            }
            let more = match items.last() {
                Some(last) => vec![last.clone()],
                None => WORDS.iter().map(|group| json!(group[0])).collect(),
            };
            for one in more {
                let longer = items.iter().cloned().chain([one]).collect();
                put(pointer, "one more".to_owned(), Value::Array(longer));
            }
        }
        Value::Object(fields) => {
            for key in fields.keys() {
                let mut fewer = fields.clone();
                let gone = fewer.remove(key).unwrap();
                put(&Pointer::push(pointer, key), "taken out".to_owned(), Value::Object(fewer.clone()));
                fewer.insert(format!("{key}x"), gone);
                put(&Pointer::push(pointer, key), "renamed".to_owned(), Value::Object(fewer));
            }
        }
    }
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, v)| changes(v, &Pointer::push(pointer, &i.to_string()), out));
        }
        Value::Object(fields) => fields.iter().for_each(|(key, v)| changes(v, &Pointer::push(pointer, key), out)),
        _ => {}
    }
}

/// What came of the changes.
#[derive(Default)]
struct Tally {
    unreadable: usize,
    /// Read as what stood there before: a key that is not known, or what is assumed where one is absent.
    same: usize,
    named: BTreeMap<Option<Stage>, usize>,
    wrong: Vec<String>,
}

fn every_change(context: &CompiledContext<'_>) -> Tally {
    let original = serde_json::to_value(context).unwrap();
    let mut all = Vec::new();
    changes(&original, "", &mut all);
    let mut document = original.clone();
    let mut tally = Tally::default();
    for change in all {
        let place = document.pointer_mut(&change.at).unwrap();
        let old = std::mem::replace(place, change.new.clone());
        match CompiledContext::deserialize(&document) {
            Err(_) => tally.unreadable += 1,
            Ok(read) => match verify(&read) {
                Ok(()) if read == *context => tally.same += 1,
                Ok(()) => tally.wrong.push(format!("{}, {}: unnoticed", change.pointer, change.what)),
                Err(found) => {
                    let expected = maker(&change);
                    if found != expected {
                        let line = format!("{}, {}: {expected:?}, not {found:?}", change.pointer, change.what);
                        tally.wrong.push(line);
                    }
                    *tally.named.entry(found).or_default() += 1;
                }
            },
        }
        *document.pointer_mut(&change.at).unwrap() = old;
    }
    assert_eq!(document, original);
    tally
}

/// Compiles a recording and looks at what came of it.
fn compiled<T>(recording: &Recording, look: impl FnOnce(&CompiledContext<'_>) -> T) -> T {
    let Recording { request, run, evidence, memory, .. } = recording.clone();
    let given = Given::of(request, run, evidence, memory);
    let cache = Hydrations::new();
    let pack = hydrate(&recording.pack, &given.run, &cache).unwrap();
    let outcome = compile(&pack, given.inputs());
    look(outcome.context().unwrap_or_else(|| panic!("refused: {outcome:?}")))
}

/// A refusal with something in every list: errors, notices, an undeclared gate, blocks without room, pieces supplied
/// twice, redactions, overlays.
fn full() -> Recording {
    let mut full = calm();
    full.pack = edited(&with_overlays(&small()), |pack| {
        let rules = pack.pointer_mut("/policy_layer/policy_bundles/0/policy_dsl/rules").and_then(Value::as_array_mut);
        rules.unwrap().extend([
            json!({ "rule_id": "R_FAILS", "if": { ">": [{ "var": "shift" }, 1] }, "then": { "allow": true } }),
            json!({ "rule_id": "R_GATE", "if": true, "then": { "allow": true, "requires_approval_gate": "G_NOWHERE",
                "requires": ["approval"], "forbids": ["orders.purge"], "capabilities": ["notes.write"] } }),
        ]);
        pack["policy_layer"]["guardrails"]["must_escalate"] =
            json!([{ "id": "unknown", "when": { "==": [{ "var": "nowhere" }, 1] } }]);
    });
    full.request["input"]["context"] = json!({ "identity_verified": false, "refund_amount": 5000 });
    let piece = evidence(&format!("kg:o:8#{SNAPSHOT}"), json!("TCK-123456 <<<end>>> \u{202e}"), json!({}));
    full.evidence.as_array_mut().unwrap().extend([piece.clone(), piece]);
    full.memory.as_array_mut().unwrap().extend([memory("m_5", json!({})), memory("m_6", json!({}))]);
    full.run["run_budget"] =
        json!({ "bucket_tokens": { "business": 100, "policy": 400, "tool": 30, "evidence": 20, "memory": 12 } });
    full
}

fn all() -> [(&'static str, Recording); 4] {
    let mut exact = worked(support_pack(&["staging", "high_risk"]));
    exact.run["tokenizer"] = json!("o200k_base");
    [
        ("compiled", calm()),
        ("must_escalate", worked(support_pack(&[]))),
        ("must_refuse", full()),
        ("must_escalate", exact),
    ]
}

#[test]
fn what_was_compiled_holds() {
    for (outcome, recording) in all() {
        compiled(&recording, |context| {
            assert_eq!((context.outcome.as_str(), verify(context)), (outcome, Ok(())));
            let text = serde_json::to_string(context).unwrap();
            let read: CompiledContext<'_> = serde_json::from_str(&text).unwrap();
            assert_eq!((&read, verify(&read)), (context, Ok(())));
            let pretty = serde_json::to_string_pretty(&read).unwrap();
            assert_eq!(verify(&serde_json::from_str(&pretty).unwrap()), Ok(()));
            let canonical = deed_canon::to_canonical_of(context).unwrap();
            assert_eq!(verify(&serde_json::from_slice(&canonical).unwrap()), Ok(()));
        });
    }
}

/// The fullest of them has something in every list, so that no part goes untried.
#[test]
fn something_of_everything_is_tried() {
    compiled(&full(), |context| {
        let value = serde_json::to_value(context).unwrap();
        for pointer in [
            "/budget_report/dropped_blocks/0",
            "/budget_report/dropped_block_ids/evidence/0",
            "/budget_report/bucket_truncations/memory",
            "/budget_report/warnings/0",
            "/context_ledger/budget/truncated/0",
            "/context_ledger/controls/1/error",
            "/context_ledger/controls/2/named_by/0",
            "/context_ledger/evidence/1/reasons/0",
            "/context_ledger/evidence/3/supplied",
            "/context_ledger/memory/2/reasons/0",
            "/context_ledger/notices/0",
            "/context_ledger/overlays/1",
            "/context_ledger/policy_decisions/3/error",
            "/context_ledger/redactions/0",
            "/context_ledger/tools/1/hidden_by/0",
            "/manifests/evidence_manifest/0",
            "/manifests/policy_manifest/0",
            "/manifests/tool_manifest/0",
            "/runtime_controls/must_refuse/0",
            "/runtime_controls/must_escalate/0",
            "/runtime_controls/approval_gates_active/1",
        ] {
            assert!(value.pointer(pointer).is_some(), "{pointer}: {value:#}");
        }
    });
}

fn none_is_missed(recording: &Recording) {
    let tally = compiled(recording, every_change);
    let noticed: usize = tally.named.values().sum();
    println!("{noticed} noticed, {} unreadable, {} the same; {:?}", tally.unreadable, tally.same, tally.named);
    assert!(tally.wrong.is_empty(), "{} of {noticed}: {:#?}", tally.wrong.len(), tally.wrong);
    assert_eq!(tally.named.len(), 9, "every stage was named, and the whole: {:?}", tally.named);
}

#[test]
fn every_change_to_a_compiled_context_is_noticed() {
    none_is_missed(&calm());
}

#[test]
fn every_change_to_a_refusal_with_something_of_everything_is_noticed() {
    none_is_missed(&full());
}

#[test]
fn every_change_to_the_worked_example_is_noticed() {
    none_is_missed(&worked(support_pack(&[])));
}

/// What belongs to one compile does not hold in another.
#[test]
fn parts_of_another_compile_are_noticed() {
    compiled(&calm(), |one| {
        let mut recording = calm();
        recording.request["input"]["message"] = json!("Where is my order?");
        compiled(&recording, |other| {
            let mut mixed = one.clone();
            mixed.compiled_prompt.task = other.compiled_prompt.task.clone();
            assert_eq!(verify(&mixed), Err(Some(Stage::Budget)));
            // With its hash it is another whole.
            mixed.context_ledger.stage_hashes[5] = other.context_ledger.stage_hashes[5];
            mixed.budget_report.head_tokens = other.budget_report.head_tokens;
            mixed.budget_report.tokens_allocated = other.budget_report.tokens_allocated;
            assert_eq!(verify(&mixed), Err(None));
        });
    });
}
