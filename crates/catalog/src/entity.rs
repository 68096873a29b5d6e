//! An entity: what one row or one document means, as a JSON Schema with keys and a grain.

use deed_canon::{CanonError, ContentHash, hash};
use deed_model::{ENTITY_TAG, EntitySchemaId};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Fields by which rows say where they came from.
const PROVENANCE_FIELDS: [&str; 8] = [
    "source_ids",
    "source_id",
    "source_refs",
    "citation_ids",
    "citations",
    "evidence_ids",
    "evidence_refs",
    "evidence",
];

/// An entity.
#[derive(Debug, Clone)]
pub struct Entity {
    /// Its name.
    pub id: EntitySchemaId,
    /// Its schema.
    pub schema: Value,
    /// Its fields, sorted.
    pub fields: BTreeSet<String>,
    /// Those that must be there.
    pub required: Arc<BTreeSet<String>>,
    /// True if it may have others.
    pub open: bool,
    /// Fields that no cell of a flat table can hold: lists and objects, and values that could be read in two ways.
    pub nested: BTreeSet<String>,
    /// Candidate keys.
    pub keys: Vec<Vec<String>>,
    /// The fields that identify a row.
    pub grain: Arc<BTreeSet<String>>,
    /// The hash of its schema.
    pub hash: ContentHash,
    /// The entity whose rows it groups, where a plan derives it; none for an entity of a catalogue.
    pub derived_from: Option<EntitySchemaId>,
}

impl Entity {
    /// Reads an entity from its schema, which was found to be one.
    pub fn new(id: EntitySchemaId, schema: Value) -> Result<Self, CanonError> {
        let none = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let fields = properties.keys().cloned().collect();
        let nested = properties.iter().filter(|(_, schema)| !is_plain(schema)).map(|(name, _)| name.clone()).collect();
        let required = Arc::new(texts(schema.get("required")).into_iter().collect());
        let open = schema.get("additionalProperties") != Some(&Value::Bool(false));
        let keys = schema
            .get("x-deed-keys")
            .and_then(Value::as_array)
            .map(|keys| keys.iter().map(|key| texts(Some(key))).filter(|key| !key.is_empty()).collect());
        let grain = Arc::new(texts(schema.get("x-deed-grain")).into_iter().collect());
        let hash = hash(&ENTITY_TAG, &schema)?;
        Ok(Self {
            id,
            fields,
            required,
            open,
            nested,
            keys: keys.unwrap_or_default(),
            grain,
            hash,
            derived_from: None,
            schema,
        })
    }

    /// Returns whether a field holds numbers, if its schema says what it holds.
    pub fn is_numeric(&self, field: &str) -> Option<bool> {
        let column = self.schema.get("properties")?.get(field)?;
        let Some(sort) = column.get("type") else {
            let values = column.get("enum").and_then(Value::as_array);
            return values.map(|values| values.iter().all(Value::is_number));
        };
        let is = |sort: &Value| matches!(sort.as_str(), Some("number" | "integer"));
        Some(is(sort) || sort.as_array().is_some_and(|sorts| sorts.iter().any(is)))
    }

    /// Returns whether a field holds lists or objects and nothing plain, if its schema says what it holds.
    pub fn is_composite(&self, field: &str) -> Option<bool> {
        let sorts = self.sorts(field)?;
        Some(!sorts.is_empty() && sorts.iter().all(|sort| matches!(*sort, "array" | "object")))
    }

    /// Returns whether values of a field can be compared as texts or numbers, if its schema says what it holds.
    pub fn is_ordered(&self, field: &str) -> Option<bool> {
        let sorts = self.sorts(field)?;
        Some(sorts.iter().any(|sort| matches!(*sort, "string" | "number")))
    }

    /// The types of a field beside null, if its schema says what it holds.
    fn sorts(&self, field: &str) -> Option<BTreeSet<&str>> {
        sorts(self.schema.get("properties")?.get(field)?)
    }

    /// Its title.
    pub fn title(&self) -> &str {
        self.schema.get("title").and_then(Value::as_str).unwrap_or_else(|| self.id.as_str())
    }

    /// Its description.
    pub fn description(&self) -> &str {
        self.schema.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// The fields by which a row says where it came from.
    pub fn provenance_fields(&self) -> Vec<String> {
        PROVENANCE_FIELDS.iter().filter(|field| self.fields.contains(**field)).map(|f| (*f).to_owned()).collect()
    }

    /// Returns whether a field is one that says where a row came from.
    pub fn says_provenance(field: &str) -> bool {
        PROVENANCE_FIELDS.contains(&field)
    }
}

/// Returns whether a cell of a flat table can hold the values of a field: one plain type, null beside it or not.
fn is_plain(schema: &Value) -> bool {
    if schema.get("$ref").is_some() {
        return false;
    }
    let plain = sorts(schema).unwrap_or_default();
    plain.len() <= 1 && !plain.contains("array") && !plain.contains("object")
}

/// The types that a schema allows beside null; none if it does not say.
fn sorts(schema: &Value) -> Option<BTreeSet<&str>> {
    let of = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let all: Vec<&str> = match (schema.get("type"), schema.get("enum"), schema.get("const")) {
        _ if schema.get("$ref").is_some() => return None,
        (Some(Value::Array(sorts)), _, _) => sorts.iter().filter_map(Value::as_str).collect(),
        (Some(Value::String(sort)), _, _) => vec![sort.as_str()],
        (_, Some(Value::Array(values)), _) => values.iter().map(of).collect(),
        (_, _, Some(value)) => vec![of(value)],
        _ => return None,
    };
    let beside_null = all.into_iter().filter(|sort| *sort != "null");
    Some(beside_null.map(|sort| if sort == "integer" { "number" } else { sort }).collect())
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}
