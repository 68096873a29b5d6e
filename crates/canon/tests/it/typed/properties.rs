//! Whatever the data, both routes give the same bytes or both refuse.

use super::{Inner, Kind, SAFE, TAG, Tree, routes};
use deed_canon::{CanonError, ContentHash, Scratch, hash, hash_of, hash_of_with, to_canonical, to_canonical_of};
use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Number, Value, json};
use std::collections::BTreeMap;

/// Keys whose order differs between bytes, escapes and UTF-16 units.
fn key() -> impl Strategy<Value = String> {
    let unit = prop_oneof![
        3 => prop::sample::select(vec!['a', 'b', '"', '\\', '\n', '\u{1}', '\u{7f}', '!', '[', ']']),
        2 => prop::sample::select(vec!['\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10000}', '\u{10ffff}', 'é']),
        1 => any::<char>(),
    ];
    prop::collection::vec(unit, 0..4).prop_map(String::from_iter)
}

/// Numbers on both sides of what has a canonical form.
fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        4 => (-SAFE..=SAFE).prop_map(Number::from),
        2 => (-1000i64..1000).prop_map(Number::from),
        1 => (SAFE - 5..=SAFE + 1).prop_map(Number::from),
        1 => (-SAFE - 1..=-SAFE + 5).prop_map(Number::from),
        4 => any::<f64>().prop_filter_map("finite", Number::from_f64),
        2 => prop::sample::select(vec![0.0, -0.0, 1.0, 1e15, 9_007_199_254_740_991.0, 9_007_199_254_740_992.0, 1e20, 1e21,
            -1e21, 5e-324, 1.5, 0.1, f64::MAX, f64::MIN_POSITIVE]).prop_filter_map("finite", Number::from_f64),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number().prop_map(Value::Number),
        any::<String>().prop_map(Value::from),
        "[a-z \"\\\\\n\u{1}é]{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((key(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn members(inner: impl Strategy<Value = Tree>) -> impl Strategy<Value = Vec<(String, Tree)>> {
    // A hash map gives distinct keys in no particular order.
    prop::collection::hash_map(key(), inner, 0..8).prop_map(|map| map.into_iter().collect())
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Unit),
        any::<i8>().prop_map(Tree::Small),
        prop_oneof![1 => any::<i64>().prop_map(i128::from), 1 => any::<i128>(), 30 => -5000i128..5000]
            .prop_map(Tree::Wide),
        prop_oneof![1 => any::<u128>(), 30 => 0u128..5000].prop_map(Tree::Huge),
        any::<f32>().prop_filter("finite", |f| f.is_finite()).prop_map(Tree::Single),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Tree::Double),
        any::<char>().prop_map(Tree::Letter),
        prop::collection::vec(any::<u8>(), 0..5).prop_map(Tree::Bytes),
        key().prop_map(Tree::Shown),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Tree::List),
            members(inner).prop_map(Tree::Members)
        ]
    })
}

/// Fields against the order of their names, some of them names that only UTF-16 sorts last or first.
#[derive(Debug, Serialize)]
struct Scrambled {
    zulu: Option<f64>,
    #[serde(rename = "\u{e000}")]
    private: Value,
    #[serde(rename = "\u{10000}")]
    beyond: i64,
    mike: BTreeMap<String, Inner>,
    #[serde(flatten)]
    more: BTreeMap<String, u8>,
    #[serde(rename = "a\"b")]
    quoted: String,
    alpha: Vec<Inner>,
}

fn inner() -> impl Strategy<Value = Inner> {
    let kind = prop_oneof![
        Just(Kind::Unit),
        any::<f32>().prop_filter("finite", |f| f.is_finite()).prop_map(Kind::Newtype),
        (any::<u8>(), any::<String>()).prop_map(|(a, b)| Kind::Tuple(a, b)),
        (any::<bool>(), any::<char>()).prop_map(|(zeta, eta)| Kind::Struct { zeta, eta }),
    ];
    (prop_oneof![30 => 0..SAFE.unsigned_abs(), 1 => any::<u64>()], kind).prop_map(|(b, a)| Inner { b, a })
}

fn scrambled() -> impl Strategy<Value = Scrambled> {
    (
        prop::option::of(-1e9f64..1e9),
        value(),
        -SAFE..=SAFE,
        prop::collection::btree_map(key(), inner(), 0..4),
        prop::collection::btree_map("[n-p]{2}", any::<u8>(), 0..4),
        any::<String>(),
        prop::collection::vec(inner(), 0..4),
    )
        .prop_map(|(zulu, private, beyond, mike, more, quoted, alpha)| Scrambled {
            zulu,
            private,
            beyond,
            mike,
            more,
            quoted,
            alpha,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn values_come_out_alike(v in value()) {
        let (through, direct) = routes(&v);
        prop_assert_eq!(through.is_ok(), direct.is_ok());
        if through.is_ok() {
            prop_assert_eq!(through, direct);
            prop_assert_eq!(hash(&TAG, &v), hash_of(&TAG, &v));
        }
    }

    #[test]
    fn data_in_any_order_comes_out_alike(t in tree()) {
        let (through, direct) = routes(&t);
        prop_assert_eq!(through.is_ok(), direct.is_ok(), "{:?} and {:?}", through, direct);
        if through.is_ok() {
            prop_assert_eq!(through, direct);
        }
    }

    #[test]
    fn structs_with_fields_out_of_order_come_out_alike(s in scrambled()) {
        let (through, direct) = routes(&s);
        prop_assert_eq!(through.is_ok(), direct.is_ok(), "{:?} and {:?}", through, direct);
        if through.is_ok() {
            prop_assert_eq!(through, direct);
        }
    }

    #[test]
    fn a_lone_number_has_the_same_fate(n in number()) {
        let value = Value::Number(n);
        prop_assert_eq!(to_canonical(&value), to_canonical_of(&value));
    }

    #[test]
    fn a_key_given_twice_is_refused_wherever_it_stands(
        map in prop::collection::hash_map(key(), any::<u8>(), 1..12),
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
    ) {
        let mut members: Vec<_> = map.into_iter().map(|(k, v)| (k, Tree::Huge(v.into()))).collect();
        let again = members[which.index(members.len())].0.clone();
        members.insert(at.index(members.len() + 1), (again.clone(), Tree::Unit));
        let pointer = deed_canon::Pointer::push("", &again);
        prop_assert_eq!(to_canonical_of(&Tree::Members(members)), Err(CanonError::DuplicateKey { pointer }));
    }

    #[test]
    fn a_used_buffer_changes_nothing(v in value(), before in value()) {
        let mut scratch = Scratch::default();
        let _ = hash_of_with(&TAG, &before, &mut scratch);
        let with = hash_of_with(&TAG, &v, &mut scratch);
        prop_assert_eq!(&with, &hash_of(&TAG, &v));
        if with.is_ok() {
            prop_assert_eq!(scratch.bytes(), to_canonical(&v).unwrap());
        }
    }

    #[test]
    fn a_hash_is_written_in_hex(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let hash = ContentHash::of_bytes(&bytes);
        let digits: String = hash.as_bytes().iter().map(|b| format!("{b:02x}")).collect();
        prop_assert_eq!(hash.hex(), digits.as_str());
        prop_assert_eq!(hash.to_string(), format!("sha256:{digits}"));
        prop_assert_eq!(serde_json::to_value(hash).unwrap(), json!(format!("sha256:{digits}")));
        prop_assert_eq!(deed_canon::derive_id("run", &hash), format!("run_{}", digits.get(..32).unwrap()));
        prop_assert_eq!(hash.to_string().parse::<ContentHash>(), Ok(hash));
    }
}
