//! Same inputs, same bytes: neither the order of keys and of lists without one, nor threads, nor a cache of counts,
//! nor how `serde_json` was built, moves a byte of a compiled context.

use crate::common::random;

use crate::common::{Given, document};
use deed_canon::to_canonical_of;
use deed_context::{Hydrated, SharedCounts, compile, compile_with, tokenizer};
use deed_pack::{Bundle, PackFiles, Selection, SourceFile, resolve};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use random::{Raw, SNAPSHOT, TENANT, payload_hash};
use serde_json::{Value, json};
use std::collections::BTreeMap;

// ---- shuffling

/// A source of choices that is itself a value: the same seed, the same shuffles.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % sides as u64).unwrap()
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.roll(i + 1));
        }
    }
}

/// The value as JSON text, the keys of every object in another order.
fn scrambled(value: &Value, dice: &mut Dice, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            dice.shuffle(&mut fields);
            out.push('{');
            for (i, (key, value)) in fields.into_iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                out.push_str(&json!(key).to_string());
                out.push(':');
                scrambled(value, dice, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                scrambled(item, dice, out);
            }
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn text(value: &Value, dice: &mut Dice) -> String {
    let mut out = String::new();
    scrambled(value, dice, &mut out);
    out
}

fn reread(value: &Value, dice: &mut Dice) -> Value {
    deed_canon::parse(text(value, dice).as_bytes()).unwrap()
}

fn shuffle_list(value: &mut Value, pointer: &str, dice: &mut Dice) {
    if let Some(items) = value.pointer_mut(pointer).and_then(Value::as_array_mut) {
        dice.shuffle(items);
    }
}

/// The inputs with everything shuffled whose order has no meaning.
fn shuffled(raw: &Raw, dice: &mut Dice) -> Raw {
    let mut raw = raw.clone();
    shuffle_list(&mut raw.evidence, "", dice);
    shuffle_list(&mut raw.memory, "", dice);
    for i in 0..raw.evidence.as_array().unwrap().len() {
        shuffle_list(&mut raw.evidence, &format!("/{i}/tags"), dice);
        shuffle_list(&mut raw.evidence, &format!("/{i}/conflicts_with"), dice);
    }
    for list in ["/prohibitions", "/subject_ids", "/ontologies/ont.support"] {
        shuffle_list(&mut raw.run, list, dice);
    }
    Raw {
        request: reread(&raw.request, dice),
        run: reread(&raw.run, dice),
        evidence: reread(&raw.evidence, dice),
        memory: reread(&raw.memory, dice),
    }
}

/// The support pack with its overlays from JSON whose keys are shuffled, the overlays named in another order.
fn shuffled_pack(dice: &mut Dice) -> Hydrated {
    let mut file = |path: &str| SourceFile {
        name: format!("{path}.json"),
        bytes: text(document(&format!("packs/support/{path}.yaml")).value(), dice).into_bytes(),
    };
    let names = ["staging", "high_risk"];
    let overlays = names.map(|name| (name.to_owned(), file(&format!("overlays/{name}"))));
    let files = PackFiles { pack: file("pack"), overlays: BTreeMap::from(overlays), golden: Vec::new() };
    let bundle = Bundle::read(&files).unwrap();
    let mut names = names.map(str::to_owned).to_vec();
    dice.shuffle(&mut names);
    let resolved = resolve(&bundle, &bundle.typed().unwrap(), &Selection::Named(names)).unwrap();
    Hydrated::new(&resolved, tokenizer("bytes/4").unwrap()).unwrap()
}

fn bytes(pack: &Hydrated, given: &Given) -> Vec<u8> {
    to_canonical_of(compile(pack, given.inputs()).context().expect("it compiles")).unwrap()
}

// ---- inputs with something of everything

/// The worked example and much besides: faults, conflicts, repeats, ties, objects, prohibitions, subjects, turns.
fn rich() -> Raw {
    let mut raw = Raw::example();
    let object =
        json!({ "lines": [{ "sku": "a", "n": 2 }, { "n": 1, "sku": "b" }], "amount": 4200, "état": "ré\u{202e}" });
    let piece = |id: &str, content: &Value, more: Value| {
        let mut item = json!({ "evidence_ref": format!("kg:order:{id}#{SNAPSHOT}"), "source_id": "kg", "tenant_id": TENANT,
            "classification": "INTERNAL", "content": content, "payload_hash": payload_hash(content) });
        for (key, value) in more.as_object().unwrap() {
            item[key] = value.clone();
        }
        item
    };
    let name = |id: &str| format!("kg:order:{id}#{SNAPSHOT}");
    let evidence = raw.evidence.as_array_mut().unwrap();
    evidence.extend([
        piece("object", &object, json!({ "tags": ["PII", "finance", "order"] })),
        piece(
            "a",
            &json!("a says"),
            json!({ "conflicts_with": [name("b"), name("c"), name("d")], "tags": ["z", "y"] }),
        ),
        piece("b", &json!("b says"), json!({ "resolution_ref": "decision:9" })),
        piece("c", &json!("c says"), json!({})),
        piece("e", &json!("e says"), json!({ "conflicts_with": [name("f"), name("g")] })),
        piece("old", &json!("old"), json!({ "expires_at": "2026-05-01T00:00:00Z", "classification": "RESTRICTED" })),
        piece("twice", &json!("twice"), json!({})),
        piece("twice", &json!("twice"), json!({})),
        piece("split", &json!("one"), json!({})),
        piece("split", &json!("other"), json!({})),
        piece("card", &json!("card 4111 1111 1111 1111 <<<x"), json!({})),
    ]);
    let item = |id: &str, at: &str, more: Value| {
        let mut item = json!({ "id": id, "tenant_id": TENANT, "subject": "*", "intent_id": "*", "tier": "semantic",
            "promoted_at": at, "classification": "PUBLIC", "provenance": ["b:2", "a:1"] });
        for (key, value) in more.as_object().unwrap() {
            item[key] = value.clone();
        }
        item
    };
    let at = "2026-05-01T00:00:00Z";
    let memory = raw.memory.as_array_mut().unwrap();
    memory.extend((0..9).map(|i| item(&format!("tie_{i}"), at, json!({ "text": format!("tie {i}") }))));
    memory.extend([
        item("fact", "2026-05-08T00:00:00Z", json!({ "entity": "order:1", "predicate": "is", "value": object })),
        item("twice", at, json!({ "text": "same" })),
        item("twice", at, json!({ "text": "same" })),
        item("split", at, json!({ "text": "one" })),
        item("split", at, json!({ "text": "other" })),
        item("later", "2026-05-10T00:00:00Z", json!({ "text": "later" })),
    ]);
    raw.run["subject_ids"] = json!(["customer:cus_17", "order:ord_881", "customer:cus_18"]);
    raw.run["prohibitions"] = json!([
        { "adapter_id": "adp_policy" }, { "adapter_id": "adp_orders", "capability": "lookup" },
        { "adapter_id": "adp_orders" }, { "adapter_id": "adp_none", "capability": "x" }]);
    raw.run["ontologies"]["ont.support"] = json!(["1.0.0", "0.9.0", "2.1.0"]);
    raw.run["own"] = json!({ "z": { "y": 1, "x": [1, { "b": 2, "a": 3 }] }, "a": null });
    raw.request["session"] = json!({ "session_id": "ses_4", "recent_turns":
        [{ "role": "user", "text": "Hello." }, { "role": "agent", "text": "How can I help?" }] });
    raw
}

/// 1,000 shuffles of the inputs, every sixteenth with a shuffled pack as well.
#[test]
fn order_without_meaning_moves_nothing() {
    let raw = rich();
    let pack = shuffled_pack(&mut Dice(0));
    let expected = bytes(&pack, &raw.read());
    let config = Config { cases: 1_000, failure_persistence: None, ..Config::default() };
    let run = TestRunner::new(config).run(&any::<u64>(), |seed| {
        let dice = &mut Dice(seed);
        let given = shuffled(&raw, dice).read();
        let other = (seed.is_multiple_of(16)).then(|| shuffled_pack(dice));
        prop_assert!(bytes(other.as_ref().unwrap_or(&pack), &given) == expected, "the bytes moved");
        Ok(())
    });
    run.unwrap();
}

// ---- threads and caches

/// Requests that differ, over one pack.
fn many() -> Vec<Given> {
    let of = |i: u64| {
        let mut raw = if i.is_multiple_of(3) { rich() } else { Raw::example() };
        raw.request["request_id"] = json!(format!("req_{i}"));
        raw.request["input"]["message"] = json!(format!("Refund order {}.", i / 2));
        raw.request["input"]["context"] =
            json!({ "identity_verified": !i.is_multiple_of(5), "refund_amount": 2_500 + 100 * i });
        raw.run["run_budget"] = json!({ "bucket_tokens": 1_500 + 300 * i });
        raw.read()
    };
    (0..12).map(of).collect()
}

#[test]
fn threads_and_caches_move_nothing() {
    let pack = crate::common::hydrated(&crate::common::bundle("packs/support"), &["staging"]);
    let requests = many();
    let expected: Vec<Vec<u8>> = requests.iter().map(|given| bytes(&pack, given)).collect();
    let counts = SharedCounts::new(pack.tokenizer());
    let with_cache = |given: &Given| {
        to_canonical_of(compile_with(&pack, given.inputs(), &counts).context().expect("it compiles")).unwrap()
    };
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (requests, expected, with_cache) = (&requests, &expected, &with_cache);
            scope.spawn(move || {
                let mut order: Vec<usize> = (0..requests.len()).chain(0..requests.len()).collect();
                Dice(thread).shuffle(&mut order);
                for i in order {
                    assert!(with_cache(&requests[i]) == expected[i], "thread {thread}, request {i}");
                }
            });
        }
    });
    // Counts of another tokenizer are not asked for.
    let others = SharedCounts::new(&*tokenizer("bytes/1").unwrap());
    for (given, expected) in requests.iter().zip(&expected) {
        let outcome = compile_with(&pack, given.inputs(), &others);
        assert!(to_canonical_of(outcome.context().unwrap()).unwrap() == *expected);
    }
}

// ---- committed hashes

/// Hashes of compiled contexts. They move only when what a compiled context says is meant to move; then
/// `DEED_BLESS=1 cargo nextest run -p deed-context --test it determinism::committed --no-capture` prints them anew.
const COMMITTED: &[(&str, &str)] = &[
    ("the worked example", "sha256:c514ee83cef5e719849b0817b68de1539529fcdf701b858a475229c5e07e69e1"),
    ("both overlays", "sha256:193034483db6a7399ccb2c8bb66a415391b0ed117bac708420d05552013eec3f"),
    ("something of everything", "sha256:3b89dd59724d588efef521e69f137d794f3d47164d6242ec41280032f641bb48"),
    ("a small refund", "sha256:08383b664a3bf0c904d534a0051e9552879a860f83dcf0b83a2bb6063dc4ba78"),
    ("a denial with a number for a budget", "sha256:38fe2d524a465b71eca95e3ac94d6b6f8e1d0b473262260b375a84e14d3db3cf"),
    ("read only, and truncated", "sha256:776252852faeabbb3dca050a6f8d6cf2bb4db4aa4fba96541c0d1222f2186161"),
    ("by bytes", "sha256:3517a3aab326c13f1ddb3b9d16a0829f7cbfac06597f77bede1d219963b469c6"),
];

fn varied() -> Vec<(&'static str, Hydrated, Raw)> {
    let of = |overlays: &[&str]| crate::common::hydrated(&crate::common::bundle("packs/support"), overlays);
    let edit = |edit: fn(&mut Raw)| {
        let mut raw = Raw::example();
        edit(&mut raw);
        raw
    };
    vec![
        ("the worked example", of(&[]), Raw::example()),
        ("both overlays", of(&["staging", "high_risk"]), Raw::example()),
        ("something of everything", of(&[]), rich()),
        ("a small refund", of(&[]), edit(|raw| raw.request["input"]["context"]["refund_amount"] = json!(12.5))),
        (
            "a denial with a number for a budget",
            of(&[]),
            edit(|raw| {
                raw.request["input"]["context"]["identity_verified"] = json!(false);
                raw.run["run_budget"] = json!({ "bucket_tokens": 2_500 });
            }),
        ),
        (
            "read only, and truncated",
            of(&[]),
            edit(|raw| {
                raw.run["safety_mode"] = json!("read_only");
                raw.run["run_budget"]["bucket_tokens"] = json!({ "policy": 400, "evidence": 60, "session": 30 });
            }),
        ),
        ("by bytes", shuffled_pack(&mut Dice(0)), rich()),
    ]
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a test may be asked to print what it found")]
fn committed_hashes() {
    let found: Vec<(&str, String)> = varied()
        .iter()
        .map(|(name, pack, raw)| {
            let given = raw.read();
            let hash = compile(pack, given.inputs()).context().unwrap().context_ledger.compiled_context_hash.unwrap();
            (*name, hash.to_string())
        })
        .collect();
    if std::env::var_os("DEED_BLESS").is_some() {
        found.iter().for_each(|(name, hash)| println!("    ({name:?}, {hash:?}),"));
        return;
    }
    assert_eq!(found.iter().map(|(name, hash)| (*name, hash.as_str())).collect::<Vec<_>>(), COMMITTED);
}
