//! Schemas built to hurt, and schemas that are merely odd: each ends soon, with the right answer.

use deed_imprint::Imprint;
use deed_schema::{Api, Dialect, Part, Reason, Refused, Schema};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Runs something on a stack of 2 MiB, and gives it a time no honest work here comes near.
#[track_caller]
fn soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::Builder::new().stack_size(2 << 20).spawn(move || sender.send(work()));
    let worker = worker.unwrap();
    match receiver.recv_timeout(Duration::from_secs(20)) {
        Ok(found) => found,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it does not end"),
        Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(fault) => std::panic::resume_unwind(fault),
            Ok(_) => panic!("nothing came of it"),
        },
    }
}

fn imprint(schema: Value) -> Result<Imprint, Refused> {
    Schema::new(schema).and_then(Imprint::new)
}

/// The template of a schema, with all that one does with a template done once.
fn used(schema: Value, payload: Value) -> Result<String, Refused> {
    soon(move || {
        let imprint = imprint(schema)?;
        let filled = imprint.fill(&payload);
        let lowered = imprint.lower(&filled.document, &filled.supplied);
        assert_eq!(lowered.payload, Some(payload), "{:?}", lowered.findings);
        assert!(imprint.head().chars().count() <= 200);
        assert!(Schema::new(imprint.shown()).is_ok());
        let again = Imprint::from_text(&imprint.text()).unwrap();
        assert_eq!(again.skeleton(), imprint.skeleton());
        Ok(imprint.text())
    })
}

#[track_caller]
fn refused(schema: Value, reason: Reason, message: &str) -> Refused {
    match soon(move || imprint(schema).map(|imprint| imprint.text())) {
        Ok(text) => panic!("taken as {}", text.chars().take(400).collect::<String>()),
        Err(refused) => {
            assert_eq!(refused.reason, reason, "{refused}");
            assert!(refused.message.contains(message), "{}", refused.message);
            refused
        }
    }
}

fn nested(levels: usize, leaf: Value) -> Value {
    (0..levels).fold(leaf, |inner, level| {
        json!({ "type": "object", "required": [format!("l{level}")], "properties": { format!("l{level}"): inner } })
    })
}

fn nested_payload(levels: usize) -> Value {
    (0..levels).fold(json!("x"), |inner, level| json!({ format!("l{level}"): inner }))
}

#[test]
fn fifty_levels_are_all_shown() {
    let text = used(nested(50, json!({ "type": "string" })), nested_payload(50)).unwrap();
    for level in 0..50 {
        assert!(text.contains(&format!("\"l{level}\"")), "level {level}");
    }
    assert!(text.contains("{FILL|string}"));
    assert!(!text.contains("{REF: depth"));
}

#[test]
fn levels_beyond_the_last_end_in_a_stop_with_a_name() {
    soon(|| {
        let imprint = imprint(nested(200, json!({ "type": "string" }))).unwrap();
        assert!(imprint.skeleton().contains("{REF: depth|required}"));
        assert!(imprint.unshown().iter().any(|unshown| unshown.what == "depth"), "{:?}", imprint.unshown());
        // What is not shown is enforced all the same.
        let payload = nested_payload(200);
        let lowered = imprint.lower(&imprint.fill(&payload).document, &BTreeMap::new());
        assert_eq!(lowered.payload, Some(payload));
        let mut wrong = nested_payload(200);
        *wrong.pointer_mut(&(0..200).rev().map(|l| format!("/l{l}")).collect::<String>()).unwrap() = json!(5);
        let lowered = imprint.lower(&imprint.fill(&wrong).document, &BTreeMap::new());
        assert_eq!(lowered.findings.len(), 1);
        assert_eq!(lowered.findings[0].message, "`l0` must be a string, not a number");
    });
}

#[test]
fn ten_thousand_properties_are_ten_thousand_places() {
    let properties: Map<String, Value> =
        (0..10_000).map(|n| (format!("p{n:05}"), json!({ "type": "integer" }))).collect();
    let schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    let payload: Map<String, Value> = (0..10_000).map(|n| (format!("p{n:05}"), json!(n))).collect();
    let text = used(schema, Value::Object(payload)).unwrap();
    assert_eq!(text.matches("{OPTIONAL|integer}").count(), 10_000);
}

#[test]
fn ten_thousand_values_are_listed() {
    let values: Vec<String> = (0..10_000).map(|n| format!("v{n:05}")).collect();
    let schema = json!({ "type": "object", "properties": { "a": { "enum": values } } });
    let text = used(schema.clone(), json!({ "a": "v09999" })).unwrap();
    assert!(text.contains("v09999"));
    soon(move || {
        let lowered = imprint(schema).unwrap().lower(&json!({ "a": "v0999" }), &BTreeMap::new());
        assert_eq!(lowered.findings[0].help.as_deref().map(|help| help.starts_with("did you mean `v")), Some(true));
    });
}

#[test]
fn mutual_recursion_ends_where_it_meets_itself() {
    let schema = json!({
        "$defs": {
            "a": { "type": "object", "properties": { "b": { "$ref": "#/$defs/b" } } },
            "b": { "type": "object", "properties": { "a": { "$ref": "#/$defs/a" } } }
        },
        "$ref": "#/$defs/a"
    });
    let text = used(schema, json!({ "b": { "a": { "b": {} } } })).unwrap();
    let skeleton = r#"{"b":{"//":"{OPTIONAL|as:b}","a":{"//":"{OPTIONAL}","b":"{REF: circular|of:b}"}}}"#;
    assert_eq!(text.lines().last(), Some(skeleton));
}

#[test]
fn a_list_and_a_map_of_itself_end_too() {
    used(json!({ "type": "array", "items": { "$ref": "#" } }), json!([[], [[]]])).unwrap();
    used(json!({ "type": "object", "additionalProperties": { "$ref": "#" } }), json!({ "a": { "b": {} } })).unwrap();
    used(
        json!({ "oneOf": [{ "type": "string" }, { "type": "array", "items": { "$ref": "#" } }] }),
        json!(["a", ["b"]]),
    )
    .unwrap();
}

#[test]
fn a_reference_to_itself_alone_asks_for_nothing() {
    used(json!({ "$ref": "#" }), json!(1)).unwrap();
    used(json!({ "allOf": [{ "$ref": "#" }], "type": "integer" }), json!(1)).unwrap();
    let circle = json!({
        "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } }, "$ref": "#/$defs/a"
    });
    used(circle, json!("x")).unwrap();
}

#[test]
fn what_must_contain_itself_has_no_value() {
    let endless = json!({ "type": "object", "required": ["next"], "properties": { "next": { "$ref": "#" } } });
    refused(endless, Reason::NothingIsValid, "it contradicts itself");
    let endless = json!({ "type": "array", "minItems": 1, "items": { "$ref": "#" } });
    refused(endless, Reason::NothingIsValid, "it contradicts itself");
}

#[test]
fn other_documents_are_named_and_never_fetched() {
    for address in ["http://example.invalid/s.json", "https://127.0.0.1:1/x#/a", "other.json", "file:///etc/passwd"] {
        let schema = json!({ "type": "object", "properties": { "a": { "$ref": address } } });
        let found = refused(schema, Reason::RemoteReference, "is another document, and nothing is fetched");
        let name = address.split('#').next().unwrap().rsplit('/').next().unwrap();
        assert!(found.message.contains(name), "{}", found.message);
    }
    // A reference to the schema's own address is not one to another document.
    used(
        json!({ "$id": "https://example.invalid/me", "$defs": { "a": { "type": "string" } },
                "$ref": "https://example.invalid/me#/$defs/a" }),
        json!("x"),
    )
    .unwrap();
}

#[test]
fn an_api_that_refers_elsewhere_has_no_template_there() {
    let body = |reference: &str| {
        let document = json!({
            "openapi": "3.0.0",
            "paths": { "/a": { "post": { "requestBody": { "content": { "application/json": {
                "schema": { "type": "array", "items": { "$ref": reference } }
            } } } } } }
        });
        let api = Api::new(document).unwrap();
        let schema = api.schema(&api.operations()[0], Part::Body).unwrap();
        schema.and_then(Imprint::new).err().unwrap()
    };
    let remote = body("https://example.invalid/pet.yaml#/Pet");
    assert_eq!(remote.reason, Reason::RemoteReference);
    assert!(remote.message.contains("https://example.invalid/pet.yaml"), "{}", remote.message);
    assert_eq!(body("#/components/schemas/Gone").reason, Reason::MissingReference);
}

#[test]
fn places_that_are_not_there_are_named() {
    let schema = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/gone" } } });
    refused(schema, Reason::MissingReference, "/$defs/gone");
    refused(json!({ "$ref": "#nowhere" }), Reason::MissingReference, "nowhere");
}

/// The time a hostile text takes, once; what comes of it.
#[track_caller]
fn hostile(pattern: &str, text: String) -> (bool, Vec<String>) {
    let schema =
        json!({ "type": "object", "required": ["a"], "properties": { "a": { "pattern": pattern, "type": "string" } } });
    soon(move || {
        let imprint = imprint(schema).unwrap();
        let lowered = imprint.lower(&json!({ "a": text }), &BTreeMap::new());
        (lowered.payload.is_some(), lowered.findings.iter().map(|f| f.code.to_string()).collect())
    })
}

#[test]
fn patterns_built_to_backtrack_do_not_keep_anyone_busy() {
    let many = "a".repeat(50_000);
    for pattern in ["^(a+)+$", "^(a|a)*b$", "^(a*)*b$", "^(.*a){25}$", "^(a|aa)+$"] {
        let (passed, codes) = hostile(pattern, format!("{many}!"));
        assert_eq!((passed, codes), (false, vec!["D1625".to_owned()]), "{pattern}");
    }
    // Those that only a machine that goes back can match.
    for pattern in [r"^(a+)\1+$", r"^(?=(a+))\1b", r"(a+)+\1$", r"^(?:(a|a)*)\1!$"] {
        let (passed, codes) = hostile(pattern, format!("{}!b", "a".repeat(5_000)));
        assert_eq!((passed, codes), (false, vec!["D1625".to_owned()]), "{pattern}");
    }
    // And they do match what they should.
    assert!(hostile(r"^(a+)b\1$", "aabaa".to_owned()).0);
    assert!(hostile("^(a+)+$", "aaaa".to_owned()).0);
}

#[test]
fn what_is_no_pattern_is_refused() {
    for pattern in ["(", "[a", "a{2", "*", "(?<n>a)(?<n>b)"] {
        let found = soon({
            let pattern = pattern.to_owned();
            move || imprint(json!({ "type": "string", "pattern": pattern })).err()
        });
        if let Some(found) = found {
            assert_eq!(found.reason, Reason::BadPattern, "{pattern}: {found}");
        } else {
            assert_eq!(pattern, "a{2", "{pattern} is taken");
        }
    }
}

#[test]
fn what_contradicts_itself_is_refused() {
    let contradictions = [
        json!(false),
        json!({ "allOf": [{ "type": "string" }, { "type": "integer" }] }),
        json!({ "type": "integer", "allOf": [{ "minimum": 5 }, { "maximum": 4 }] }),
        json!({ "type": "integer", "exclusiveMinimum": 5, "maximum": 5 }),
        json!({ "type": "string", "minLength": 3, "maxLength": 2 }),
        json!({ "allOf": [{ "const": 1 }, { "const": 2 }] }),
        json!({ "allOf": [{ "enum": ["a", "b"] }, { "enum": ["c"] }] }),
        json!({ "type": "string", "enum": [1, 2] }),
        json!({ "enum": [1], "not": { "enum": [1] } }),
        json!({ "type": "array", "minItems": 3, "maxItems": 2 }),
        json!({ "type": "object", "minProperties": 3, "maxProperties": 2 }),
        json!({ "type": "object", "required": ["a"], "properties": { "a": false } }),
        json!({ "type": "object", "required": ["a"], "additionalProperties": false }),
        json!({ "type": "object", "required": ["a"], "properties": { "a": { "allOf": [{ "type": "null" }, { "type": "array" }] } } }),
        json!({ "oneOf": [false, { "type": "string", "minLength": 2, "maxLength": 1 }] }),
    ];
    for schema in contradictions {
        refused(schema, Reason::NothingIsValid, "it contradicts itself");
    }
}

#[test]
fn a_contradiction_that_need_not_be_met_is_no_reason() {
    used(json!({ "type": "object", "properties": { "a": false, "b": { "type": "string" } } }), json!({ "b": "x" }))
        .unwrap();
    used(json!({ "type": "array", "items": false }), json!([])).unwrap();
    used(json!({ "anyOf": [false, { "type": "string" }] }), json!("x")).unwrap();
}

#[test]
fn a_bomb_of_references_is_as_large_as_it_is_written() {
    let mut definitions = Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        definitions.insert(format!("d{level}"), json!({ "type": "object", "properties": { "a": next, "b": next } }));
    }
    definitions.insert("d40".to_owned(), json!({ "type": "string" }));
    let schema = json!({ "$defs": definitions, "$ref": "#/$defs/d0" });
    let text = used(schema.clone(), json!({ "a": { "b": { "a": {} } }, "b": {} })).unwrap();
    assert!(text.len() < 20_000, "{}", text.len());
    // Its words are found behind all the references.
    soon(move || {
        let lowered = imprint(schema).unwrap().lower(&json!({ "a": { "b": { "a": 5 } }, "b": 1 }), &BTreeMap::new());
        let said: Vec<String> = lowered.findings.iter().map(|f| format!("{} {}", f.pointer, f.message)).collect();
        assert_eq!(said, ["/a/b/a `a` must be an object, not a number", "/b `b` must be an object, not a number"]);
    });
    // The same by `allOf`, and by unions.
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let mut definitions = Map::new();
        for level in 0..40 {
            let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
            definitions.insert(format!("d{level}"), json!({ keyword: [next, next] }));
        }
        definitions.insert("d40".to_owned(), json!({ "type": "string" }));
        let schema = json!({ "$defs": definitions, "$ref": "#/$defs/d0" });
        soon(move || {
            let imprint = imprint(schema).unwrap();
            assert!(imprint.text().len() < 50_000, "{keyword} {}", imprint.text().len());
        });
    }
}

fn chain(count: usize, link: fn(Value) -> Value) -> Value {
    let mut definitions = Map::new();
    for n in 0..count {
        definitions.insert(format!("d{n}"), link(json!({ "$ref": format!("#/$defs/d{}", n + 1) })));
    }
    definitions.insert(format!("d{count}"), json!({ "type": "string" }));
    json!({ "$defs": definitions, "$ref": "#/$defs/d0" })
}

#[test]
fn chains_end_whatever_they_are_made_of() {
    let links: [fn(Value) -> Value; 4] = [
        |next| next,
        |next| json!({ "allOf": [next] }),
        |next| json!({ "anyOf": [next] }),
        |next| json!({ "type": "object", "properties": { "a": next } }),
    ];
    for link in links {
        refused(chain(10_000, link), Reason::TooLarge, "nest deeper");
    }
    for link in [links[0], links[1], links[2]] {
        let text = used(chain(400, link), json!("x")).unwrap();
        assert!(text.ends_with("\"{FILL|string}\""), "{text}");
    }
    // Written out rather than referred to.
    let deep = (0..120).fold(json!({ "type": "string" }), |inner, _| json!({ "allOf": [inner] }));
    assert!(used(deep, json!("x")).unwrap().ends_with("\"{FILL|string}\""));
}

#[test]
fn deep_payloads_are_judged_or_refused_but_never_fatal() {
    let schema = json!({ "type": "object", "properties": { "a": { "$ref": "#" } }, "additionalProperties": false });
    soon(move || {
        let imprint = imprint(schema).unwrap();
        let deep = (0..120).fold(json!({}), |inner, _| json!({ "a": inner }));
        let filled = imprint.fill(&deep);
        assert_eq!(imprint.lower(&filled.document, &filled.supplied).payload, Some(deep));
        let wrong = (0..120).fold(json!({ "b": 1 }), |inner, _| json!({ "a": inner }));
        assert_eq!(imprint.lower(&wrong, &BTreeMap::new()).findings.len(), 1);
    });
}

#[test]
fn drafts_older_than_the_fourth_are_refused() {
    let schema = json!({ "$schema": "http://json-schema.org/draft-03/schema#", "type": "object" });
    let found = refused(schema, Reason::UnknownDialect, "is older than draft 4, the oldest draft that is supported");
    assert_eq!(found.pointer, "/$schema");
}

#[test]
fn a_dialect_of_ones_own_is_read_as_the_newest_that_allows_it() {
    let own = json!({ "$schema": "https://example.invalid/mine", "type": "string" });
    assert_eq!(soon(move || Schema::new(own).unwrap().dialect()), Dialect::Draft202012);
    // Older schemas often declare nothing.
    let older = json!({ "type": "array", "items": [{ "type": "string" }] });
    assert_eq!(Schema::new(older).unwrap().dialect(), Dialect::Draft7);
    let oldest = json!({ "type": "integer", "minimum": 0, "exclusiveMinimum": true });
    assert_eq!(Schema::new(oldest).unwrap().dialect(), Dialect::Draft4);
}

#[test]
fn what_stands_beside_a_reference_counts_since_2019() {
    let drafts = [
        ("http://json-schema.org/draft-04/schema#", "definitions", false),
        ("http://json-schema.org/draft-06/schema#", "definitions", false),
        ("http://json-schema.org/draft-07/schema#", "definitions", false),
        ("https://json-schema.org/draft/2019-09/schema", "$defs", true),
        ("https://json-schema.org/draft/2020-12/schema", "$defs", true),
    ];
    for (draft, holder, counts) in drafts {
        let schema = json!({
            "$schema": draft,
            holder: { "text": { "type": "string" } },
            "type": "object",
            "properties": { "a": { "$ref": format!("#/{holder}/text"), "maxLength": 1 } }
        });
        let imprint = imprint(schema).unwrap();
        let token = if counts { "{OPTIONAL|string|length:0-1}" } else { "{OPTIONAL|string}" };
        assert_eq!(imprint.skeleton(), json!({ "a": token }).to_string(), "{draft}");
        let lowered = imprint.lower(&json!({ "a": "long" }), &BTreeMap::new());
        assert_eq!(lowered.payload.is_some(), !counts, "{draft}");
    }
}

#[test]
fn booleans_are_schemas() {
    let text = used(json!(true), json!({ "any": ["thing"] })).unwrap();
    assert!(text.ends_with("\"{FILL|any}\""), "{text}");
    refused(json!(false), Reason::NothingIsValid, "it contradicts itself");
}

#[test]
fn what_is_no_schema_is_refused_at_its_place() {
    refused(json!(5), Reason::InvalidSchema, "a schema is an object or a boolean");
    refused(json!("x"), Reason::InvalidSchema, "a schema is an object or a boolean");
    refused(json!([]), Reason::InvalidSchema, "a schema is an object or a boolean");
    let cases = [
        (json!({ "type": "strin" }), "/type"),
        (json!({ "type": 5 }), "/type"),
        (json!({ "properties": { "a": { "minLength": "x" } } }), "/properties/a/minLength"),
        (json!({ "required": "a" }), "/required"),
        (json!({ "enum": "a" }), "/enum"),
        (json!({ "properties": [] }), "/properties"),
        (json!({ "multipleOf": 0 }), "/multipleOf"),
        (json!({ "anyOf": [] }), "/anyOf"),
        (json!({ "$ref": 5 }), "/$ref"),
    ];
    for (schema, pointer) in cases {
        let found = refused(schema.clone(), Reason::InvalidSchema, "it is not valid in its dialect");
        assert_eq!(found.pointer, pointer, "{schema}");
    }
}

#[test]
fn names_of_definitions_may_have_brackets_and_spaces() {
    for name in ["List[Item]", "a b", "ü", "a/b", "m~n", "50%", "{x}", "a|b", "<T>", "a\"b", "a\\b", "^a"] {
        let pointer = name.replace('~', "~0").replace('/', "~1").replace('%', "%25");
        let schema = json!({
            "$defs": { name: { "type": "object", "properties": { "n": { "type": "string" } } } },
            "type": "object",
            "properties": { "a": { "$ref": format!("#/$defs/{pointer}") }, "b": { "$ref": format!("#/$defs/{pointer}") } }
        });
        let text = used(schema, json!({ "a": { "n": "x" }, "b": {} })).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(text.contains("\"n\":\"{OPTIONAL|string}\""), "{text}");
    }
}

#[test]
fn bounds_beyond_two_to_the_fifty_third_are_kept_to_the_digit() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": { "type": "integer", "minimum": -9_223_372_036_854_775_808_i64, "maximum": 18_446_744_073_709_551_615_u64 },
            "b": { "type": "number", "maximum": 1e300, "exclusiveMinimum": -1e-300 },
            "c": { "type": "integer", "minimum": 9_007_199_254_740_993_i64 }
        }
    });
    let text = used(schema, json!({ "a": 1, "b": 2.5 })).unwrap();
    assert!(text.contains("range:-9223372036854775808-18446744073709551615"), "{text}");
    assert!(text.contains("range:>-1e-300-1e+300"), "{text}");
    assert!(text.contains("range:9007199254740993-"), "{text}");
}

#[test]
fn a_large_template_is_split_into_parts_and_each_is_smaller() {
    let field = |n: usize| {
        let inner: Map<String, Value> =
            (0..20).map(|k| (format!("field_{n}_{k}"), json!({ "type": "string", "maxLength": 20 }))).collect();
        json!({ "type": "object", "properties": inner })
    };
    let properties: Map<String, Value> = (0..20).map(|n| (format!("part_{n:02}"), field(n))).collect();
    let schema = json!({ "type": "object", "properties": properties });
    soon(move || {
        let imprint = imprint(schema).unwrap();
        let tokens = |text: &str| text.len() / 4;
        let sections = imprint.sections(500, &tokens);
        assert!(sections.parts.len() > 5);
        for part in &sections.parts {
            assert!(!part.oversize && part.tokens <= 500, "{} {}", part.name, part.tokens);
        }
        assert_eq!(imprint.sections(1_000_000, &tokens).parts.len(), 1);
    });
}
