//! The laws of canonical form and of the chain, as properties.

use deed_canon::{BreakKind, ContentHash, Link, TypeTag, append, hash, parse, to_canonical, verify_chain};
use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-9_007_199_254_740_991i64..=9_007_199_254_740_991).prop_map(Value::from),
        any::<f64>()
            .prop_filter("has a canonical form", |f| deed_canon::number_from_f64(*f).is_ok())
            .prop_map(|f| Value::Number(deed_canon::number_from_f64(f).unwrap_or_else(|_| Number::from(0)))),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        any::<String>().prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The same value as JSON text whose keys stand in another order and whose spaces differ.
fn scrambled(value: &Value, seed: u64) -> String {
    match value {
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            let turn = usize::try_from(seed).unwrap_or(0) % members.len().max(1);
            members.rotate_left(turn);
            if seed % 2 == 1 {
                members.reverse();
            }
            let parts: Vec<String> = members
                .iter()
                .map(|(k, v)| format!("{} :\n{}", Value::from(k.as_str()), scrambled(v, seed / 2)))
                .collect();
            format!("{{ {} }}", parts.join(" ,"))
        }
        Value::Array(items) => {
            format!("[\t{}]", items.iter().map(|v| scrambled(v, seed / 3)).collect::<Vec<_>>().join(", "))
        }
        other => String::from_utf8(to_canonical(other).unwrap()).unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn canonical_form_is_stable_under_key_order(v in value(), seed in any::<u64>()) {
        let canonical = to_canonical(&v).unwrap();
        let again = parse(scrambled(&v, seed).as_bytes()).unwrap();
        prop_assert_eq!(&to_canonical(&again).unwrap(), &canonical);
        let tag: TypeTag = "deed/test/v1".parse().unwrap();
        prop_assert_eq!(hash(&tag, &v).unwrap(), hash(&tag, &again).unwrap());
    }

    #[test]
    fn reading_canonical_bytes_gives_them_back(v in value()) {
        let canonical = to_canonical(&v).unwrap();
        prop_assert_eq!(to_canonical(&parse(&canonical).unwrap()).unwrap(), canonical);
    }

    #[test]
    fn the_streamed_hash_is_the_hash_of_the_bytes(v in value()) {
        let tag: TypeTag = "deed/test/v1".parse().unwrap();
        let mut bytes = b"deed/test/v1\n".to_vec();
        bytes.extend(to_canonical(&v).unwrap());
        prop_assert_eq!(hash(&tag, &v).unwrap(), ContentHash::of_bytes(&bytes));
    }

    #[test]
    fn keys_are_ordered_as_utf16_units_are(a in any::<String>(), b in any::<String>(), common in any::<String>()) {
        let (a, b) = (format!("{common}{a}"), format!("{common}{b}"));
        prop_assert_eq!(deed_canon::utf16_cmp(&a, &b), a.encode_utf16().cmp(b.encode_utf16()));
    }

    #[test]
    fn the_reader_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn the_reader_never_panics_on_nearly_json(text in "[\\[\\]{},:\"0-9eE+.\\\\ud8c\\-ntrf ]{0,60}") {
        let _ = parse(text.as_bytes());
    }

    #[test]
    fn the_chain_verifier_finds_every_single_event_mutation(
        length in 1usize..8,
        at in 0usize..8,
        other in 0usize..8,
        kind in 0u8..9,
    ) {
        let links = chain(length);
        let head = links.last().unwrap().head();
        prop_assert_eq!(verify_chain(&links, Some(&head)), Ok(()));
        let (at, other) = (at % length, other % length);
        let mut broken = links.clone();
        let expected = match kind {
            0 => { broken[at].body = json!({"changed": true}); BreakKind::Edited }
            1 => { broken[at] = rehashed(&broken[at], json!({"changed": true})); BreakKind::Edited }
            2 => { broken[at].hash = ContentHash::of_bytes(b"other"); BreakKind::Edited }
            3 => { broken[at].prev = Some(ContentHash::of_bytes(b"other")); BreakKind::Edited }
            4 => { broken[at].seq += 1; BreakKind::Edited }
            5 => { broken.remove(at); if at + 1 == length { BreakKind::Truncated } else { BreakKind::Deleted } }
            6 if at != other => { broken.swap(at, other); BreakKind::Reordered }
            6 => return Ok(()),
            // Swapped, and numbered anew so that the order looks right.
            7 if at != other => {
                broken.swap(at, other);
                broken[at].seq = at as u64;
                broken[other].seq = other as u64;
                BreakKind::Reordered
            }
            7 => return Ok(()),
            _ => { let copy = broken[at].clone(); broken.insert(other, copy); BreakKind::Inserted }
        };
        let found = verify_chain(&broken, Some(&head)).unwrap_err();
        prop_assert_eq!(found.kind, expected, "mutation {} at {} of {}", kind, at, length);
        if matches!(kind, 0..=5) {
            prop_assert_eq!(found.seq, at as u64);
        }
    }

    #[test]
    fn cutting_off_the_end_is_a_truncation(length in 2usize..9, keep in 0usize..8) {
        let links = chain(length);
        let head = links.last().unwrap().head();
        let keep = keep % length;
        let found = verify_chain(&links[..keep], Some(&head)).unwrap_err();
        prop_assert_eq!((found.kind, found.seq), (BreakKind::Truncated, keep as u64));
    }
}

fn chain(length: usize) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for i in 0..length {
        let head = links.last().map(Link::head);
        links.push(append(head.as_ref(), json!({ "event": i })).unwrap());
    }
    links
}

/// The attack of a careful forger: a new body under a hash that fits it.
fn rehashed(link: &Link, body: Value) -> Link {
    let mut forged = Link { body, ..link.clone() };
    forged.hash = forged.expected_hash().unwrap();
    forged
}

#[test]
fn keys_are_sorted_by_utf16_units() {
    // U+1F600 begins with the surrogate D83D, which sorts before U+FB33 although its bytes sort after.
    let map: Map<String, Value> = [("\u{fb33}", 1), ("\u{1f600}", 2), ("\u{20ac}", 3)]
        .into_iter()
        .map(|(k, v)| (k.to_owned(), json!(v)))
        .collect();
    assert_eq!(
        String::from_utf8(to_canonical(&Value::Object(map)).unwrap()).unwrap(),
        "{\"\u{20ac}\":3,\"\u{1f600}\":2,\"\u{fb33}\":1}"
    );
}

#[test]
fn values_without_a_canonical_form_are_refused_with_their_place() {
    for number in [json!(9_007_199_254_740_992_u64), json!(-9_007_199_254_740_992_i64), json!(u64::MAX), json!(1e16)] {
        let error = to_canonical(&json!({ "a": [0, { "b/c": number }] })).unwrap_err();
        assert!(error.to_string().contains("`/a/1/b~1c`"), "{error}");
    }
}
