//! Grouped rows: the entity that follows from an entity and the way its rows are grouped.
//!
//! Input: an entity, the keys and the columns beside them. Output: an entity of its own, named
//! `<entity>_by_<key>_and_<key>`. Keys keep their types, measures have the type of what is computed.

use crate::entity::Entity;
use deed_canon::{CanonError, ContentHash};
use deed_model::{EntitySchemaId, Measure, MeasureKind};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A grouping of the rows of an entity.
#[derive(Debug, Clone, Copy)]
pub struct Grouping<'g> {
    /// The entity of one ungrouped row.
    pub of: &'g Entity,
    /// Columns that one group has in common.
    pub keys: &'g [String],
    /// Columns that are computed.
    pub measures: &'g [Measure],
    /// Further columns, of which only the name is known; none where they are not listed at all.
    pub others: Option<&'g [String]>,
}

/// Returns the name of the entity of grouped rows. Keys count as a set; a name that would not be one has a hash in it.
pub fn grouped_id(of: &EntitySchemaId, keys: &[String]) -> Option<EntitySchemaId> {
    let keys: BTreeSet<&str> = keys.iter().map(String::as_str).collect();
    let joined = keys.iter().copied().collect::<Vec<_>>().join("_and_");
    let plain = format!("{of}_by_{joined}");
    plain.parse().ok().or_else(|| {
        let digits: String = ContentHash::of_bytes(joined.as_bytes()).hex().chars().take(16).collect();
        format!("{of}_by_{digits}").parse().ok()
    })
}

impl Grouping<'_> {
    /// Derives the entity of grouped rows; none where its name cannot be written.
    ///
    /// # Errors
    /// Fails where the schema has no canonical form.
    pub fn entity(&self) -> Result<Option<Entity>, CanonError> {
        let Some(id) = grouped_id(&self.of.id, self.keys) else { return Ok(None) };
        let mut properties = Map::new();
        for key in self.keys {
            let nullable = !self.of.required.contains(key);
            properties.insert(key.clone(), self.column(key, nullable));
        }
        for measure in self.measures {
            properties.insert(measure.name.clone(), self.measured(measure));
        }
        for other in self.others.unwrap_or_default() {
            properties.entry(other.clone()).or_insert_with(|| self.column(other, true));
        }
        let mut keys: Vec<&String> = self.keys.iter().collect();
        keys.sort();
        keys.dedup();
        let required: Vec<&String> = properties.keys().collect();
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": format!("{} by {}", self.of.title(), self.keys.join(", ")),
            "description": format!("Rows of {}, one for each group.", self.of.id),
            "type": "object",
            "required": required,
            "properties": properties,
            "additionalProperties": self.others.is_none() && self.measures.is_empty(),
            "x-deed-keys": [keys],
            "x-deed-grain": keys,
        });
        let mut entity = Entity::new(id, schema)?;
        entity.derived_from = Some(self.of.id.clone());
        Ok(Some(entity))
    }

    /// A column of the ungrouped rows, as it is in groups.
    fn column(&self, name: &str, nullable: bool) -> Value {
        let known = self.of.schema.get("properties").and_then(|properties| properties.get(name));
        match known {
            Some(Value::Object(known)) if nullable => Value::Object(or_null(known)),
            Some(known) => known.clone(),
            None => json!({}),
        }
    }

    fn measured(&self, measure: &Measure) -> Value {
        match measure.how {
            MeasureKind::Sum => json!({ "type": "number" }),
            MeasureKind::Count => json!({ "type": "integer", "minimum": 0 }),
            MeasureKind::Mean => json!({ "type": ["number", "null"] }),
            MeasureKind::Min | MeasureKind::Max => self.column(&measure.field, true),
        }
    }
}

/// A schema that allows null as well.
fn or_null(schema: &Map<String, Value>) -> Map<String, Value> {
    let mut schema = schema.clone();
    let sorts = match schema.get("type") {
        Some(Value::String(sort)) => vec![json!(sort)],
        Some(Value::Array(sorts)) => sorts.clone(),
        _ => Vec::new(),
    };
    if !sorts.is_empty() && !sorts.contains(&json!("null")) {
        let sorts = sorts.into_iter().chain([json!("null")]).collect();
        schema.insert("type".to_owned(), Value::Array(sorts));
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    schema
}
