//! Random schemas of every draft: small ones, so that all their keywords meet each other.

use super::Random;
use serde_json::{Map, Value, json};

/// Names of properties: plain ones, and those that a template or a pointer could trip over.
pub(crate) const NAMES: [&str; 28] = [
    "a",
    "b",
    "c",
    "id",
    "kind",
    "name",
    "tags",
    "customer_id",
    "{FILL|string}",
    "\\{KEY}",
    "\\\\{KEY}",
    "{REF: x}",
    "{ONE_OF}",
    "{SERIALIZED}",
    "{OPTIONAL",
    "a/b",
    "m~n",
    "p|q",
    "x}y",
    "q\"r",
    "",
    "ü😀",
    "#2",
    "with space",
    "~one_of",
    "0",
    "//",
    "\\//",
];

/// Texts: plain ones, and those that a template could take for its own.
pub(crate) const TEXTS: [&str; 26] = [
    "",
    "a",
    "abc",
    "abcdef",
    "{FILL|string}",
    "\\{FILL}",
    "\\\\{FILL}",
    "{REF: circular}",
    "{AUTO|string}",
    "{ONE_OF}",
    "{KEY",
    "{FILLED}",
    "null",
    "5",
    "-1",
    "1e5",
    "{}",
    "[1,2]",
    "{\"a\":1}",
    "\"quoted\"",
    "a|b",
    "c}",
    "\\",
    "unique",
    "format:uuid",
    " padded ",
];

/// Patterns, each with a text that matches.
pub(crate) const PATTERNS: [(&str, &str); 11] = [
    ("^[a-z]+$", "abc"),
    ("^[a-z][a-z0-9_]*$", "snake_1"),
    ("^[0-9]+$", "12"),
    ("^a/b$", "a/b"),
    ("^[^/|}]+$", "xy"),
    ("x|y\\}", "xx"),
    ("^(?!no).*$", "yes"),
    ("\\\\", "a\\b"),
    ("^\\{", "{FILL|string}"),
    ("", ""),
    // Too long to be shown.
    (
        "^(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa|bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb|cccccccccccccccccccccccccccccccccccc|dddddddddddddddddddddddddddddddddddddd|x.*)$",
        "xyz",
    ),
];

/// Formats, each with a text of it; the last two are remarks to every draft.
pub(crate) const FORMATS: [(&str, &str); 8] = [
    ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
    ("date", "2024-02-29"),
    ("date-time", "2024-02-29T12:00:00Z"),
    ("email", "a@example.com"),
    ("ipv4", "127.0.0.1"),
    ("uri", "https://example.com/a?b=c"),
    ("int32", "abc"),
    ("odd|format}", "abc"),
];

const NOTES: [&str; 7] = [
    "Shown on invoices.",
    "A long text that says far more than anybody would ever want to be told about a place of a template.",
    "{FILL|string} is not a token here",
    "two\nlines | and } a brace",
    "<b>bold</b> [link](https://x.test)",
    "No other keys.Really",
    "  ",
];

const DRAFTS: [(u8, &str); 5] = [
    (4, "http://json-schema.org/draft-04/schema#"),
    (6, "http://json-schema.org/draft-06/schema#"),
    (7, "http://json-schema.org/draft-07/schema#"),
    (8, "https://json-schema.org/draft/2019-09/schema"),
    (9, "https://json-schema.org/draft/2020-12/schema"),
];

/// A schema of a random draft; some declare none.
pub(crate) fn schema(random: &mut Random) -> Value {
    let (draft, uri) = *random.pick(&DRAFTS);
    let declared = draft != 9 || random.once_in(2);
    let mut maker = Maker { random, draft, definitions: 0 };
    let holder = if draft >= 8 { "$defs" } else { "definitions" };
    maker.definitions = maker.random.below(4);
    let depth = 1 + maker.random.below(3);
    let mut root = if maker.random.once_in(4) { maker.schema(depth) } else { maker.object(depth) };
    if !root.is_object() {
        root = json!({ "allOf": [root] });
    }
    // Beside a reference nothing counts in older drafts, so the outermost schema has none there.
    if draft < 8 && root.get("$ref").is_some() {
        root = json!({ "allOf": [root] });
    }
    let definitions: Map<String, Value> =
        (0..maker.definitions).map(|index| (format!("d{index}"), maker.schema(2))).collect();
    if declared {
        root["$schema"] = json!(uri);
    }
    if !definitions.is_empty() {
        root[holder] = Value::Object(definitions);
    }
    root
}

struct Maker<'r> {
    random: &'r mut Random,
    /// 4, 6, 7, 8 for 2019-09, 9 for 2020-12.
    draft: u8,
    definitions: usize,
}

impl Maker<'_> {
    fn schema(&mut self, depth: usize) -> Value {
        let kinds = if depth == 0 { 9 } else { 17 };
        let made = match self.random.below(kinds) {
            0 => self.text(),
            1 => self.number(),
            2 => json!({ "type": "boolean" }),
            3 => self.values(),
            4 => self.types(),
            5 => self.reference(),
            6 => self.anything(),
            7 => self.text(),
            8 => json!({ "type": "null" }),
            9..=11 => self.object(depth),
            12 => self.list(depth),
            13 => self.tuple(depth),
            14 => self.union(depth),
            15 => self.all(depth),
            _ => self.mixed(depth),
        };
        self.remarked(made)
    }

    fn remarked(&mut self, mut schema: Value) -> Value {
        let Some(map) = schema.as_object_mut() else { return schema };
        // Beside a reference of an older draft these are no more than remarks, and harmless.
        if self.random.once_in(4) {
            map.insert("description".to_owned(), json!(self.random.text(&NOTES)));
        }
        if self.random.once_in(8) {
            map.insert("title".to_owned(), json!(self.random.text(&NOTES)));
        }
        if self.random.once_in(8) {
            let value = self.scalar();
            map.insert("default".to_owned(), value);
        }
        if self.draft >= 6 && self.random.once_in(12) {
            let value = self.scalar();
            map.insert("examples".to_owned(), json!([value]));
        }
        if self.random.once_in(10) {
            map.insert("readOnly".to_owned(), json!(true));
        }
        if self.random.once_in(12) {
            let list = vec![self.scalar(), self.scalar()];
            let not = match self.random.below(3) {
                0 if self.draft >= 6 => json!({ "const": list[0] }),
                1 => json!({ "enum": unique(list) }),
                _ => json!({ "type": "integer" }),
            };
            map.insert("not".to_owned(), not);
        }
        schema
    }

    fn scalar(&mut self) -> Value {
        match self.random.below(7) {
            0 => Value::Null,
            1 => json!(self.random.once_in(2)),
            2 => json!(self.random.below(10)),
            3 => json!(1.5),
            4 => json!(1.0),
            _ => json!(self.random.text(&TEXTS)),
        }
    }

    fn value(&mut self) -> Value {
        match self.random.below(8) {
            0 => json!([self.scalar(), self.scalar()]),
            1 => json!({ self.random.text(&NAMES): self.scalar() }),
            _ => self.scalar(),
        }
    }

    fn text(&mut self) -> Value {
        let mut schema = json!({ "type": "string" });
        match self.random.below(6) {
            0 => {
                schema["minLength"] = json!(self.random.below(3));
                schema["maxLength"] = json!(2 + self.random.below(6));
            }
            1 | 2 => schema["pattern"] = json!(self.random.pick(&PATTERNS).0),
            3 => schema["format"] = json!(self.random.pick(&FORMATS).0),
            4 if self.draft >= 7 => {
                schema["contentMediaType"] = json!("application/json");
                if self.draft >= 8 && self.random.once_in(2) {
                    schema["contentSchema"] = self.schema(1);
                }
                if self.random.once_in(3) {
                    schema["type"] = json!(["string", "null"]);
                }
            }
            _ => {}
        }
        schema
    }

    fn number(&mut self) -> Value {
        let mut schema = json!({ "type": self.random.pick(&["integer", "number"]) });
        let bounds =
            [json!(-5), json!(0), json!(1), json!(3), json!(1.5), json!(1e-7), json!(9_007_199_254_740_993_u64)];
        if self.random.once_in(2) {
            schema["minimum"] = self.random.pick(&bounds[..5]).clone();
        }
        if self.random.once_in(2) {
            schema["maximum"] = self.random.pick(&bounds[2..]).clone();
        }
        if self.random.once_in(4) {
            schema["multipleOf"] = self.random.pick(&[json!(1), json!(2), json!(0.5)]).clone();
        }
        if self.random.once_in(4) {
            if self.draft == 4 {
                schema["minimum"] = json!(0);
                schema["exclusiveMinimum"] = json!(true);
            } else {
                schema["exclusiveMaximum"] = json!(9);
            }
        }
        schema
    }

    fn values(&mut self) -> Value {
        let mut list: Vec<Value> = (0..1 + self.random.below(5)).map(|_| self.value()).collect();
        list = unique(list);
        let mut schema = if self.draft >= 6 && self.random.once_in(3) {
            json!({ "const": list[0] })
        } else {
            json!({ "enum": list })
        };
        if self.random.once_in(5) {
            schema["type"] = json!(["string", "integer"]);
        }
        schema
    }

    fn types(&mut self) -> Value {
        let all = ["string", "integer", "number", "boolean", "null", "object", "array"];
        let first = self.random.below(all.len());
        let second = (first + 1 + self.random.below(all.len() - 1)) % all.len();
        json!({ "type": [all[first], all[second]] })
    }

    fn reference(&mut self) -> Value {
        let holder = if self.draft >= 8 { "$defs" } else { "definitions" };
        let target = match self.definitions {
            0 => "#".to_owned(),
            n => match self.random.below(n + 1) {
                0 => "#".to_owned(),
                index => format!("#/{holder}/d{}", index - 1),
            },
        };
        let mut schema = json!({ "$ref": target });
        if self.random.once_in(4) {
            // It counts since 2019-09 and is ignored before.
            let beside = [("type", json!("object")), ("minProperties", json!(1)), ("required", json!(["a"]))];
            let (keyword, value) = self.random.pick(&beside).clone();
            schema[keyword] = value;
        }
        schema
    }

    fn anything(&mut self) -> Value {
        match self.random.below(8) {
            0 if self.draft >= 6 => json!(true),
            1 if self.draft >= 6 => json!(false),
            2 => json!({ "maxLength": 3 }),
            3 => json!({ "required": ["a"] }),
            4 => json!({ "minimum": 2 }),
            5 => json!({ "type": "object" }),
            6 => json!({ "type": "array" }),
            _ => json!({}),
        }
    }

    fn names(&mut self, most: usize) -> Vec<String> {
        let mut names: Vec<String> = (0..self.random.below(most + 1)).map(|_| self.random.text(&NAMES)).collect();
        names.sort();
        names.dedup();
        names
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut schema = if self.random.once_in(5) { json!({}) } else { json!({ "type": "object" }) };
        let names = self.names(4);
        let properties: Map<String, Value> =
            names.iter().map(|name| (name.clone(), self.schema(depth.saturating_sub(1)))).collect();
        if !properties.is_empty() {
            schema["properties"] = Value::Object(properties);
        }
        let mut required: Vec<&String> = names.iter().filter(|_| self.random.once_in(2)).collect();
        let other = self.random.text(&NAMES);
        if self.random.once_in(10) && !required.contains(&&other) {
            required.push(&other);
        }
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        match self.random.below(6) {
            0 | 1 => schema["additionalProperties"] = json!(false),
            2 => schema["additionalProperties"] = self.schema(0),
            _ => {}
        }
        if self.random.once_in(6) {
            let pattern = self.random.pick(&PATTERNS).0;
            schema["patternProperties"] = json!({ pattern: self.schema(0) });
        }
        if self.draft >= 6 && self.random.once_in(8) {
            schema["propertyNames"] = match self.random.below(3) {
                0 => json!({ "pattern": self.random.pick(&PATTERNS).0 }),
                1 => json!({ "maxLength": 8 }),
                _ => json!({ "enum": NAMES }),
            };
        }
        if self.random.once_in(8) {
            schema[*self.random.pick(&["minProperties", "maxProperties"])] = json!(1 + self.random.below(3));
        }
        self.dependent(&mut schema, &names, depth);
        self.conditional(&mut schema, &names, depth);
        if depth > 0 && self.random.once_in(6) {
            let union = self.union(depth);
            for (keyword, list) in union.as_object().unwrap() {
                schema[keyword] = list.clone();
            }
        }
        if self.random.once_in(12) {
            let one = |name: &str| json!({ "required": [name] });
            let list = vec![one(names.first().map_or("a", |n| n)), one("b")];
            schema[*self.random.pick(&["anyOf", "oneOf"])] = Value::Array(unique(list));
        }
        schema
    }

    fn dependent(&mut self, schema: &mut Value, names: &[String], depth: usize) {
        let Some(name) = names.first().filter(|_| self.random.once_in(6)) else { return };
        let other = self.random.text(&NAMES);
        let inner = if self.random.once_in(2) { self.object(depth.saturating_sub(1)) } else { Value::Null };
        let (lists, schemas) =
            if self.draft >= 8 { ("dependentRequired", "dependentSchemas") } else { ("dependencies", "dependencies") };
        if inner.is_null() {
            schema[lists] = json!({ name: [other] });
        } else {
            schema[schemas] = json!({ name: inner });
        }
    }

    fn conditional(&mut self, schema: &mut Value, names: &[String], depth: usize) {
        let Some(name) = names.last().filter(|_| self.draft >= 7 && self.random.once_in(6)) else { return };
        let value = self.scalar();
        let other = self.scalar();
        let given = json!({ "properties": { name: { "const": value } }, "required": [name] });
        schema["if"] = match self.random.below(10) {
            0 | 1 => json!({ "properties": { name: { "const": value } } }),
            2 => json!({ "properties": { name: { "enum": [value] } }, "required": [name] }),
            3 => json!({ "properties": { name: { "enum": [value, other] } } }),
            4 => json!({ "properties": { name: { "not": { "const": value } } } }),
            5 => json!({ "required": [name] }),
            6 => json!({ "not": given }),
            7 => json!({ "allOf": [{ "required": [name] }, { "properties": { name: { "const": value } } }] }),
            8 => json!({ "anyOf": [given, { "properties": { name: { "const": other } } }] }),
            _ => json!({ "properties": { name: { "const": value } }, "required": [name], "type": "object" }),
        };
        if self.random.once_in(2) {
            schema["then"] = self.object(depth.saturating_sub(1));
        }
        if self.random.once_in(2) {
            schema["else"] = self.object(depth.saturating_sub(1));
        }
    }

    fn list(&mut self, depth: usize) -> Value {
        let mut schema = json!({ "type": "array" });
        if !self.random.once_in(6) {
            schema["items"] = self.schema(depth - 1);
        }
        if self.random.once_in(3) {
            schema["minItems"] = json!(self.random.below(3));
        }
        if self.random.once_in(3) {
            schema["maxItems"] = json!(1 + self.random.below(4));
        }
        if self.random.once_in(4) {
            schema["uniqueItems"] = json!(true);
        }
        if self.draft >= 6 && self.random.once_in(8) {
            schema["contains"] = json!({ "type": "string" });
        }
        if self.random.once_in(6) {
            schema["type"] = json!(["array", "null"]);
        }
        schema
    }

    fn tuple(&mut self, depth: usize) -> Value {
        let places: Vec<Value> = (0..1 + self.random.below(3)).map(|_| self.schema(depth - 1)).collect();
        let (first, rest) = if self.draft == 9 { ("prefixItems", "items") } else { ("items", "additionalItems") };
        let mut schema = json!({ "type": "array", first: places });
        match self.random.below(4) {
            0 => schema[rest] = json!(false),
            1 => schema[rest] = self.schema(0),
            _ => {}
        }
        if self.random.once_in(4) {
            schema["minItems"] = json!(1);
        }
        schema
    }

    fn union(&mut self, depth: usize) -> Value {
        let keyword = *self.random.pick(&["oneOf", "anyOf"]);
        let count = 1 + self.random.below(3);
        let discriminated = self.random.once_in(2);
        let variants: Vec<Value> = (0..count)
            .map(|index| {
                if !discriminated {
                    return self.schema(depth - 1);
                }
                let mut variant = self.object(depth - 1);
                variant["type"] = json!("object");
                if !variant["properties"].is_object() {
                    variant["properties"] = json!({});
                }
                let kind = format!("k{index}");
                variant["properties"]["kind"] =
                    if self.draft >= 6 { json!({ "const": kind }) } else { json!({ "enum": [kind] }) };
                variant["required"] = json!(["kind"]);
                variant
            })
            .collect();
        let mut variants = variants;
        if self.random.once_in(4) {
            variants.push(json!({ "type": "null" }));
        }
        json!({ keyword: variants })
    }

    fn all(&mut self, depth: usize) -> Value {
        let mut parts: Vec<Value> = (0..1 + self.random.below(2)).map(|_| self.object(depth - 1)).collect();
        if self.random.once_in(2) {
            parts.push(self.reference());
        }
        let mut schema = json!({ "allOf": parts });
        if self.random.once_in(3) {
            schema["properties"] = json!({ "a": self.schema(0) });
        }
        schema
    }

    /// Keywords of several types at once.
    fn mixed(&mut self, depth: usize) -> Value {
        let mut schema = self.object(depth - 1);
        let list = self.list(depth);
        if let Some(items) = list.get("items") {
            schema["items"] = items.clone();
        }
        schema["maxLength"] = json!(4);
        match self.random.below(3) {
            0 => schema["type"] = json!(["object", "array", "string"]),
            1 => schema["type"] = json!(["object", "null"]),
            _ => _ = schema.as_object_mut().unwrap().remove("type"),
        }
        schema
    }
}

fn unique(list: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for value in list {
        // `1` and `1.0` are one value to a draft that wants them unique.
        let same = |known: &Value| *known == value || (known.is_number() && known.as_f64() == value.as_f64());
        if !kept.iter().any(same) {
            kept.push(value);
        }
    }
    kept
}
