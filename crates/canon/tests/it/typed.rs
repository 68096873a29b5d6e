//! Typed data is written to the same bytes as its `serde_json::Value`, without making one.

mod forms;
mod properties;
mod refusals;

use deed_canon::{CanonError, ContentHash, Scratch, TypeTag, hash_of, hash_of_with, to_canonical, to_canonical_of};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

const TAG: TypeTag = TypeTag::literal("deed/test/v1");
const SAFE: i64 = 9_007_199_254_740_991;

/// Both routes for one value: through a `Value`, and directly.
fn routes<T: Serialize + ?Sized>(data: &T) -> (Result<Vec<u8>, String>, Result<Vec<u8>, String>) {
    let value = serde_json::to_value(data).map_err(|e| e.to_string());
    let through = value.and_then(|v| to_canonical(&v).map_err(|e| e.to_string()));
    (through, to_canonical_of(data).map_err(|e| e.to_string()))
}

#[track_caller]
fn check<T: Serialize + ?Sized>(data: &T, expected: &str) {
    assert_eq!(String::from_utf8(to_canonical_of(data).unwrap()).unwrap(), expected);
    assert_eq!(routes(data).0.unwrap(), expected.as_bytes(), "through a value");
}

#[track_caller]
fn refused<T: Serialize + ?Sized>(data: &T, expected: &CanonError) {
    assert_eq!(&to_canonical_of(data).unwrap_err(), expected);
    assert_eq!(&hash_of(&TAG, data).unwrap_err(), expected);
}

/// Data that gives its members in an order of its own, and numbers in types of their own.
#[derive(Debug, Clone)]
enum Tree {
    Unit,
    Small(i8),
    Wide(i128),
    Huge(u128),
    Single(f32),
    Double(f64),
    Letter(char),
    Bytes(Vec<u8>),
    Shown(String),
    List(Vec<Tree>),
    Members(Vec<(String, Tree)>),
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unit => serializer.serialize_none(),
            Self::Small(n) => serializer.serialize_some(n),
            Self::Wide(n) => serializer.serialize_i128(*n),
            Self::Huge(n) => serializer.serialize_u128(*n),
            Self::Single(n) => serializer.serialize_f32(*n),
            Self::Double(n) => serializer.serialize_f64(*n),
            Self::Letter(c) => serializer.serialize_char(*c),
            Self::Bytes(b) => serializer.serialize_bytes(b),
            Self::Shown(text) => serializer.collect_str(&format_args!("{text}/{text}\t{}", text.len())),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(None)?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Members(members) => {
                let mut map = serializer.serialize_map(None)?;
                members.iter().try_for_each(|(k, v)| map.serialize_entry(k, v))?;
                map.end()
            }
        }
    }
}

#[derive(Debug, Serialize)]
struct Inner {
    b: u64,
    a: Kind,
}

#[derive(Debug, Clone, Serialize)]
enum Kind {
    Unit,
    Newtype(f32),
    Tuple(u8, String),
    Struct { zeta: bool, eta: char },
}

/// A map from each of these to 0.
struct Keyed<K>(Vec<K>);

impl<K: Serialize> Serialize for Keyed<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|k| map.serialize_entry(k, &0))?;
        map.end()
    }
}

#[test]
fn one_buffer_serves_many_hashes() {
    let mut scratch = Scratch::default();
    for n in 0..9 {
        let data = BTreeMap::from([("n", n)]);
        let expected = ContentHash::of_bytes(format!("deed/test/v1\n{{\"n\":{n}}}").as_bytes());
        assert_eq!(hash_of_with(&TAG, &data, &mut scratch).unwrap(), expected);
        assert_eq!(hash_of(&TAG, &data).unwrap(), expected);
    }
    hash_of_with(&TAG, &f64::NAN, &mut scratch).unwrap_err();
    hash_of_with(&TAG, &1, &mut scratch).unwrap();
    assert_eq!(scratch.bytes(), b"1");
}
