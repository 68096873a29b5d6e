//! A location in a schema, with the base that its references are resolved against.

use crate::dialect::Dialect;
use crate::refusal::Refused;
use crate::remote;
use deed_canon::Pointer;
use referencing::{Resolver, ResourceRef};
use serde_json::Value;

/// A subschema with the base that its references are resolved against.
#[derive(Clone, Debug)]
pub struct Spot<'s> {
    value: &'s Value,
    resolver: Resolver<'s>,
    dialect: Dialect,
}

impl<'s> Spot<'s> {
    pub(crate) fn new(value: &'s Value, resolver: Resolver<'s>, dialect: Dialect) -> Self {
        Self { value, resolver, dialect }
    }

    /// The subschema as it is written.
    pub fn value(&self) -> &'s Value {
        self.value
    }

    /// The dialect it is written in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// A number that is unique to this location within the schema.
    pub fn identity(&self) -> usize {
        std::ptr::from_ref(self.value).addr()
    }

    /// The value of a keyword, if this dialect gives the keyword a meaning.
    pub fn keyword(&self, name: &str) -> Option<&'s Value> {
        self.value.get(name).filter(|_| self.dialect.knows(name))
    }

    /// A subschema within this one.
    pub fn within(&self, value: &'s Value) -> Self {
        let base = ResourceRef::new(value, self.dialect.draft());
        // The registry refuses a plain schema whose `$id` is not an address; in an API description it has no effect.
        let resolver = self.resolver.in_subresource(base).unwrap_or_else(|_| self.resolver.clone());
        Self { value, resolver, dialect: self.dialect }
    }

    /// The subschemas that a keyword lists.
    pub fn list(&self, keyword: &str) -> Vec<Self> {
        let items = self.keyword(keyword).and_then(Value::as_array);
        items.map(|items| items.iter().map(|item| self.within(item)).collect()).unwrap_or_default()
    }

    /// The subschema that a keyword holds.
    pub fn one(&self, keyword: &str) -> Option<Self> {
        let value = self.keyword(keyword)?;
        (value.is_object() || value.is_boolean()).then(|| self.within(value))
    }

    /// The subschemas that a keyword holds by name, in the order of their names.
    pub fn named(&self, keyword: &str) -> Vec<(&'s str, Self)> {
        let Some(map) = self.keyword(keyword).and_then(Value::as_object) else {
            return Vec::new();
        };
        let mut named: Vec<_> = map.iter().map(|(name, value)| (name.as_str(), self.within(value))).collect();
        // The order of a map depends on how the whole build was configured; the order of names does not.
        named.sort_by_key(|(name, _)| *name);
        named
    }

    /// The `$ref` of this subschema as written, and the location that it resolves to.
    pub fn reference(&self) -> Option<(&'s str, Result<Self, Refused>)> {
        let text = self.value.get("$ref").and_then(Value::as_str)?;
        let found = remote::lookup(&self.resolver, text).map(|resolved| {
            let (value, resolver, _) = resolved.into_inner();
            Self { value, resolver, dialect: self.dialect }
        });
        Some((text, found))
    }

    /// The absolute address of the target of this subschema's `$ref`.
    pub(crate) fn address(&self) -> Option<String> {
        let text = self.value.get("$ref").and_then(Value::as_str)?;
        let base = self.resolver.base_uri();
        let (document, fragment) = text.split_once('#').unwrap_or((text, ""));
        if document.is_empty() {
            return Some(format!("{}#{fragment}", base.as_str()));
        }
        let document = self.resolver.resolve_uri(&base.borrow(), document).ok()?;
        Some(format!("{}#{fragment}", document.as_str()))
    }

    /// Returns true if the target of a reference depends on the path by which the schema was reached.
    pub fn is_dynamic(&self) -> bool {
        self.value.get("$dynamicRef").is_some() || self.value.get("$recursiveRef").is_some()
    }

    /// The subschema that holds the keyword at the end of a schema path as the validator reports it.
    pub(crate) fn along(&self, path: &str) -> Option<Self> {
        let mut segments: Vec<&str> = path.split('/').skip(1).collect();
        segments.pop();
        let mut spot = self.clone();
        for segment in segments {
            if segment == "$ref" {
                spot = spot.reference()?.1.ok()?;
                continue;
            }
            let segment = Pointer::unescape(segment);
            let value = match spot.value {
                Value::Array(items) => items.get(segment.parse::<usize>().ok()?)?,
                other => other.get(&segment)?,
            };
            spot = spot.within(value);
        }
        Some(spot)
    }
}
