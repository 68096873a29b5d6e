//! Random instances that mean to be valid, and ways to spoil one.

use super::Random;
use super::schemas::{FORMATS, NAMES, PATTERNS, TEXTS};
use serde_json::{Map, Value, json};

/// A value that a schema may well allow.
pub(crate) fn instance(random: &mut Random, root: &Value) -> Value {
    Guess { random, root }.value(root, 6)
}

struct Guess<'r> {
    random: &'r mut Random,
    root: &'r Value,
}

impl<'r> Guess<'r> {
    fn value(&mut self, schema: &'r Value, left: usize) -> Value {
        if left == 0 {
            return junk(self.random, 0);
        }
        let mut parts = Vec::new();
        self.flatten(schema, &mut parts, 12);
        let find = |key: &str| parts.iter().find_map(|part| part.get(key));
        if let Some(constant) = find("const") {
            return constant.clone();
        }
        if let Some(list) = find("enum").and_then(Value::as_array) {
            return self.random.pick(list).clone();
        }
        if self.random.once_in(16) {
            return junk(self.random, 1);
        }
        let named = match find("type") {
            Some(Value::String(one)) => one.clone(),
            Some(Value::Array(list)) => self.random.pick(list).as_str().unwrap().to_owned(),
            _ if parts.iter().any(|p| p.get("properties").is_some() || p.get("required").is_some()) => {
                self.random.text(&["object", "object", "object", "string", "array", "null"])
            }
            _ => self.random.text(&["object", "array", "string", "integer", "boolean", "null"]),
        };
        match named.as_str() {
            "object" => self.object(&parts, left),
            "array" => self.list(&parts, left),
            "string" => self.text(&parts, left),
            "integer" => self.number(&parts).map_or(json!(2), |n| json!(n as i64)),
            "number" => self.number(&parts).map_or(json!(1.5), |n| json!(n)),
            "boolean" => json!(self.random.once_in(2)),
            _ => Value::Null,
        }
    }

    /// References, `allOf`, one variant of each union and one branch of each condition, side by side.
    fn flatten(&mut self, schema: &'r Value, parts: &mut Vec<&'r Value>, left: usize) {
        if left == 0 || !schema.is_object() {
            return;
        }
        parts.push(schema);
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(reference.trim_start_matches('#'));
            if let Some(target) = target {
                self.flatten(target, parts, left - 1);
            }
        }
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.flatten(part, parts, left - 1);
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(list) = schema.get(keyword).and_then(Value::as_array) {
                let variant = self.random.pick(list);
                self.flatten(variant, parts, left - 1);
            }
        }
        for keyword in ["then", "else"] {
            if let Some(branch) = schema.get(keyword).filter(|_| self.random.once_in(2)) {
                self.flatten(branch, parts, left - 1);
            }
        }
        for keyword in ["dependencies", "dependentSchemas"] {
            for inner in schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(Map::values) {
                self.flatten(inner, parts, left - 1);
            }
        }
    }

    fn object(&mut self, parts: &[&'r Value], left: usize) -> Value {
        let mut map = Map::new();
        let mut wanted: Vec<&str> = Vec::new();
        for part in parts {
            let list = |key: &str| part.get(key).and_then(Value::as_array).into_iter().flatten();
            wanted.extend(list("required").filter_map(Value::as_str));
            let dependent = part.get("dependentRequired").or_else(|| part.get("dependencies"));
            for needed in dependent.and_then(Value::as_object).into_iter().flat_map(Map::values) {
                wanted.extend(needed.as_array().into_iter().flatten().filter_map(Value::as_str));
            }
            for (name, child) in part.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let must = list("required").any(|r| r == name);
                if must || (left > 2 && self.random.once_in(2)) {
                    let value = self.value(child, left.saturating_sub(1));
                    if !map.contains_key(name) || self.random.once_in(2) {
                        map.insert(name.clone(), value);
                    }
                }
            }
            if self.random.once_in(2) {
                for (pattern, child) in part.get("patternProperties").and_then(Value::as_object).into_iter().flatten() {
                    let name = PATTERNS.iter().find(|(known, _)| known == pattern).map_or("x", |(_, text)| *text);
                    map.insert(name.to_owned(), self.value(child, left.saturating_sub(1)));
                }
            }
            if let Some(rest) = part.get("additionalProperties").filter(|rest| rest.is_object())
                && self.random.once_in(2)
            {
                let name = self.random.text(&NAMES);
                map.insert(name, self.value(rest, left.saturating_sub(1)));
            }
        }
        for name in wanted {
            if !map.contains_key(name) {
                map.insert(name.to_owned(), junk(self.random, 1));
            }
        }
        if self.random.once_in(6) {
            map.insert(self.random.text(&NAMES), junk(self.random, 1));
        }
        Value::Object(map)
    }

    fn list(&mut self, parts: &[&'r Value], left: usize) -> Value {
        let find = |key: &str| parts.iter().find_map(|part| part.get(key));
        let places = find("prefixItems").or_else(|| find("items")).and_then(Value::as_array);
        let least = find("minItems").and_then(Value::as_u64).unwrap_or(0) as usize;
        let mut items = Vec::new();
        for place in places.into_iter().flatten() {
            items.push(self.value(place, left.saturating_sub(1)));
        }
        let rest = find("items").filter(|items| items.is_object()).or_else(|| find("additionalItems"));
        let more = if left < 3 { least } else { least.max(self.random.below(3)) };
        while items.len() < more {
            let item = match rest {
                Some(rest) => self.value(rest, left.saturating_sub(1)),
                None => junk(self.random, 1),
            };
            items.push(item);
        }
        Value::Array(items)
    }

    fn text(&mut self, parts: &[&'r Value], left: usize) -> Value {
        let find = |key: &str| parts.iter().find_map(|part| part.get(key).and_then(Value::as_str));
        if let Some(pattern) = find("pattern") {
            return json!(PATTERNS.iter().find(|(known, _)| *known == pattern).map_or("abc", |(_, text)| *text));
        }
        if let Some(format) = find("format") {
            return json!(FORMATS.iter().find(|(known, _)| *known == format).map_or("abc", |(_, text)| *text));
        }
        if let Some(inner) = parts.iter().find_map(|part| part.get("contentSchema")) {
            // Text in text doubles its backslashes at every level.
            if left == 0 {
                return json!("{}");
            }
            let value = self.value(inner, left.min(2) - 1);
            return json!(deed_canon::canonical_string(&value).unwrap());
        }
        if find("contentMediaType").is_some() {
            return json!(junk(self.random, 2).to_string());
        }
        json!(self.random.text(&TEXTS))
    }

    fn number(&mut self, parts: &[&'r Value]) -> Option<f64> {
        let find = |key: &str| parts.iter().find_map(|part| part.get(key).and_then(Value::as_f64));
        let least = find("minimum").unwrap_or(0.0);
        Some((least + self.random.below(4) as f64).ceil())
    }
}

/// Any value at all.
pub(crate) fn junk(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => json!(random.once_in(2)),
        2 => json!(random.below(12)),
        3 => json!(1.5),
        4 | 5 => json!(random.text(&TEXTS)),
        6 => (0..random.below(3)).map(|_| junk(random, depth - 1)).collect(),
        _ => {
            let pairs = (0..random.below(3)).map(|_| (random.text(&NAMES), junk(random, depth - 1)));
            Value::Object(pairs.collect())
        }
    }
}

/// The same value with one place changed.
pub(crate) fn mutated(random: &mut Random, value: &Value) -> Value {
    let mut changed = value.clone();
    change(random, &mut changed, &mut |random, _| junk(random, 1));
    changed
}

/// A filled template with one place that was left, or filled in an odd way.
pub(crate) fn tokened(random: &mut Random, document: &Value) -> Value {
    let mut changed = document.clone();
    for _ in 0..1 + random.below(3) {
        change(random, &mut changed, &mut |random, old| match random.below(9) {
            0 => json!("{FILL|string}"),
            1 => json!("{OPTIONAL|string}"),
            2 => json!("{AUTO|string}"),
            3 => json!("{REF: circular|required}"),
            4 => json!({ "{ONE_OF}": [old, "{FILL|string}"] }),
            5 => json!({ "{SERIALIZED}": old }),
            6 => json!({ "{OPTIONAL}": "note", "{KEY}": old }),
            7 => json!(["{FILL|array}", old]),
            _ => json!("{FILL|broken"),
        });
    }
    changed
}

type Change<'c> = &'c mut dyn FnMut(&mut Random, Value) -> Value;

fn change(random: &mut Random, value: &mut Value, with: Change<'_>) {
    let inner = !random.once_in(3);
    match value {
        Value::Object(map) if inner && !map.is_empty() => {
            let names: Vec<String> = map.keys().cloned().collect();
            let name = random.pick(&names).clone();
            match random.below(6) {
                0 => _ = map.remove(&name),
                1 => _ = map.insert(random.text(&NAMES), junk(random, 1)),
                _ => change(random, map.get_mut(&name).unwrap(), with),
            }
        }
        Value::Array(items) if inner && !items.is_empty() => {
            let index = random.below(items.len());
            change(random, &mut items[index], with);
        }
        other => *other = with(random, other.take()),
    }
}
