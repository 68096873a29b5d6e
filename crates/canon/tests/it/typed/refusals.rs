//! Values without a canonical form, and the names of their places.

use super::{Keyed, Kind, Tree, check, refused, routes};
use deed_canon::{CanonError, MAX_DEPTH, to_canonical, to_canonical_of};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// `levels` arrays around an empty map.
fn nested(levels: usize) -> Value {
    (1..levels).fold(json!({}), |inner, _| json!([inner]))
}

#[test]
fn the_last_level_passes_and_the_next_does_not() {
    let deep = CanonError::TooDeep { limit: MAX_DEPTH };
    check(&nested(MAX_DEPTH), &String::from_utf8(to_canonical(&nested(MAX_DEPTH)).unwrap()).unwrap());
    refused(&nested(MAX_DEPTH + 1), &deep);
    assert_eq!(to_canonical(&nested(MAX_DEPTH + 1)).unwrap_err(), deep);

    #[derive(Serialize)]
    enum Wrapped {
        Newtype(Value),
        Tuple(Value, u8),
        Struct { v: Value },
    }
    // A variant with one value is one level, with several or named ones two.
    for (make, levels) in [
        ((|v| Wrapped::Newtype(v)) as fn(Value) -> Wrapped, 1),
        (|v| Wrapped::Tuple(v, 1), 2),
        (|v| Wrapped::Struct { v }, 2),
    ] {
        let passes = make(nested(MAX_DEPTH - levels));
        assert_eq!(routes(&passes).0.unwrap(), routes(&passes).1.unwrap());
        refused(&make(nested(MAX_DEPTH - levels + 1)), &deep);
    }
    refused(&(1..=MAX_DEPTH).fold(Tree::Bytes(vec![]), |inner, _| Tree::List(vec![inner])), &deep);
}

#[test]
fn levels_are_given_back_when_something_closes() {
    let row: Vec<Value> = (0..300).map(|i| json!({ "list": [i], "map": {} })).collect();
    assert_eq!(routes(&row).0, routes(&row).1);
    let variants: Vec<Kind> = (0..300).map(|_| Kind::Tuple(0, String::new())).collect();
    assert_eq!(routes(&variants).0, routes(&variants).1);
}

#[test]
fn a_refused_number_is_named_by_its_place() {
    #[derive(Serialize)]
    struct Outer {
        #[serde(rename = "z/")]
        first: Map<String, Value>,
        list: Vec<Held>,
    }
    #[derive(Serialize)]
    enum Held {
        Struct { b: u8, a: f64 },
        Tuple(u8, u64),
        Newtype(i128),
    }
    let outer = |held| Outer { first: Map::from_iter([("k".into(), json!([1]))]), list: vec![Held::Tuple(1, 2), held] };
    let at = |pointer: &str| pointer.to_owned();
    refused(&outer(Held::Struct { b: 1, a: f64::NAN }), &CanonError::NotFinite { pointer: at("/list/1/Struct/a") });
    refused(
        &outer(Held::Struct { b: 1, a: f64::NEG_INFINITY }),
        &CanonError::NotFinite { pointer: at("/list/1/Struct/a") },
    );
    refused(&outer(Held::Tuple(1, u64::MAX)), &CanonError::UnsafeInteger { pointer: at("/list/1/Tuple/1") });
    refused(&outer(Held::Newtype(i128::MIN)), &CanonError::UnsafeInteger { pointer: at("/list/1/Newtype") });
    refused(&json!({ "a": [0, { "b/c~": 1e16 }] }), &CanonError::UnsafeInteger { pointer: at("/a/1/b~1c~0") });
    refused(&f32::NAN, &CanonError::NotFinite { pointer: at("") });
}

#[test]
fn a_key_given_twice_is_named_by_its_place() {
    #[derive(Serialize)]
    struct Flat {
        name: u8,
        #[serde(flatten)]
        more: BTreeMap<String, u8>,
    }
    let flat = Flat { name: 1, more: BTreeMap::from([("a".into(), 1), ("name".into(), 2)]) };
    refused(&vec![flat], &CanonError::DuplicateKey { pointer: "/0/name".into() });
    refused(&Keyed(vec!["a\n", "a\n"]), &CanonError::DuplicateKey { pointer: "/a\n".into() });
}

#[test]
fn what_a_type_says_against_itself_is_passed_on() {
    struct Refuses;
    impl Serialize for Refuses {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("not today"))
        }
    }
    refused(&[Refuses], &CanonError::NotJson("not today".into()));
}

/// Gives a map these steps, whatever comes of each.
struct Misuse(&'static [Step]);

enum Step {
    Key(&'static str),
    Value(f64),
}

impl Serialize for Misuse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for step in self.0 {
            let _ = match step {
                Step::Key(key) => map.serialize_key(key),
                Step::Value(value) => map.serialize_value(value),
            };
        }
        map.end()
    }
}

#[test]
fn a_type_that_misuses_a_map_gets_no_bytes() {
    use Step::{Key, Value};
    let no_key = Misuse(&[Value(1.0)]);
    let no_value = Misuse(&[Key("a")]);
    let two_keys = Misuse(&[Key("a"), Key("b"), Value(1.0)]);
    let goes_on = Misuse(&[Key("a"), Value(f64::NAN)]);
    for misuse in [no_key, no_value, two_keys, goes_on] {
        let error = to_canonical_of(&misuse).unwrap_err();
        assert!(matches!(error, CanonError::NotJson(_)), "{error}");
    }
    let well = Misuse(&[Key("a"), Value(1.0)]);
    assert_eq!(to_canonical_of(&well).unwrap(), br#"{"a":1}"#);
}

#[test]
fn keys_that_have_no_text_are_refused() {
    #[track_caller]
    fn check<K: Serialize>(key: K) {
        let (through, direct) = routes(&Keyed(vec![key]));
        assert!(through.is_err() && direct.is_err(), "{through:?} and {direct:?}");
    }
    check(());
    check(Some("x"));
    check(None::<u8>);
    check((1, 2));
    check([1u8].as_slice());
    check(json!({}));
    check(Kind::Newtype(1.0));
    check(Kind::Tuple(1, String::new()));
    check(Kind::Struct { zeta: true, eta: 'e' });
    check(f64::NAN);
    check(f32::INFINITY);
}
