//! Rules over all operators, with constants of every kind and data that fits some of them.

use serde_json::{Value, json};

use super::Random;

const STRINGS: [&str; 30] = [
    "",
    " ",
    "0",
    "1",
    "-1",
    " 12 ",
    "1e3",
    "0x10",
    "0b11",
    "1.5",
    ".5",
    "5.",
    "-",
    "a",
    "b",
    "ab",
    "abc",
    "Abc",
    "é",
    "ünï",
    "true",
    "false",
    "null",
    "undefined",
    "NaN",
    "Infinity",
    "-Infinity",
    "1,2",
    "[object Object]",
    "12px",
];

const NUMBERS: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    3.0,
    10.0,
    12.0,
    16.0,
    0.1,
    0.2,
    1.5,
    -2.5,
    100.0,
    1e3,
    1e21,
    1e-7,
    123_456_789.0,
    9_007_199_254_740_991.0,
    1e300,
];

const PATHS: [&str; 33] = [
    "",
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    "zz",
    "a.b",
    "a.b.c",
    "b.0",
    "b.1",
    "b.length",
    "c.x",
    "c.x.0",
    "c.y",
    "d.length",
    "d.0",
    "d.1",
    "e.0.q",
    "e.1.q",
    "e.length",
    "f.f",
    ".",
    "a.",
    "b.00",
    "b.-1",
    "0",
    "1",
    "q",
    "current",
    "accumulator",
];

const OPERATORS: [&str; 35] = [
    "var",
    "missing",
    "missing_some",
    "if",
    "?:",
    "==",
    "===",
    "!=",
    "!==",
    "!",
    "!!",
    "or",
    "and",
    ">",
    ">=",
    "<",
    "<=",
    "max",
    "min",
    "+",
    "-",
    "*",
    "/",
    "%",
    "map",
    "reduce",
    "filter",
    "all",
    "none",
    "some",
    "merge",
    "in",
    "cat",
    "substr",
    "log",
];

/// A constant of any kind. Objects never have exactly one key, so they are not operations.
pub(crate) fn constant(r: &mut Random) -> Value {
    match r.below(12) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(false),
        3..=5 => number(r),
        6 | 7 => json!(r.pick(&STRINGS)),
        8 => json!([]),
        9 => json!([constant(r)]),
        10 => {
            let items: Vec<Value> = (0..r.below(4)).map(|_| constant(r)).collect();
            json!(items)
        }
        _ if r.below(3) == 0 => json!({}),
        _ => json!({"p": r.below(3), "q": json!(r.pick(&STRINGS))}),
    }
}

fn number(r: &mut Random) -> Value {
    if r.below(3) == 0 {
        return json!(i64::try_from(r.below(40)).unwrap() - 10);
    }
    let n = *r.pick(&NUMBERS);
    if n.fract() == 0.0 && n.abs() < 9e15 && !(n == 0.0 && n.is_sign_negative()) {
        #[allow(clippy::cast_possible_truncation, reason = "integral and small")]
        return json!(n as i64);
    }
    json!(n)
}

/// Data with the fields that the paths speak of.
pub(crate) fn data(r: &mut Random) -> Value {
    match r.below(12) {
        0 => constant(r),
        1 => json!([constant(r), constant(r)]),
        _ => {
            let mut fields = serde_json::Map::new();
            for name in ["a", "b", "c", "d", "e", "f", "g"] {
                if r.below(6) == 0 {
                    continue;
                }
                let value = match (name, r.below(3)) {
                    (_, 0) => constant(r),
                    ("a", _) => json!({"b": constant(r), "z": 1}),
                    ("b", _) => json!([constant(r), constant(r), constant(r)]),
                    ("c", _) => json!({"x": [constant(r)], "y": constant(r)}),
                    ("d", _) => json!(r.pick(&STRINGS)),
                    ("e", _) => json!([{"q": constant(r), "n": 1}, {"q": number(r), "n": 2}]),
                    _ => number(r),
                };
                fields.insert(name.to_owned(), value);
            }
            Value::Object(fields)
        }
    }
}

/// A rule of at most this many levels.
pub(crate) fn rule(r: &mut Random, depth: usize) -> Value {
    if depth == 0 || r.below(5) == 0 {
        return if r.below(2) == 0 { constant(r) } else { var(r) };
    }
    if r.below(12) == 0 {
        let items: Vec<Value> = (0..r.below(4)).map(|_| rule(r, depth - 1)).collect();
        return json!(items);
    }
    let op = *r.pick(&OPERATORS);
    match op {
        "var" => match r.below(3) {
            0 => var(r),
            1 => json!({"var": [r.pick(&PATHS), rule(r, depth - 1)]}),
            _ => json!({"var": rule(r, depth - 1)}),
        },
        "missing" => {
            let keys: Vec<Value> = (0..r.below(4)).map(|_| json!(r.pick(&PATHS))).collect();
            match r.below(4) {
                0 => json!({"missing": rule(r, depth - 1)}),
                1 => json!({"missing": [keys]}),
                _ => json!({"missing": keys}),
            }
        }
        "missing_some" => {
            let keys: Vec<Value> = (0..r.below(4)).map(|_| json!(r.pick(&PATHS))).collect();
            match r.below(4) {
                0 => json!({"missing_some": [rule(r, depth - 1), rule(r, depth - 1)]}),
                1 => json!({"missing_some": [constant(r), keys]}),
                _ => json!({"missing_some": [r.below(3), keys]}),
            }
        }
        "map" | "filter" | "all" | "none" | "some" | "reduce" => {
            let over = match r.below(4) {
                0 => rule(r, depth - 1),
                1 => json!([constant(r), constant(r), constant(r)]),
                _ => json!({"var": r.pick(&["b", "e", "c.x", "b", "e", "d"])}),
            };
            let mut args = vec![over, rule(r, depth - 1)];
            if op == "reduce" && r.below(4) > 0 {
                args.push(rule(r, depth - 1));
            }
            if r.below(20) == 0 {
                args.truncate(1);
            }
            json!({ op: args })
        }
        _ => {
            let count = match r.below(10) {
                0 => 0,
                1 => 1,
                2..=6 => 2,
                7 | 8 => 3,
                _ => 4,
            };
            let args: Vec<Value> = (0..count).map(|_| rule(r, depth - 1)).collect();
            match args.as_slice() {
                // An array in the place of the arguments would be the arguments.
                [single] if r.below(2) == 0 && !single.is_array() => json!({ op: single }),
                _ => json!({ op: args }),
            }
        }
    }
}

fn var(r: &mut Random) -> Value {
    match r.below(8) {
        0 => json!({"var": [r.pick(&PATHS), constant(r)]}),
        1 => json!({"var": constant(r)}),
        _ => json!({"var": r.pick(&PATHS)}),
    }
}

/// Every binary operator on every pair of some constants of every kind, read from the data.
pub(crate) fn matrix() -> Vec<Value> {
    let values = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(2.5),
        json!(1e21),
        json!(""),
        json!(" "),
        json!("0"),
        json!("1"),
        json!("true"),
        json!("a"),
        json!("0x1"),
        json!("1e0"),
        json!("-1"),
        json!([]),
        json!([0]),
        json!([1]),
        json!([[]]),
        json!(["1"]),
        json!([null]),
        json!([1, 2]),
        json!({}),
        json!({"a": 1}),
        json!({"length": 2, "p": 1}),
        json!({"toString": 1}),
    ];
    let operators = [
        "==",
        "===",
        "!=",
        "!==",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "min",
        "max",
        "in",
        "cat",
        "merge",
        "substr",
        "and",
        "or",
        "missing_some",
    ];
    let mut cases = Vec::new();
    for op in operators {
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate() {
                // The same value is the same object only where it is read from the same place.
                let right = if i == j && (i + cases.len()) % 2 == 0 { "x" } else { "y" };
                let rule = json!({ op: [{"var": "x"}, { "var": right }] });
                cases.push(json!({"rule": rule, "data": {"x": a, "y": b}}));
            }
        }
    }
    cases
}
