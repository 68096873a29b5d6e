//! Deep and wide: it ends, and nothing is passed over in silence.

use super::example::{TEXT, turned_down};
use crate::common::Project;
use serde_json::{Value, json};

/// Objects within objects, the innermost a text.
fn nested(levels: usize, holder: impl Fn(Value) -> Value, innermost: Value) -> Value {
    (0..levels).fold(innermost, |inner, _| holder(inner))
}

fn deep(levels: usize) -> String {
    nested(
        levels,
        |inner| json!({ "type": "object", "required": ["a"], "properties": { "a": inner } }),
        json!({ "type": "string" }),
    )
    .to_string()
}

#[test]
fn fifty_levels() {
    let p = Project::bare();
    p.write("s.json", deep(50));
    p.write("filled.json", nested(50, |inner| json!({ "a": inner }), json!("x")).to_string());
    let out = p.ok(&["imprint", "template", "s.json", "--skeleton"]);
    assert_eq!((out.stdout.matches("\"a\":").count(), out.stderr.as_str()), (50, ""));
    assert!(out.stdout.contains("{FILL|string}"));
    p.ok(&["imprint", "lower", "s.json", "filled.json"]);
    p.write("wrong.json", nested(50, |inner| json!({ "a": inner }), json!(1)).to_string());
    p.refuses(&["imprint", "lower", "s.json", "wrong.json"], 1, "D1622", "wrong.json:1:251");
}

/// Levels beyond sixty are not written, which is said, and are enforced all the same.
#[test]
fn a_hundred_levels() {
    let p = Project::bare();
    p.write("s.json", deep(100));
    let out = p.ok(&["imprint", "template", "s.json", "--skeleton"]);
    assert!(out.stdout.contains("{REF: depth|required}"), "{}", out.stdout);
    assert!(out.stderr.contains("not shown, and enforced all the same: depth"), "{}", out.stderr);
    p.write("filled.json", nested(100, |inner| json!({ "a": inner }), json!("x")).to_string());
    p.ok(&["imprint", "lower", "s.json", "filled.json"]);
    p.write("wrong.json", nested(99, |inner| json!({ "a": inner }), json!("x")).to_string());
    p.refuses(&["imprint", "lower", "s.json", "wrong.json"], 1, "D1622", "must be an object");
}

#[test]
fn without_end() {
    let p = Project::bare();
    p.write("s.json", format!("{}{{}}{}", r#"{"items":"#.repeat(20_000), "}".repeat(20_000)));
    p.write("good.json", TEXT);
    turned_down(&p, &["template", "s.json"], 1, "D1630", "s.json");
    turned_down(&p, &["lower", "good.json", "s.json"], 1, "D0107", "128 levels");
    p.write("bomb.yaml", bomb());
    turned_down(&p, &["template", "bomb.yaml"], 1, "D1630", "bomb.yaml");
}

/// Aliases that double thirty times.
fn bomb() -> String {
    let doubled = (1..30).map(|i| format!("a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1));
    std::iter::once("a0: &a0 [x, x]\n".to_owned()).chain(doubled).collect()
}

#[test]
fn ten_thousand_properties() {
    let p = Project::bare();
    let names: Vec<String> = (0..10_000).map(|i| format!("p{i:05}")).collect();
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({ "type": "integer", "minimum": 0 }))).collect();
    p.write(
        "s.json",
        json!({ "properties": properties, "required": names, "additionalProperties": false }).to_string(),
    );
    let out = p.ok(&["imprint", "template", "s.json", "--skeleton"]).stdout;
    assert_eq!(out.matches("{FILL|integer|range:0-}").count(), 10_000);
    let object = |value: i64| -> Value {
        names.iter().map(|name| (name.clone(), json!(value))).collect::<serde_json::Map<_, _>>().into()
    };
    p.write("filled.json", object(1).to_string());
    let payload: Value = serde_json::from_str(&p.ok(&["imprint", "lower", "s.json", "filled.json"]).stdout).unwrap();
    assert_eq!(payload, object(1));
    let mut one = object(1);
    one["p07000"] = json!(-1);
    p.write("one.json", one.to_string());
    p.refuses(&["imprint", "lower", "s.json", "one.json"], 1, "D1624", "`p07000` is -1, below 0");
    p.write("all.json", object(-1).to_string());
    let out = p.run(&["imprint", "lower", "s.json", "all.json", "--lines"]);
    assert!(out.code == 1 && out.stderr.matches("D1624").count() >= 1_000, "{}", out.stderr.len());
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let p = Project::bare();
    // It takes no room on the disk.
    std::fs::File::create(p.path("huge.json")).unwrap().set_len(200 * 1024 * 1024).unwrap();
    p.write("good.json", TEXT);
    turned_down(&p, &["template", "huge.json"], 1, "D0101", "huge.json");
    turned_down(&p, &["operations", "huge.json"], 1, "D0101", "huge.json");
    turned_down(&p, &["lower", "good.json", "huge.json"], 1, "D0101", "huge.json");
    turned_down(&p, &["template", "--template", "huge.json"], 1, "D0101", "huge.json");
}

/// A pattern that would take back steps without end is cut short, and what it cannot match is not passed.
#[test]
fn a_pattern_that_backtracks() {
    let p = Project::bare();
    p.write("s.json", r#"{"type": "string", "pattern": "^(?=(a+)+$)(a+)+$"}"#);
    p.write("filled.json", format!("\"{}!\"", "a".repeat(40)));
    p.refuses(&["imprint", "lower", "s.json", "filled.json"], 1, "D1625", "filled.json:1:1");
}
