//! Gathers all demands on a place: schemas become one flat list of demands.
//!
//! References and `allOf` are followed here, so that what stands in five definitions is seen at once. Nothing
//! is decided: what contradicts itself is found when the demands are settled.

use crate::template::{Bound, Bounds, Range, Types, UnionKind};
use deed_schema::{Refused, Spot};
use serde_json::{Number, Value};
use std::collections::BTreeSet;

/// Schemas that one place may be made of before it counts as too large to show.
const MOST_PARTS: usize = 2_000;

/// Keywords that say nothing of what is valid.
const REMARKS: [&str; 8] =
    ["title", "description", "$comment", "default", "example", "examples", "deprecated", "externalDocs"];

/// The demands of one place.
#[derive(Default)]
pub(super) struct Demands<'s> {
    pub(super) types: Types,
    /// True if a schema restricts the type.
    pub(super) typed: bool,
    pub(super) never: bool,
    pub(super) choices: Option<Vec<&'s Value>>,
    pub(super) not: Vec<Value>,
    pub(super) range: Range,
    pub(super) step: Option<Number>,
    pub(super) length: Bounds,
    pub(super) patterns: Vec<&'s str>,
    pub(super) formats: Vec<&'s str>,
    pub(super) properties: Vec<(&'s str, Spot<'s>)>,
    pub(super) required: BTreeSet<&'s str>,
    pub(super) closers: Vec<Closer<'s>>,
    pub(super) key_patterns: Vec<(&'s str, Spot<'s>)>,
    pub(super) key_names: Vec<Spot<'s>>,
    pub(super) properties_count: Bounds,
    pub(super) dependent: Vec<(&'s str, Vec<&'s str>)>,
    pub(super) dependent_schemas: Vec<(&'s str, Spot<'s>)>,
    pub(super) items: Vec<Spot<'s>>,
    pub(super) prefix: Vec<Vec<Spot<'s>>>,
    pub(super) rest: Vec<Spot<'s>>,
    pub(super) items_count: Bounds,
    pub(super) unique: bool,
    pub(super) unions: Vec<Variants<'s>>,
    pub(super) conditions: Vec<Spot<'s>>,
    pub(super) text: Option<Option<Spot<'s>>>,
    pub(super) read_only: bool,
    pub(super) nullable: bool,
    pub(super) default: Option<&'s Value>,
    pub(super) example: Option<&'s Value>,
    pub(super) title: &'s str,
    pub(super) description: &'s str,
    pub(super) severity: &'s str,
    pub(super) next: &'s str,
    /// Keywords that nothing here can show.
    pub(super) unshown: BTreeSet<&'static str>,
}

/// The rule of one schema for keys that it does not list.
pub(super) struct Closer<'s> {
    pub(super) listed: BTreeSet<&'s str>,
    pub(super) patterns: Vec<&'s str>,
    /// `None` where none may be.
    pub(super) rest: Option<Spot<'s>>,
}

/// The variants of a union.
pub(super) struct Variants<'s> {
    pub(super) kind: UnionKind,
    pub(super) spots: Vec<Spot<'s>>,
    pub(super) by: Option<&'s str>,
}

/// Gathers what several schemas ask for together.
pub(super) fn gather<'s>(spots: &[Spot<'s>]) -> Result<Demands<'s>, Refused> {
    let mut demands = Demands::default();
    let mut left: Vec<Spot<'s>> = spots.iter().rev().cloned().collect();
    let mut seen = BTreeSet::new();
    while let Some(spot) = left.pop() {
        // A schema that contains itself by `allOf` asks for nothing more the second time.
        if !seen.insert(spot.identity()) {
            continue;
        }
        if seen.len() > MOST_PARTS {
            demands.unshown.insert("allOf");
            break;
        }
        demands.take(&spot, &mut left)?;
    }
    Ok(demands)
}

impl<'s> Demands<'s> {
    fn take(&mut self, spot: &Spot<'s>, left: &mut Vec<Spot<'s>>) -> Result<(), Refused> {
        match spot.value() {
            Value::Bool(true) => return Ok(()),
            Value::Bool(false) => {
                self.never = true;
                return Ok(());
            }
            _ => {}
        }
        self.remarks(spot);
        if let Some((_, target)) = spot.reference() {
            let target = target?;
            if !spot.dialect().reference_has_siblings() {
                left.push(target);
                return Ok(());
            }
            left.push(target);
        }
        if spot.is_dynamic() && spot.dialect().reference_has_siblings() {
            self.unshown.insert("$dynamicRef");
        }
        self.types(spot);
        self.scalars(spot);
        self.object(spot);
        self.list(spot);
        self.unions(spot, left);
        self.serialized(spot);
        left.extend(spot.list("allOf").into_iter().rev());
        Ok(())
    }

    fn remarks(&mut self, spot: &Spot<'s>) {
        let text = |key: &str| spot.value().get(key).and_then(Value::as_str).unwrap_or_default();
        if self.title.is_empty() {
            self.title = text("title");
        }
        if self.description.is_empty() {
            self.description = text("description");
        }
        if self.severity.is_empty() {
            self.severity = text("x-deed-severity");
        }
        if self.next.is_empty() {
            self.next = text("x-deed-next");
        }
        self.read_only |= spot.value().get("readOnly").and_then(Value::as_bool) == Some(true);
        let nullable = spot.keyword("nullable").or_else(|| spot.value().get("x-nullable"));
        self.nullable |= spot.dialect().is_openapi() && nullable.and_then(Value::as_bool) == Some(true);
        self.default = self.default.or_else(|| spot.value().get("default"));
        let examples = spot.value().get("examples").and_then(Value::as_array).and_then(|list| list.first());
        self.example = self.example.or(examples).or_else(|| spot.value().get("example"));
    }

    fn types(&mut self, spot: &Spot<'s>) {
        let named = |value: &Value| {
            value.as_str().and_then(|name| {
                // A file of Swagger 2.0 is text.
                if name == "file" { Some(Types::STRING) } else { Types::named(name) }
            })
        };
        let types = match spot.value().get("type") {
            Some(Value::Array(list)) => list.iter().filter_map(named).fold(Types::NONE, |a, b| a | b),
            Some(one) => match named(one) {
                Some(types) => types,
                None => return,
            },
            None => return,
        };
        self.typed = true;
        self.types = self.types & types;
    }

    fn scalars(&mut self, spot: &Spot<'s>) {
        let value = spot.value();
        if let Some(list) = value.get("enum").and_then(Value::as_array) {
            self.narrow(list.iter().collect());
        }
        if let Some(constant) = spot.keyword("const") {
            self.narrow(vec![constant]);
        }
        let number =
            |key: &str| value.get(key).and_then(|v| if let Value::Number(n) = v { Some(n.clone()) } else { None });
        let flag = |key: &str| value.get(key).and_then(Value::as_bool) == Some(true);
        if let Some(least) = number("minimum") {
            self.range.raise(Bound { value: least, beyond: flag("exclusiveMinimum") });
        }
        if let Some(most) = number("maximum") {
            self.range.lower(Bound { value: most, beyond: flag("exclusiveMaximum") });
        }
        if let Some(least) = number("exclusiveMinimum") {
            self.range.raise(Bound { value: least, beyond: true });
        }
        if let Some(most) = number("exclusiveMaximum") {
            self.range.lower(Bound { value: most, beyond: true });
        }
        if let Some(step) = number("multipleOf") {
            if self.step.as_ref().is_some_and(|known| *known != step) {
                self.unshown.insert("multipleOf");
            }
            self.step.get_or_insert(step);
        }
        bounds(value, "minLength", "maxLength", &mut self.length);
        if let Some(pattern) = value.get("pattern").and_then(Value::as_str) {
            self.patterns.push(pattern);
        }
        if let Some(format) = value.get("format").and_then(Value::as_str) {
            self.formats.push(format);
        }
        if let Some(not) = spot.one("not") {
            self.not(&not);
        }
    }

    /// Values that are excluded can be shown; anything else that must not be is enforced without being shown.
    fn not(&mut self, not: &Spot<'s>) {
        let only = |key: &str| not.value().as_object().is_some_and(|map| map.len() == 1 && map.contains_key(key));
        if allows_anything(not) {
            self.never = true;
            return;
        }
        if allows_nothing(not) {
            return;
        }
        match (not.keyword("const"), not.value().get("enum").and_then(Value::as_array)) {
            (Some(constant), _) if only("const") => self.not.push(constant.clone()),
            (_, Some(list)) if only("enum") => self.not.extend(list.iter().cloned()),
            _ => {
                self.unshown.insert("not");
            }
        }
    }

    fn narrow(&mut self, list: Vec<&'s Value>) {
        self.choices = Some(match self.choices.take() {
            Some(known) => known.into_iter().filter(|value| list.iter().any(|other| same(value, other))).collect(),
            None => list,
        });
    }

    fn object(&mut self, spot: &Spot<'s>) {
        let value = spot.value();
        let properties = spot.named("properties");
        let patterns = spot.named("patternProperties");
        if let Some(list) = value.get("required").and_then(Value::as_array) {
            self.required.extend(list.iter().filter_map(Value::as_str));
        }
        if let Some(additional) = spot.keyword("additionalProperties") {
            let rest = match additional {
                Value::Bool(true) => None,
                Value::Bool(false) => Some(None),
                Value::Object(map) if map.is_empty() => None,
                _ if allows_nothing(&spot.within(additional)) => Some(None),
                _ => Some(Some(spot.within(additional))),
            };
            if let Some(rest) = rest {
                self.closers.push(Closer {
                    listed: properties.iter().map(|(name, _)| *name).collect(),
                    patterns: patterns.iter().map(|(pattern, _)| *pattern).collect(),
                    rest,
                });
            }
        }
        self.properties.extend(properties);
        self.key_patterns.extend(patterns);
        self.key_names.extend(spot.one("propertyNames"));
        bounds(value, "minProperties", "maxProperties", &mut self.properties_count);
        for keyword in ["dependentRequired", "dependencies"] {
            let Some(map) = spot.keyword(keyword).and_then(Value::as_object) else { continue };
            for (name, needed) in map {
                if let Some(list) = needed.as_array() {
                    self.dependent.push((name, list.iter().filter_map(Value::as_str).collect()));
                }
            }
        }
        self.dependent.sort();
        self.dependent_schemas.extend(spot.named("dependentSchemas"));
        let schemas = spot.named("dependencies").into_iter().filter(|(_, s)| !s.value().is_array());
        self.dependent_schemas.extend(schemas);
        for keyword in ["unevaluatedProperties", "unevaluatedItems"] {
            if spot.keyword(keyword).is_some_and(|v| v.as_bool() != Some(true)) {
                self.unshown.insert(keyword);
            }
        }
    }

    fn list(&mut self, spot: &Spot<'s>) {
        let value = spot.value();
        bounds(value, "minItems", "maxItems", &mut self.items_count);
        self.unique |= value.get("uniqueItems").and_then(Value::as_bool) == Some(true);
        if spot.keyword("contains").is_some() {
            self.unshown.insert("contains");
        }
        let prefix = if spot.dialect().knows("prefixItems") { spot.list("prefixItems") } else { spot.list("items") };
        if !prefix.is_empty() {
            self.prefix.push(prefix);
            let rest = if spot.dialect().knows("prefixItems") { "items" } else { "additionalItems" };
            self.rest.extend(spot.one(rest));
        } else if let Some(items) = spot.one("items") {
            self.items.push(items);
        }
    }

    fn unions(&mut self, spot: &Spot<'s>, left: &mut Vec<Spot<'s>>) {
        let by = spot.value().get("discriminator").and_then(|d| match d {
            Value::String(name) => Some(name.as_str()),
            other => other.get("propertyName").and_then(Value::as_str),
        });
        for (keyword, kind) in [("oneOf", UnionKind::One), ("anyOf", UnionKind::Any)] {
            let mut spots = spot.list(keyword);
            match spots.len() {
                0 => {}
                // A union of one offers no choice.
                1 => left.extend(spots.pop()),
                _ => self.unions.push(Variants { kind, spots, by }),
            }
        }
        match spot.keyword("if") {
            None => {}
            Some(Value::Bool(true)) => left.extend(spot.one("then")),
            Some(Value::Bool(false)) => left.extend(spot.one("else")),
            Some(Value::Object(map)) if map.is_empty() => left.extend(spot.one("then")),
            Some(_) => self.conditions.push(spot.clone()),
        }
    }

    fn serialized(&mut self, spot: &Spot<'s>) {
        if let Some(inner) = spot.value().get("x-deed-serialized") {
            self.text = Some(Some(spot.within(inner)));
            return;
        }
        let media = spot.value().get("contentMediaType").and_then(Value::as_str);
        let encoded = spot.value().get("contentEncoding").is_some();
        if media.is_some_and(|m| m == "application/json" || m.ends_with("+json")) && !encoded {
            self.text = Some(spot.one("contentSchema"));
        } else if media.is_some() || encoded {
            self.unshown.insert("contentMediaType");
        }
    }
}

/// Returns true if a schema says nothing at all of what is valid.
fn allows_anything(spot: &Spot<'_>) -> bool {
    match spot.value() {
        Value::Bool(allowed) => *allowed,
        Value::Object(map) => map.keys().all(|key| REMARKS.contains(&key.as_str())),
        _ => false,
    }
}

/// Returns true if a schema is `false`, or says the same as `{"not": {}}`.
pub(super) fn allows_nothing(spot: &Spot<'_>) -> bool {
    spot.value() == &Value::Bool(false) || spot.one("not").is_some_and(|not| allows_anything(&not))
}

fn bounds(value: &Value, least: &str, most: &str, bounds: &mut Bounds) {
    if let Some(least) = value.get(least).and_then(whole) {
        bounds.at_least(least);
    }
    if let Some(most) = value.get(most).and_then(whole) {
        bounds.at_most(most);
    }
}

fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let float = value.as_f64()?;
        // Beyond 2^53 no length is ever reached, so what is lost in the cast makes no difference.
        (float >= 0.0 && float.fract() == 0.0).then_some(float as u64)
    })
}

/// Equality as JSON Schema has it: `1` and `1.0` are one value.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || (a.as_f64() == b.as_f64() && a.as_f64().is_some()),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}
