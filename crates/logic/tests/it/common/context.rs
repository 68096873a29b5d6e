//! A closed context type, values drawn from it, and predicates over it.

use serde_json::{Map, Value, json};

use super::Random;

/// The schema that the contexts and predicates here are drawn from.
pub(crate) fn schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["n", "m", "s", "b", "u", "list", "rows"],
        "properties": {
            "n": {"type": "number", "minimum": -2, "maximum": 4},
            "m": {"type": "number"},
            "k": {"enum": [1, 2, 3]},
            "s": {"enum": ["x", "y"]},
            "t": {"type": "string"},
            "b": {"type": "boolean"},
            "c": {"type": "boolean"},
            "u": {"type": ["number", "string", "null"]},
            "list": {"type": "array", "items": {"type": "number"}},
            "rows": {"type": "array", "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["p"],
                "properties": {"p": {"type": "number"}, "q": {"type": "string"}}
            }}
        }
    })
}

/// A context of that schema.
pub(crate) fn context(r: &mut Random) -> Value {
    let mut fields = Map::new();
    let int = |r: &mut Random| json!(i64::try_from(r.below(9)).unwrap() - 3);
    let text = |r: &mut Random| json!(r.pick(&["x", "y", "z", "", "1"]));
    fields.insert("n".into(), json!(*r.pick(&[-2.0, -1.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0])));
    fields.insert("m".into(), int(r));
    fields.insert("s".into(), json!(r.pick(&["x", "y"])));
    fields.insert("b".into(), json!(r.below(2) == 0));
    let u = match r.below(3) {
        0 => Value::Null,
        1 => int(r),
        _ => text(r),
    };
    fields.insert("u".into(), u);
    let list: Vec<Value> = (0..r.below(4)).map(|_| int(r)).collect();
    fields.insert("list".into(), json!(list));
    let rows: Vec<Value> = (0..r.below(3))
        .map(|_| if r.below(2) == 0 { json!({"p": int(r)}) } else { json!({"p": 1, "q": "x"}) })
        .collect();
    fields.insert("rows".into(), json!(rows));
    if r.below(2) == 0 {
        fields.insert("k".into(), json!(1 + r.below(3)));
    }
    if r.below(2) == 0 {
        fields.insert("t".into(), text(r));
    }
    if r.below(2) == 0 {
        fields.insert("c".into(), json!(r.below(2) == 0));
    }
    Value::Object(fields)
}

const FIELDS: [&str; 16] =
    ["n", "n", "n", "m", "m", "k", "s", "s", "t", "b", "c", "u", "list", "list.length", "rows.0.p", "zz"];

fn constant(r: &mut Random) -> Value {
    match r.below(9) {
        0..=3 => json!(i64::try_from(r.below(8)).unwrap() - 3),
        4 => json!(0.5),
        5 | 6 => json!(r.pick(&["x", "y", "z", "1"])),
        7 => json!(r.below(2) == 0),
        _ => Value::Null,
    }
}

fn var(r: &mut Random) -> Value {
    let field = *r.pick(&FIELDS);
    match r.below(6) {
        0 => json!({"var": [field, constant(r)]}),
        _ => json!({ "var": field }),
    }
}

/// A constant that fits a field more often than not, so that most predicates evaluate.
fn fitting(r: &mut Random, field: &str) -> Value {
    if r.below(8) == 0 {
        return constant(r);
    }
    match field {
        "s" | "t" => json!(r.pick(&["x", "y", "z"])),
        "b" | "c" => json!(r.below(2) == 0),
        _ => json!(*r.pick(&[-3.0, -2.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0])),
    }
}

/// A predicate of at most this many levels.
pub(crate) fn predicate(r: &mut Random, depth: usize) -> Value {
    predicate_on(r, &FIELDS, depth)
}

/// A few fields, so that several predicates meet on the same ones.
pub(crate) fn few_fields(r: &mut Random) -> Vec<&'static str> {
    (0..1 + r.below(2)).map(|_| *r.pick(&FIELDS)).collect()
}

/// A predicate over these fields.
pub(crate) fn predicate_on(r: &mut Random, fields: &[&str], depth: usize) -> Value {
    if depth == 0 {
        return comparison(r, fields);
    }
    match r.below(9) {
        0 | 1 => {
            let args: Vec<Value> = (0..1 + r.below(3)).map(|_| predicate_on(r, fields, depth - 1)).collect();
            json!({ *r.pick(&["and", "or"]): args })
        }
        2 | 3 => json!({"and": [predicate_on(r, fields, depth - 1), predicate_on(r, fields, depth - 1)]}),
        4 => json!({"!": [predicate_on(r, fields, depth - 1)]}),
        5 => json!({"!!": predicate_on(r, fields, depth - 1)}),
        6 => json!({"if": [
            predicate_on(r, fields, depth - 1),
            predicate_on(r, fields, depth - 1),
            predicate_on(r, fields, depth - 1)
        ]}),
        _ => comparison(r, fields),
    }
}

fn comparison(r: &mut Random, fields: &[&str]) -> Value {
    let field = *r.pick(fields);
    let left = json!({ "var": field });
    let right = fitting(r, field);
    let equality = *r.pick(&["==", "!=", "===", "!=="]);
    let order = *r.pick(&["<", "<=", ">", ">="]);
    match r.below(15) {
        0 | 1 => json!({ equality: [left, right] }),
        2 => json!({ equality: [right, left] }),
        3..=5 => json!({ order: [left, right] }),
        6 => json!({ order: [right, left] }),
        7 => json!({ *r.pick(&["<", "<="]): [fitting(r, field), left, right] }),
        8 => json!({"in": [left, [right, fitting(r, field), constant(r)]]}),
        9 => json!({"var": r.pick(&["b", "c", "b"])}),
        10 => json!({ order: [var(r), var(r)] }),
        11 => json!({ *r.pick(&["some", "all", "none"]): [
            {"var": r.pick(&["list", "list", "t"])}, { order: [{"var": ""}, constant(r)] }
        ]}),
        12 => missing(r),
        13 => json!({ *r.pick(&["some", "all", "none"]): [{"var": "rows"}, {"missing": r.pick(&["p", "q", "zz"])}] }),
        _ => match r.below(3) {
            0 => json!(r.below(2) == 0),
            1 => json!({ order: [{"+": [left, 1]}, right] }),
            _ => json!({ equality: [var(r), constant(r)] }),
        },
    }
}

/// A test for absent fields, of which none is ever a null or an empty string.
pub(crate) fn missing(r: &mut Random) -> Value {
    let keys: Vec<Value> =
        (0..1 + r.below(3)).map(|_| json!(r.pick(&["n", "k", "c", "k", "zz", "rows.0.p"]))).collect();
    match r.below(4) {
        0 => json!({"missing_some": [1 + r.below(2), keys]}),
        1 => json!({"missing": [keys]}),
        _ => json!({ "missing": keys }),
    }
}

/// A value of any kind where a condition is expected: often a `missing`, sometimes a list that is none.
pub(crate) fn condition(r: &mut Random, depth: usize) -> Value {
    let below = depth.saturating_sub(1);
    let kinds = if depth == 0 { 5 } else { 11 };
    match r.below(kinds) {
        0..=2 => missing(r),
        3 => json!({"var": r.pick(&["b", "c", "u", "list", "n", "s", "rows"])}),
        4 => comparison(r, &FIELDS),
        5 | 6 => {
            let operands: Vec<Value> = (0..1 + r.below(3)).map(|_| condition(r, below)).collect();
            json!({ *r.pick(&["and", "or"]): operands })
        }
        7 => json!({ *r.pick(&["!", "!!"]): [condition(r, below)] }),
        8 => json!({"if": [condition(r, below), condition(r, below), condition(r, below)]}),
        9 => json!({"merge": [missing(r)]}),
        _ => json!([condition(r, below), true]),
    }
}

/// The expected result of an expression.
#[derive(Clone, Copy)]
enum Sort {
    Number,
    Text,
    Bool,
    Numbers,
    Whatever,
}

/// An expression over the same context, well typed but for a slip now and then.
pub(crate) fn expression(r: &mut Random, depth: usize) -> Value {
    let sort = *r.pick(&[Sort::Number, Sort::Text, Sort::Bool, Sort::Numbers, Sort::Whatever]);
    sorted(r, sort, depth)
}

fn sorted(r: &mut Random, sort: Sort, depth: usize) -> Value {
    if r.below(25) == 0 {
        return if r.below(2) == 0 { constant(r) } else { var(r) };
    }
    if depth == 0 {
        return leaf(r, sort);
    }
    let num = |r: &mut Random| sorted(r, Sort::Number, depth - 1);
    let text = |r: &mut Random| sorted(r, Sort::Text, depth - 1);
    let bool = |r: &mut Random| sorted(r, Sort::Bool, depth - 1);
    let list = |r: &mut Random| sorted(r, Sort::Numbers, depth - 1);
    let same = |r: &mut Random| sorted(r, sort, depth - 1);
    match (sort, r.below(6)) {
        (_, 0) => leaf(r, sort),
        (_, 1) => json!({"if": [bool(r), same(r), same(r)]}),
        (Sort::Number, 2) => json!({"reduce": [
            list(r), {"+": [{"var": "accumulator"}, {"var": "current"}]}, num(r)
        ]}),
        (Sort::Number, 3) => json!({"reduce": [{"var": "rows"}, {"if": [
            {"==": [{"var": "current.p"}, 1]}, {"var": "accumulator"}, {"var": "current.p"}
        ]}, same(r)]}),
        (Sort::Number, _) => json!({ *r.pick(&["+", "-", "*", "max", "min"]): [num(r), num(r)] }),
        (Sort::Text, 2) => json!({"substr": [text(r), r.below(2), r.below(3)]}),
        (Sort::Text, _) => json!({"cat": [text(r), num(r)]}),
        (Sort::Bool, 2) => json!({ *r.pick(&["and", "or"]): [bool(r), bool(r)] }),
        (Sort::Bool, 3) => json!({ *r.pick(&["<", ">="]): [num(r), num(r)] }),
        (Sort::Bool, 4) => json!({ *r.pick(&["==", "!=", "==="]): [text(r), text(r)] }),
        (Sort::Bool, _) => match r.below(4) {
            0 => json!({"in": [num(r), list(r)]}),
            1 => json!({"in": [text(r), text(r)]}),
            2 => json!({ *r.pick(&["some", "all", "none"]): [list(r), {">": [{"var": ""}, 1]}] }),
            _ => json!({"==": [{"var": "u"}, null]}),
        },
        (Sort::Numbers, 2) => json!({"map": [list(r), {"+": [{"var": ""}, 1]}]}),
        (Sort::Numbers, 3) => json!({"map": [{"var": "rows"}, {"var": "p"}]}),
        (Sort::Numbers, 4) => json!({"filter": [list(r), {"<": [{"var": ""}, 2]}]}),
        (Sort::Numbers, _) => json!({"merge": [list(r), num(r)]}),
        (Sort::Whatever, 2) => json!({"missing": ["n", "t", "k"]}),
        (Sort::Whatever, 3) => json!({"var": ["u", num(r)]}),
        (Sort::Whatever, 4) => json!([num(r), text(r), bool(r)]),
        (Sort::Whatever, _) => json!({"merge": [list(r), text(r), null]}),
    }
}

fn leaf(r: &mut Random, sort: Sort) -> Value {
    match sort {
        Sort::Number => match r.below(5) {
            0 => json!(r.below(4)),
            1 => json!({"var": ["k", 2]}),
            2 => json!({"var": "list.length"}),
            3 => json!({"var": ["list.0", 0]}),
            _ => json!({"var": r.pick(&["n", "m"])}),
        },
        Sort::Text => match r.below(3) {
            0 => json!(r.pick(&["x", "y"])),
            1 => json!({"var": ["t", "x"]}),
            _ => json!({"var": "s"}),
        },
        Sort::Bool => match r.below(3) {
            0 => json!(r.below(2) == 0),
            1 => json!({"var": ["c", true]}),
            _ => json!({"var": "b"}),
        },
        Sort::Numbers => match r.below(3) {
            0 => json!([1, 2]),
            _ => json!({"var": "list"}),
        },
        Sort::Whatever => json!({"var": r.pick(&["u", "rows", "s", ""])}),
    }
}
