//! A schema of an operation that stands alone: what it refers to in the description is copied beside it.

use super::{BASE, Moved, unescaped};
use crate::dialect::Dialect;
use crate::references::escaped;
use crate::refusal::{Reason, Refused};
use crate::subschemas::{MANY, NAMED, ONE};
use deed_canon::Pointer;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The definitions that were copied from a plain description.
struct Copies<'d> {
    moved: &'d Moved,
    /// The keyword that holds the definitions.
    keyword: &'static str,
    /// The name of each definition, by its pointer in the plain description.
    names: BTreeMap<String, String>,
    /// The pointers of definitions that are not copied yet.
    left: Vec<String>,
}

/// Turns the schema of a request, which refers into a description, into one that refers to itself alone.
pub(super) fn standalone(mut schema: Value, plain: &Value, moved: &Moved, dialect: Dialect) -> Result<Value, Refused> {
    let (uri, keyword) = match dialect {
        Dialect::OpenApi31 => ("https://json-schema.org/draft/2020-12/schema", "$defs"),
        _ => ("http://json-schema.org/draft-04/schema#", "definitions"),
    };
    let mut copies = Copies { moved, keyword, names: BTreeMap::new(), left: Vec::new() };
    copies.redirect(&mut schema);
    let mut definitions = Map::new();
    while let Some(pointer) = copies.left.pop() {
        let absent =
            || Refused::new(Reason::MissingReference, format!("it refers to `{pointer}`, which it does not have"));
        let mut definition = plain.pointer(&pointer).cloned().ok_or_else(absent)?;
        copies.redirect(&mut definition);
        if let Some(name) = copies.names.get(&pointer) {
            definitions.insert(name.clone(), definition);
        }
    }
    // Before 2019-09 nothing counts beside a reference, not even definitions.
    if schema.get("$ref").is_some() {
        schema = json!({ "allOf": [schema] });
    }
    if let Some(map) = schema.as_object_mut() {
        map.insert("$schema".to_owned(), json!(uri));
        if !definitions.is_empty() {
            map.insert(keyword.to_owned(), Value::Object(definitions));
        }
    }
    Ok(schema)
}

impl Copies<'_> {
    /// Makes every reference of a schema one to a copied definition.
    fn redirect(&mut self, schema: &mut Value) {
        let mut left = vec![schema];
        while let Some(schema) = left.pop() {
            let Some(map) = schema.as_object_mut() else { continue };
            if let Some(Value::String(reference)) = map.get_mut("$ref") {
                *reference = self.definition(reference);
            }
            // Definitions within are copied where something refers to them.
            map.remove("$defs");
            map.remove("definitions");
            for (keyword, child) in map.iter_mut() {
                let keyword = keyword.as_str();
                if child.is_object() && ONE.contains(&keyword) {
                    left.push(child);
                    continue;
                }
                match child {
                    Value::Object(named) if NAMED.contains(&keyword) => left.extend(named.values_mut()),
                    Value::Array(items) if MANY.contains(&keyword) => left.extend(items),
                    _ => {}
                }
            }
        }
    }

    /// The reference to the copy of what a reference leads to.
    fn definition(&mut self, reference: &str) -> String {
        let fragment = reference.strip_prefix(BASE).unwrap_or(reference);
        let address = self.moved.address(&format!("{BASE}{fragment}"));
        let pointer = address.split_once('#').map(|(_, fragment)| unescaped(fragment)).unwrap_or_default();
        let name = match self.names.get(&pointer) {
            Some(name) => name.clone(),
            None => self.name(pointer),
        };
        format!("#/{}{}", self.keyword, escaped(&Pointer::push("", &name).replace('%', "%25")))
    }

    /// Names a definition after the last part of its pointer, and leaves it to be copied.
    fn name(&mut self, pointer: String) -> String {
        let last = pointer.rsplit('/').next().map(Pointer::unescape).unwrap_or_default();
        let taken: BTreeSet<&String> = self.names.values().collect();
        let name = (1..)
            .map(|number| if number == 1 { last.clone() } else { format!("{last}-{number}") })
            .find(|name| !taken.contains(name))
            .unwrap_or_default();
        self.left.push(pointer.clone());
        self.names.insert(pointer, name.clone());
        name
    }
}
