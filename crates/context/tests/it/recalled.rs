//! Memory of the store beside memory of a list: the label of each, contradictions, and recordings.

use crate::common::archive;
use crate::common::random::{Raw, hydrate, support_pack};

use archive::{memory, recorded, support, worked};
use deed_canon::ContentHash;
use deed_context::{Hydrations, compile, replay};
use deed_model::{LedgerMemory, MemoryItem, MemoryOrigin, RecalledMemory};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

fn stored(item: &Value) -> RecalledMemory {
    RecalledMemory {
        item: MemoryItem::deserialize(item).unwrap(),
        promotion: ContentHash::of_bytes(item["id"].as_str().unwrap().as_bytes()),
    }
}

/// The ids with their reasons, of a list and what the store recalled.
fn judged(listed: Vec<Value>, recalled: &[Value]) -> Vec<(String, &'static str, Vec<&'static str>)> {
    let pack = hydrate(&support_pack());
    let mut raw = Raw::example().with_room();
    raw.memory = Value::Array(listed);
    let mut given = raw.read();
    given.memory = given.memory.with_recalled(recalled.iter().map(stored).collect());
    let outcome = compile(&pack, given.inputs());
    let context = outcome.context().unwrap();
    let entry = |m: &LedgerMemory<'_>| {
        let reasons = m.reasons.iter().map(|reason| reason.as_str()).collect();
        (m.id.to_string(), m.origin.unwrap().as_str(), reasons)
    };
    let mut all: Vec<_> = context.context_ledger.memory.iter().map(entry).collect();
    all.sort();
    all
}

fn fact(id: &str, value: Value, over: Value) -> Value {
    let mut fields = json!({ "text": null, "entity": "order:881", "predicate": "gift", "value": value });
    fields.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
    memory(id, fields)
}

const NONE: [&str; 0] = [];

#[test]
fn the_ledger_says_where_each_memory_came_from() {
    let all = judged(vec![memory("listed", json!({}))], &[memory("recalled", json!({}))]);
    assert_eq!(all, [("listed".to_owned(), "file", vec![]), ("recalled".to_owned(), "store", vec![])]);
}

#[test]
fn a_list_cannot_take_the_id_of_a_memory_of_the_store() {
    let all = judged(vec![memory("m", json!({ "text": "other" })), memory("m", json!({}))], &[memory("m", json!({}))]);
    let twice = ("m".to_owned(), "file", vec!["repeated_id"]);
    assert_eq!(all, [twice.clone(), twice, ("m".to_owned(), "store", vec![])]);
}

#[test]
fn contradicting_facts_are_settled_or_all_rejected() {
    let reasons = |listed: Vec<Value>, recalled: &[Value]| -> Vec<Vec<&'static str>> {
        judged(listed, recalled).into_iter().map(|(_, _, reasons)| reasons).collect()
    };
    let (yes, no) = (json!(true), json!(false));
    let correction = |at: &str| json!({ "class": "correction", "promoted_at": at });
    let (early, late) = ("2026-04-01T00:00:00Z", "2026-04-02T00:00:00Z");
    // Nothing decides.
    assert_eq!(
        reasons(vec![fact("a", yes.clone(), json!({})), fact("b", no.clone(), json!({ "promoted_at": late }))], &[]),
        [["contradicted"], ["contradicted"]]
    );
    // The same value in another form is no contradiction, and another predicate is another fact.
    assert_eq!(
        reasons(
            vec![
                fact("a", json!(1.0), json!({})),
                fact("b", json!(1), json!({})),
                fact("c", json!(2), json!({ "predicate": "n" }))
            ],
            &[]
        ),
        [NONE, NONE, NONE]
    );
    // A correction, however old; then the newer of two corrections; two at once decide nothing.
    let plain = || fact("a", yes.clone(), json!({ "promoted_at": late }));
    assert_eq!(reasons(vec![plain(), fact("b", no.clone(), correction(early))], &[]), [vec!["corrected"], vec![]]);
    let three =
        |b: &str, c: &str| vec![plain(), fact("b", no.clone(), correction(b)), fact("c", json!(7), correction(c))];
    assert_eq!(reasons(three(early, late), &[]), [vec!["corrected"], vec!["corrected"], vec![]]);
    assert_eq!(reasons(three(late, late), &[]), [["contradicted"], ["contradicted"], ["contradicted"]]);
    // What the store promoted stands against a list, also against its corrections.
    assert_eq!(
        reasons(vec![fact("b", no.clone(), correction(late))], &[fact("a", yes.clone(), json!({}))]),
        [vec![], vec!["contradicted"]]
    );
    // What is rejected by itself contradicts nothing.
    let gossip = fact("b", no, json!({ "class": "gossip" }));
    assert_eq!(reasons(vec![plain(), gossip], &[]), [vec![], vec!["class_not_allowed"]]);
}

#[test]
fn a_correction_takes_out_what_it_names() {
    let named = json!({ "class": "correction", "corrects": "a" });
    let reasons = |listed: Vec<Value>, recalled: &[Value]| -> Vec<Vec<&'static str>> {
        judged(listed, recalled).into_iter().map(|(_, _, reasons)| reasons).collect()
    };
    let a = || memory("a", json!({}));
    assert_eq!(reasons(vec![a(), memory("b", named.clone())], &[]), [vec!["corrected"], vec![]]);
    // Only a correction corrects, and a list corrects nothing of the store.
    assert_eq!(reasons(vec![a(), memory("b", json!({ "corrects": "a" }))], &[]), [NONE, NONE]);
    assert_eq!(reasons(vec![memory("b", named.clone())], &[a()]), [NONE, NONE]);
    assert_eq!(reasons(vec![a()], &[memory("b", named)]), [vec!["corrected"], vec![]]);
}

#[test]
fn a_recording_replays_what_the_store_recalled_without_a_store() {
    let mut recording = worked(support(&[]));
    let plain = recorded(recording.clone());
    assert!(!plain.seal.parts.contains_key("recalled_memory"));
    recording.recalled_memory = Some(serde_json::to_value([stored(&memory("mem_1", json!({})))]).unwrap());
    let bundle = recorded(recording);
    assert_ne!(bundle.expected.compiled_context_hash, plain.expected.compiled_context_hash);
    assert!(replay(&bundle, &Hydrations::new()).unwrap().is_equal());
    let mut forged = bundle.clone();
    forged.inputs.recalled_memory.as_mut().unwrap()[0]["promotion"] = json!(ContentHash::of_bytes(b"x").to_string());
    let result = replay(&forged, &Hydrations::new()).unwrap();
    assert!(!result.is_equal());
    let read: deed_model::ReplayBundle = serde_json::from_value(serde_json::to_value(&bundle).unwrap()).unwrap();
    assert_eq!(read, bundle);
}

#[test]
fn the_promotion_of_a_memory_is_part_of_the_hash() {
    let pack = hydrate(&support_pack());
    let hash = |promotion: &[u8]| {
        let mut given = Raw::example().with_room().read();
        let mut one = stored(&memory("m", json!({})));
        one.promotion = ContentHash::of_bytes(promotion);
        given.memory = given.memory.with_recalled(vec![one]);
        let outcome = compile(&pack, given.inputs());
        let context = outcome.context().unwrap();
        assert!(context.context_ledger.memory.iter().any(|m| matches!(m.origin, Some(MemoryOrigin::Store { .. }))));
        context.context_ledger.compiled_context_hash.unwrap()
    };
    assert_ne!(hash(b"one"), hash(b"two"));
    assert_eq!(hash(b"one"), hash(b"one"));
}

/// A claim of the random test.
#[derive(Debug, Clone)]
struct Claim {
    fact: usize,
    value: usize,
    correction: bool,
    day: usize,
    stored: bool,
    corrects: Option<usize>,
}

fn claims() -> impl Strategy<Value = Vec<Claim>> {
    let claim = (
        0..2usize,
        0..3usize,
        any::<bool>(),
        1..4usize,
        prop::bool::weighted(0.3),
        prop::option::weighted(0.2, 0..7usize),
    )
        .prop_map(|(fact, value, correction, day, stored, corrects)| Claim {
            fact,
            value,
            correction,
            day,
            stored,
            corrects,
        });
    prop::collection::vec(claim, 0..7)
}

/// The claims that stand, by reading the rules once more: pairwise, without groups.
fn standing(claims: &[Claim]) -> Vec<bool> {
    let named = |i: usize| {
        claims
            .iter()
            .enumerate()
            .any(|(j, by)| i != j && by.correction && by.corrects == Some(i) && (by.stored || !claims[i].stored))
    };
    let left: Vec<usize> = (0..claims.len()).filter(|i| !named(*i)).collect();
    let stands = |i: usize| {
        let rivals: Vec<&Claim> = left.iter().map(|j| &claims[*j]).filter(|c| c.fact == claims[i].fact).collect();
        if rivals.iter().all(|rival| rival.value == claims[i].value) {
            return true;
        }
        let stored = rivals.iter().any(|rival| rival.stored);
        let strong: Vec<&&Claim> = rivals.iter().filter(|rival| rival.stored == stored).collect();
        if strong.iter().all(|rival| rival.value == strong[0].value) {
            return strong[0].value == claims[i].value;
        }
        let newest = strong.iter().filter(|rival| rival.correction).map(|rival| rival.day).max();
        let winners: Vec<usize> =
            strong.iter().filter(|r| r.correction && Some(r.day) == newest).map(|r| r.value).collect();
        !winners.is_empty() && winners.iter().all(|value| *value == winners[0]) && winners[0] == claims[i].value
    };
    (0..claims.len()).map(|i| left.contains(&i) && stands(i)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn no_two_values_of_one_fact_are_admitted(claims in claims()) {
        let item = |(i, claim): (usize, &Claim)| {
            let mut over = json!({
                "entity": format!("order:{}", claim.fact), "predicate": "gift", "subject": "*",
                "promoted_at": format!("2026-04-0{}T00:00:00Z", claim.day),
                "class": if claim.correction { "correction" } else { "preference" },
            });
            if let Some(target) = claim.corrects {
                over["corrects"] = json!(format!("m{target}"));
            }
            fact(&format!("m{i}"), json!(claim.value), over)
        };
        let of = |stored: bool| claims.iter().enumerate().filter(|(_, c)| c.stored == stored).map(item).collect::<Vec<_>>();
        let all = judged(of(false), &of(true));
        let expected = standing(&claims);
        for (id, _, reasons) in &all {
            let place: usize = id[1..].parse().unwrap();
            prop_assert_eq!(reasons.is_empty(), expected[place], "{} {:?}", id, reasons);
        }
        for a in all.iter().filter(|(_, _, reasons)| reasons.is_empty()) {
            for b in all.iter().filter(|(_, _, reasons)| reasons.is_empty()) {
                let (a, b): (usize, usize) = (a.0[1..].parse().unwrap(), b.0[1..].parse().unwrap());
                prop_assert!(claims[a].fact != claims[b].fact || claims[a].value == claims[b].value);
            }
        }
    }
}
