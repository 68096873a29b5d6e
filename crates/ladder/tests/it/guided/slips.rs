//! Values, and the texts that models make of them: one slip at a time, and two.

use serde_json::{Value, json};

/// Values with their schemas.
pub(crate) fn values() -> Vec<(&'static str, Value, Value)> {
    let order = json!({ "type": "object", "additionalProperties": false, "required": ["id", "lines"], "properties": {
        "id": { "type": "string" }, "total": { "type": "number" }, "paid": { "type": "boolean" },
        "note": { "type": ["string", "null"] },
        "lines": { "type": "array", "items": { "type": "object", "additionalProperties": false,
            "properties": { "sku": { "type": "string" }, "quantity": { "type": "integer" } } } } } });
    let page = json!({ "type": "object", "required": ["title", "body"], "properties": {
        "title": { "type": "string" }, "body": { "type": "string" }, "links": { "type": "array", "items": { "type": "string" } } } });
    let settings = json!({ "type": "object", "properties": { "retries": { "type": "integer" }, "enabled": { "type": "boolean" },
        "hosts": { "type": "array", "items": { "type": "string" } }, "limits": { "type": "object" } } });
    vec![
        (
            "order",
            order.clone(),
            json!({ "id": "SO-1", "total": 12.5, "paid": true, "note": null, "lines": [{ "sku": "TEA", "quantity": 2 }] }),
        ),
        ("order of two", order, json!({ "id": "SO-2", "lines": [{ "sku": "A" }, { "sku": "B", "quantity": 1 }] })),
        (
            "page",
            page.clone(),
            json!({ "title": "How to: read", "body": "One, two; {three}.\nFour's five", "links": ["https://example.com/#a"] }),
        ),
        ("page in other letters", page, json!({ "title": "Größe – 東京", "body": "a \\ b \"c\" d", "links": [] })),
        (
            "long text",
            page2(),
            json!({ "title": "Release notes: v2.0", "body": "It's faster.\n\n- one\n- two\n\n\tindented // not a comment # neither" }),
        ),
        (
            "deep",
            json!({ "type": "object" }),
            json!({ "a": { "b": [{ "c": [1, 2, { "d": "e" }] }, "f"], "g": "" }, "h": true }),
        ),
        (
            "settings",
            settings,
            json!({ "retries": 3, "enabled": false, "hosts": ["a", "b"], "limits": { "cpu": 0.5, "memory": -1 } }),
        ),
    ]
}

fn page2() -> Value {
    json!({ "type": "object", "additionalProperties": false, "required": ["title", "body"],
        "properties": { "title": { "type": "string" }, "body": { "type": "string" } } })
}

type Slip = (&'static str, fn(&Value) -> Option<String>);

/// A name, and what is put around a text.
type Wrap = (&'static str, fn(&str) -> String);

const SLIPS: [Slip; 27] = [
    ("fence", |v| Some(format!("```json\n{v:#}\n```"))),
    ("fence without language", |v| Some(format!("```\n{v}\n```\n"))),
    ("prose before", |v| Some(format!("Sure, here is the JSON:\n\n{v}"))),
    ("prose after", |v| Some(format!("{v}\n\nLet me know if that works for you."))),
    ("prose around a fence", |v| Some(format!("Here:\n```json\n{v:#}\n```\nDone."))),
    ("trailing comma", |v| Some(format!("{}", v).strip_suffix('}').map(|t| format!("{t},}}")).unwrap())),
    ("single quotes", |v| Some(python(v))),
    ("unquoted keys", |v| Some(bare_keys(v))),
    ("smart quotes", |v| smart(v)),
    ("comment before", |v| Some(format!("// the answer\n{v}"))),
    ("comment inside", |v| Some(format!("{v:#}").replacen('{', "{ // begins\n", 1))),
    ("block comment", |v| Some(format!("{v}").replacen('{', "{/* begins */", 1))),
    ("missing last brace", |v| {
        v.to_string().strip_suffix('}').filter(|t| !t.ends_with(char::is_numeric)).map(str::to_owned)
    }),
    ("missing last brace and a space", |v| v.to_string().strip_suffix('}').map(|t| format!("{t} "))),
    ("the same twice", |v| Some(format!("{v}\n{v:#}"))),
    ("stray brace", |v| (!v.to_string().ends_with("}}")).then(|| format!("{v}}}"))),
    ("colons with spaces", |v| Some(format!("{v:#},").replace("\": ", "\" : "))),
    ("semicolon behind", |v| Some(format!("{v};"))),
    ("assignment", |v| Some(format!("const result = {v:#};"))),
    ("tag", |v| Some(format!("<json>\n{v}\n</json>"))),
    ("reasoning", |v| Some(format!("<think>\nI need an object {{}}.\n</think>\n{v}"))),
    ("byte order mark", |v| Some(format!("\u{feff}{v}"))),
    ("no-break spaces", |v| Some(format!("{v:#}").replace("\n  \"", "\n\u{a0}\u{a0}\""))),
    ("encoded twice", |v| Some(Value::from(v.to_string()).to_string())),
    ("missing commas", |v| (!v.to_string().contains("[]")).then(|| format!("{v:#}").replace(",\n", "\n"))),
    ("bold", |v| Some(format!("**{v}**"))),
    ("arrow", |v| Some(format!("result -> {v}"))),
];

/// Texts of a value with one slip, and with two where both can be made.
pub(crate) fn texts(value: &Value) -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> =
        SLIPS.iter().filter_map(|(name, slip)| Some(((*name).to_owned(), slip(value)?))).collect();
    let outer: [Wrap; 3] = [
        ("in a fence", |text| format!("```json\n{text}\n```")),
        ("after prose", |text| format!("The result is as follows.\n{text}")),
        ("with a remark", |text| format!("{text}\n# end")),
    ];
    for (name, slip) in SLIPS.iter().filter(|(name, _)| {
        ["trailing comma", "single quotes", "unquoted keys", "comment inside", "missing commas", "block comment"]
            .contains(name)
    }) {
        let Some(text) = slip(value) else { continue };
        texts.extend(outer.iter().map(|(around, wrap)| (format!("{name} {around}"), wrap(&text))));
    }
    texts
}

fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => {
            let inner = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
            format!("'{inner}'")
        }
        Value::Array(items) => format!("[{}]", items.iter().map(python).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let members: Vec<String> = map.iter().map(|(key, inner)| format!("'{key}': {}", python(inner))).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn bare_keys(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(bare_keys).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let members: Vec<String> = map.iter().map(|(key, inner)| format!("{key}: {}", bare_keys(inner))).collect();
            format!("{{{}}}", members.join(", "))
        }
        other => other.to_string(),
    }
}

/// With typographic quotes; none where a text has quotes or escapes of its own.
fn smart(value: &Value) -> Option<String> {
    let text = value.to_string();
    let mut open = false;
    (!text.contains('\\')).then(|| {
        text.chars()
            .map(|c| match c {
                '"' => {
                    open = !open;
                    if open { '“' } else { '”' }
                }
                other => other,
            })
            .collect()
    })
}
