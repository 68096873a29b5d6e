//! Mutated records: the critic agrees with the independent one on each.

use crate::oracle::{Expected, expected};
use crate::world::{GATE, World, fabricated, worlds};
use deed_canon::SigningKey;
use deed_decision::{Approver, approve, subject};
use deed_model::{CriticVerdict, DecisionDraft, DecisionRecord, GateDecision};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Seeded numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most as u64) as usize
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

fn items<'v>(record: &'v mut Value, pointer: &str) -> &'v mut Vec<Value> {
    record.pointer_mut(pointer).unwrap().as_array_mut().unwrap()
}

/// Changes one thing of a record, and says what.
#[expect(clippy::type_complexity, reason = "a table of changes")]
fn mutate(world: &World, record: &mut Value, numbers: &mut Numbers) -> &'static str {
    let kinds: [(&str, &dyn Fn(&World, &mut Value, &mut Numbers)); 12] = [
        ("decision", &decision),
        ("inputs", &inputs),
        ("outputs", &outputs),
        ("outcome", &outcome),
        ("evidence", &evidence),
        ("policy", &policy),
        ("controls", &controls),
        ("lineage", &lineage),
        ("actor", &actor),
        ("subjects", &subjects),
        ("approvals", &approvals),
        ("trace", &|_, record, _| record["trace_id"] = json!("trace_other")),
    ];
    let (name, change) = kinds[numbers.below(kinds.len())];
    change(world, record, numbers);
    name
}

fn decision(_: &World, record: &mut Value, numbers: &mut Numbers) {
    match numbers.below(2) {
        0 => record["decision_key"] = json!("support.refund.void"),
        _ => record["version"] = json!("1.0.1"),
    }
}

fn inputs(_: &World, record: &mut Value, numbers: &mut Numbers) {
    let amounts = [json!(1), json!(50000), json!(50000.5), json!(0), json!(-3), json!("4200"), Value::Null];
    match numbers.below(4) {
        0 => record["inputs"]["refund_amount"] = numbers.one(&amounts),
        1 => record["inputs"]["order_id"] = numbers.one(&[json!("ord_1"), json!("ord_"), json!("881"), json!(881)]),
        2 => record["inputs"]["colour"] = json!("red"),
        _ => drop(record["inputs"].as_object_mut().unwrap().remove("currency")),
    }
}

fn outputs(_: &World, record: &mut Value, numbers: &mut Numbers) {
    match numbers.below(3) {
        0 => record["outputs"]["reason"] = numbers.one(&[json!(""), json!("x".repeat(501)), json!("é".repeat(500))]),
        1 => {
            record["outputs"]["amount_inr"] = numbers.one(&[
                json!(-1),
                json!(10),
                json!(49000),
                json!(1200),
                json!(4200),
                json!(4200.0),
                json!("4200"),
            ])
        }
        _ => drop(record["outputs"].as_object_mut().unwrap().remove("reason")),
    }
}

fn outcome(_: &World, record: &mut Value, numbers: &mut Numbers) {
    let outcomes = [json!("approved"), json!("denied"), json!("escalated"), json!("maybe"), json!(1), Value::Null];
    match numbers.one(&outcomes) {
        Value::Null => drop(record["outputs"].as_object_mut().unwrap().remove("outcome")),
        outcome => record["outputs"]["outcome"] = outcome,
    }
}

fn evidence(world: &World, record: &mut Value, numbers: &mut Numbers) {
    let supplied: Vec<Value> = world.evidence.iter().map(|item| json!(item.evidence_ref)).collect();
    let refs = items(record, "/evidence_refs");
    match numbers.below(5) {
        0 => refs.clear(),
        1 => refs.push(json!(fabricated())),
        2 if !refs.is_empty() => drop(refs.remove(numbers.below(refs.len()))),
        3 => refs.push(json!("request.context.refund_amount")),
        _ => refs.extend(numbers.one(&[supplied.first().cloned(), supplied.get(3).cloned(), supplied.last().cloned()])),
    }
}

fn policy(_: &World, record: &mut Value, numbers: &mut Numbers) {
    let rules = items(record, "/policy_decisions");
    match (numbers.below(4), rules.is_empty()) {
        (0, false) => drop(rules.pop()),
        (1, false) => rules[0]["verdict"] = numbers.one(&[json!("allow"), json!("deny"), json!("require")]),
        (2, false) => rules[0]["policy_decision_id"] = json!("pol_0"),
        _ => rules
            .push(json!({ "policy_decision_id": "pol_1", "rule_id": "R_ANY", "bundle_id": "B", "verdict": "allow" })),
    }
}

fn controls(_: &World, record: &mut Value, numbers: &mut Numbers) {
    let name = numbers.one(&["approval_gates_active", "must_escalate", "must_refuse", "redaction_rules_active"]);
    let list = items(record, &format!("/controls_active/{name}"));
    match (numbers.below(2), list.is_empty()) {
        (0, false) => drop(list.pop()),
        _ => list.push(json!("another")),
    }
}

fn lineage(_: &World, record: &mut Value, numbers: &mut Numbers) {
    let other = format!("sha256:{}", "0".repeat(64));
    match numbers.below(7) {
        0 => record["lineage"]["context"] = json!(other),
        1 => record["lineage"]["pack"]["hash"] = json!(other),
        2 => record["lineage"]["pack"]["reference"] = json!("ctxpack.support@1.0.1"),
        3 => record["lineage"]["run"] = json!("run_other"),
        4 => record["lineage"]["overlays"] = json!([{ "reference": "ctxpack.support.high_risk@1.0.0", "hash": other }]),
        5 => record["lineage"]["plan_step"] = numbers.one(&[json!("look"), json!("pay"), json!("sleep")]),
        _ => record["intent"] = json!("support.greeting"),
    }
}

fn actor(_: &World, record: &mut Value, numbers: &mut Numbers) {
    match numbers.below(5) {
        0 => record["actor"]["tenant_id"] = json!("tenant_other"),
        1 => record["actor"]["id"] = numbers.one(&[json!(""), json!(" ")]),
        2 => record["actor"]["role"] = json!("finance_lead"),
        3 => record["actor"]["id"] = json!("agt_18"),
        _ => drop(record["actor"].as_object_mut().unwrap().remove("role")),
    }
}

fn subjects(_: &World, record: &mut Value, numbers: &mut Numbers) {
    let others = ["customer:cus_18", "alien:1", "order:", "order", "order:ord_881", "customer:cus_17"];
    match numbers.below(3) {
        0 => items(record, "/subject_ids").clear(),
        _ => items(record, "/subject_ids").push(json!(numbers.one(&others))),
    }
}

/// The draft that a record claims, as the approver of a mutated record would be shown it.
fn draft_of(record: &Value) -> Option<DecisionDraft> {
    let mut draft = record.clone();
    for own in ["record_id", "record_hash", "status", "scorecard"] {
        draft.as_object_mut().unwrap().remove(own);
    }
    serde_json::from_value(draft).ok()
}

fn approvals(world: &World, record: &mut Value, numbers: &mut Numbers) {
    let asked = !world.context.runtime_controls.approvals.is_empty();
    let Some(draft) = draft_of(record).filter(|_| asked && world.journal.is_none()) else {
        items(record, "/approvals").clear();
        return;
    };
    let approved = GateDecision::Approved;
    let sign = |role: &str, answer, when: &str| world.approval(&draft, role, answer, when);
    let signed = match numbers.below(9) {
        0 => return items(record, "/approvals").clear(),
        1 => sign("finance_lead", GateDecision::Rejected, "2026-05-09T10:30:00Z"),
        2 => sign("support_ops", approved, "2026-05-09T10:30:00Z"),
        // Two hours before the instant of the tests, so that it has just expired.
        3 => sign("finance_lead", approved, "2026-05-09T09:00:00Z"),
        4 => sign("finance_lead", approved, "2026-05-09T11:00:01Z"),
        5 => {
            let mut forged = sign("finance_lead", approved, "2026-05-09T10:30:00Z");
            forged.approval.approver = "somebody".to_owned();
            forged
        }
        6 => {
            let shown = subject(&draft, &world.context, GATE, "finance_lead", crate::world::at("2026-05-09T10:30:00Z"));
            let mut shown = shown.unwrap();
            shown.expires_at = "2026-05-09T13:00:00Z".to_owned();
            let at = crate::world::at("2026-05-09T10:30:00Z");
            let approver = Approver { name: "fin_3", role: "finance_lead", decision: approved, at, note: None };
            approve(&shown, approver, &crate::world::key()).unwrap()
        }
        7 => {
            let at = crate::world::at("2026-05-09T10:30:00Z");
            let shown = subject(&draft, &world.context, GATE, "finance_lead", at).unwrap();
            let approver = Approver { name: "eve", role: "finance_lead", decision: approved, at, note: None };
            approve(&shown, approver, &SigningKey::from_seed(&[9; 32])).unwrap()
        }
        _ => sign("finance_lead", approved, "2026-05-09T10:59:59Z"),
    };
    let list = items(record, "/approvals");
    if numbers.below(2) == 0 {
        list.clear();
    }
    list.push(serde_json::to_value(signed).unwrap());
}

/// Compares the critic with the oracle, and returns the verdict and its checks.
fn agree(world: &World, record: &Value, about: &str) -> Expected {
    let typed: DecisionRecord = serde_json::from_value(record.clone()).unwrap();
    let judged = world.recheck(&typed);
    let strict = judged.critique.findings.iter().filter(|finding| finding.verdict != CriticVerdict::Accept);
    let found = Expected {
        verdict: judged.critique.verdict.as_str(),
        checks: strict.map(|finding| finding.check.as_str()).collect(),
    };
    let wanted = expected(world, record);
    assert_eq!(found, wanted, "{} / {about}: {:#?}\n{record:#}", world.name, judged.critique.findings);
    found
}

#[test]
fn two_hundred_mutated_records_get_the_verdict_of_an_independent_critic() {
    let worlds = worlds();
    let mut numbers = Numbers(20_261_118);
    let (mut verdicts, mut checks): (BTreeMap<&str, usize>, BTreeSet<&str>) = Default::default();
    let mut changed = BTreeSet::new();
    for n in 0..200 {
        let world = &worlds[n % worlds.len()];
        let outcome = numbers.one(&["approved", "approved", "approved", "denied", "escalated"]);
        let mut record = serde_json::to_value(world.judge(&world.draft(outcome)).record).unwrap();
        agree(world, &record, "unchanged");
        let mut about = outcome.to_owned();
        for _ in 0..=numbers.below(2) {
            let name = mutate(world, &mut record, &mut numbers);
            changed.insert(name);
            about = format!("{about}, {name}");
        }
        let found = agree(world, &record, &about);
        *verdicts.entry(found.verdict).or_default() += 1;
        checks.extend(found.checks);
    }
    assert_eq!(checks.len(), 10, "every check has refused something: {checks:?}");
    assert_eq!(changed.len(), 12, "{changed:?}");
    assert!(verdicts.len() == 4 && verdicts.values().all(|count| *count >= 10), "{verdicts:?}");
}

/// More of the same with other seeds; `make soak` gives it more rounds.
#[test]
fn random_records_get_the_verdict_of_an_independent_critic() {
    let worlds = worlds();
    let config = proptest::test_runner::Config { cases: 300, ..Default::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let strategy = (proptest::num::u64::ANY, 0..worlds.len(), 0..3usize, 1..5usize);
    let judged = runner.run(&strategy, |(seed, world, outcome, changes)| {
        let (world, outcome) = (&worlds[world], ["approved", "denied", "escalated"][outcome]);
        let mut numbers = Numbers(seed);
        let mut record = serde_json::to_value(world.judge(&world.draft(outcome)).record).unwrap();
        for _ in 0..changes {
            mutate(world, &mut record, &mut numbers);
        }
        agree(world, &record, &format!("seed {seed}"));
        Ok(())
    });
    judged.unwrap();
}
