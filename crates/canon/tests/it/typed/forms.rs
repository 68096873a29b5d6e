//! The JSON form of each kind of data.

use super::{Inner, Keyed, Kind, SAFE, Tree, check};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

#[test]
fn scalars_have_the_forms_of_serde_json() {
    #[derive(Serialize)]
    struct Unit;
    #[derive(Serialize)]
    struct Newtype(u8);
    #[derive(Serialize)]
    struct Pair(u8, &'static str);
    check(&(), "null");
    check(&None::<u8>, "null");
    check(&Some(Some(3)), "3");
    check(&Unit, "null");
    check(&Newtype(7), "7");
    check(&Pair(7, "x"), r#"[7,"x"]"#);
    check(&(true, false, 'é', '"'), r#"[true,false,"é","\""]"#);
    check(
        &[i64::from(i32::MIN), -SAFE, SAFE, 0, 10, 99, 100],
        "[-2147483648,-9007199254740991,9007199254740991,0,10,99,100]",
    );
    check(&[1.0, -0.0, 0.1, 1e21, 1e-7, 123_456.789], "[1,0,0.1,1e+21,1e-7,123456.789]");
    check(&0.1f32, "0.10000000149011612");
    check("\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1f}\"\\/\u{7f}", "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\\"\\\\/\u{7f}\"");
    check(&Tree::Bytes(vec![0, 9, 10, 255]), "[0,9,10,255]");
}

#[test]
fn an_escape_is_found_at_every_place_of_a_text() {
    for length in 1..70 {
        for at in 0..length {
            let mut text = vec![b'x'; length];
            text[at] = b'\n';
            let text = String::from_utf8(text).unwrap();
            check(&text, &format!("\"{}\"", text.replace('\n', "\\n")));
        }
    }
}

#[test]
fn enums_are_tagged_from_outside() {
    check(&Kind::Unit, r#""Unit""#);
    check(&Kind::Newtype(1.5), r#"{"Newtype":1.5}"#);
    check(&Kind::Tuple(1, "x".into()), r#"{"Tuple":[1,"x"]}"#);
    check(&Kind::Struct { zeta: true, eta: 'e' }, r#"{"Struct":{"eta":"e","zeta":true}}"#);
    check(
        &[Inner { b: 1, a: Kind::Struct { zeta: true, eta: 'e' } }],
        r#"[{"a":{"Struct":{"eta":"e","zeta":true}},"b":1}]"#,
    );
}

#[test]
fn enums_with_tags_inside_and_beside_are_sorted_too() {
    #[derive(Serialize)]
    #[serde(tag = "type")]
    enum Inside {
        One { x: u8, a: u8 },
    }
    #[derive(Serialize)]
    #[serde(tag = "t", content = "c")]
    enum Beside {
        One(u8, u8),
    }
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Without {
        One { b: u8, a: u8 },
    }
    check(&Inside::One { x: 1, a: 2 }, r#"{"a":2,"type":"One","x":1}"#);
    check(&Beside::One(1, 2), r#"{"c":[1,2],"t":"One"}"#);
    check(&Without::One { b: 1, a: 2 }, r#"{"a":2,"b":1}"#);
}

#[test]
fn keys_that_have_one_text_are_written_as_it() {
    #[derive(Serialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
    enum Name {
        Second,
        First,
    }
    #[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
    struct Id(String);
    check(&BTreeMap::from([(2, 'b'), (10, 'a'), (-1, 'c')]), r#"{"-1":"c","10":"a","2":"b"}"#);
    check(&BTreeMap::from([(u128::MAX, 0)]), r#"{"340282366920938463463374607431768211455":0}"#);
    check(&BTreeMap::from([(i128::MIN, 0)]), r#"{"-170141183460469231731687303715884105728":0}"#);
    check(&BTreeMap::from([(false, 0), (true, 1)]), r#"{"false":0,"true":1}"#);
    check(&BTreeMap::from([('\n', 0), ('!', 1), ('"', 2)]), r#"{"\n":0,"!":1,"\"":2}"#);
    check(&HashMap::from([(Name::Second, 2), (Name::First, 1)]), r#"{"First":1,"Second":2}"#);
    check(&BTreeMap::from([(Id("b".into()), 1), (Id("a\\".into()), 2)]), r#"{"a\\":2,"b":1}"#);
    check(&Keyed(vec![1.0f64, 0.5]), r#"{"0.5":0,"1.0":0}"#);
    check(&Keyed(vec![0.1f32]), r#"{"0.1":0}"#);
}

#[test]
fn keys_beyond_the_basic_plane_come_before_the_private_area() {
    let nested = Tree::Members(vec![
        ("\u{e000}".into(), Tree::Unit),
        ("\u{10000}".into(), Tree::Members(vec![("\u{ffff}".into(), Tree::Unit), ("\u{10ffff}".into(), Tree::Unit)])),
        ("\u{d7ff}".into(), Tree::Unit),
    ]);
    check(&nested, "{\"\u{d7ff}\":null,\"\u{10000}\":{\"\u{10ffff}\":null,\"\u{ffff}\":null},\"\u{e000}\":null}");
}

#[test]
fn a_text_that_is_shown_is_escaped_across_its_parts() {
    struct Parts;
    impl fmt::Display for Parts {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a\"")?;
            f.write_str("")?;
            writeln!(f, "{}", 1)
        }
    }
    impl Serialize for Parts {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }
    check(&Parts, r#""a\"1\n""#);
    check(&Keyed(vec![Parts]), r#"{"a\"1\n":0}"#);
}
