//! An entity inferred from what is in a table: the types of its columns, which of them may be missing, and what tells its
//! rows apart.

use deed_model::{
    CandidateKey, ColumnSummary, ColumnType, Coverage, EntitySchemaId, Nullability, TableSummary, Uniqueness, ValueType,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use thiserror::Error;

/// The most candidate keys that are listed.
const MAX_KEYS: usize = 5;
/// In fewer rows than this, nearly every column differs from row to row: only one that is called an id counts as a key.
const FEW_ROWS: u64 = 10;
/// Names of columns are shortened to this many characters by the inspection.
const LONGEST_NAME: usize = 128;
/// The name that the inspection shows in place of one that is a secret.
const CONCEALED: &str = "[secret]";

/// The form of a table's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// As text, which is read by the type of its column: CSV and TSV.
    Text,
    /// With types of their own: JSON.
    Typed,
}

/// An entity that was inferred.
#[derive(Debug, Clone, PartialEq)]
pub struct InferredEntity {
    /// Its name.
    pub id: EntitySchemaId,
    /// Its JSON Schema. Descriptions are placeholders that begin with `TODO`.
    pub schema: Value,
    /// Decisions and checks that are left to the author.
    pub notes: Vec<String>,
}

/// The reason why no entity can be inferred from a table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InferError {
    /// It has no rows.
    #[error("it has no rows, so the types of its columns are not known")]
    NoRows,
    /// It has no columns.
    #[error("it has no columns")]
    NoColumns,
    /// It has more columns than an inspection describes.
    #[error("it has {0} columns, more than are described")]
    TooManyColumns(u64),
    /// A column has no name that could be a field.
    #[error("column {0} has no usable name: {1}")]
    ColumnName(usize, &'static str),
    /// Two columns have one name.
    #[error("two columns are called `{0}`")]
    DuplicateColumn(String),
}

/// Infers an entity from the summary of a table.
///
/// # Errors
/// The table has no rows, or its columns cannot be fields of an entity.
pub fn infer_entity(id: EntitySchemaId, table: &TableSummary, cells: Cells) -> Result<InferredEntity, InferError> {
    check(table)?;
    let properties: Map<String, Value> =
        table.columns.iter().map(|column| (column.name.clone(), property(column, cells))).collect();
    let always = table.columns.iter().filter(|column| column.nullability == Nullability::NeverNull);
    let required: Vec<&str> = always.map(|column| column.name.as_str()).collect();
    let keys = keys(table);
    let name = id.as_str().rsplit('.').next().unwrap_or(id.as_str()).replace('_', " ");
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("urn:deed:entity:{id}"),
        "title": capitalized(&name),
        "description": "TODO: say what one row is",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let notes = notes(table, &keys);
    if let (Some(first), Some(schema)) = (keys.first(), schema.as_object_mut()) {
        schema.insert("x-deed-grain".to_owned(), json!(first.columns));
        let columns: Vec<&Vec<String>> = keys.iter().map(|key| &key.columns).collect();
        schema.insert("x-deed-keys".to_owned(), json!(columns));
    }
    Ok(InferredEntity { id, schema, notes })
}

impl InferredEntity {
    /// The entity as a file of a type pack.
    pub fn to_file(&self) -> String {
        format!("{:#}\n", self.schema)
    }

    /// The entity as a section of a plan.
    pub fn to_plan_section(&self) -> String {
        let mut text = format!("entities:\n  {}:\n", self.id);
        let schema = self.schema.as_object();
        // In a plan, the key is the name.
        for (key, value) in schema.into_iter().flatten().filter(|(key, _)| !matches!(key.as_str(), "$id" | "$schema")) {
            yaml(&mut text, 4, key, value);
        }
        text
    }
}

/// Writes one key of a mapping. Objects are blocks of lines down to the fields; everything else is JSON, which is YAML.
fn yaml(text: &mut String, indent: usize, key: &str, value: &Value) {
    let plain = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        && !["y", "n", "yes", "no", "on", "off", "true", "false", "null"].contains(&key.to_ascii_lowercase().as_str());
    let key = if plain { key.to_owned() } else { Value::from(key).to_string() };
    let (space, deepest) = (" ".repeat(indent), indent >= 6);
    // Writing to a text cannot fail.
    let _ = match value {
        Value::Object(fields) if !deepest && !fields.is_empty() => {
            let _ = writeln!(text, "{space}{key}:");
            fields.iter().for_each(|(key, value)| yaml(text, indent + 2, key, value));
            Ok(())
        }
        other => writeln!(text, "{space}{key}: {other}"),
    };
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn check(table: &TableSummary) -> Result<(), InferError> {
    if table.columns.is_empty() {
        return Err(InferError::NoColumns);
    }
    if table.rows == 0 {
        return Err(InferError::NoRows);
    }
    if table.column_count != table.columns.len() as u64 {
        return Err(InferError::TooManyColumns(table.column_count));
    }
    let mut seen = BTreeSet::new();
    for (position, column) in table.columns.iter().enumerate() {
        let name = column.name.as_str();
        if name.trim().is_empty() {
            return Err(InferError::ColumnName(position + 1, "it is empty"));
        }
        if name.chars().count() >= LONGEST_NAME {
            return Err(InferError::ColumnName(position + 1, "it is too long"));
        }
        if name == CONCEALED {
            return Err(InferError::ColumnName(position + 1, "it looks like a secret"));
        }
        if !seen.insert(name) {
            return Err(InferError::DuplicateColumn(name.to_owned()));
        }
    }
    Ok(())
}

/// The schema of a column.
fn property(column: &ColumnSummary, cells: Cells) -> Value {
    let mut property = Map::new();
    let mut types = types(column, cells);
    if !types.is_empty() && column.nullability != Nullability::NeverNull {
        types.push("null");
    }
    match types.as_slice() {
        [] => {}
        [one] => {
            property.insert("type".to_owned(), json!(one));
        }
        several => {
            property.insert("type".to_owned(), json!(several));
        }
    }
    if column.inferred == ColumnType::Date {
        property.insert("format".to_owned(), json!("date"));
    }
    property.insert("description".to_owned(), json!("TODO: say what it means"));
    Value::Object(property)
}

/// The JSON types of a column's values, without null; none if there are no values to infer them from.
fn types(column: &ColumnSummary, cells: Cells) -> Vec<&'static str> {
    match (column.inferred, cells) {
        (ColumnType::Boolean, _) => vec!["boolean"],
        (ColumnType::Integer, _) => vec!["integer"],
        (ColumnType::Number, _) => vec!["number"],
        (ColumnType::Date | ColumnType::Timestamp | ColumnType::Text, _) => vec!["string"],
        (ColumnType::Array, _) => vec!["array"],
        (ColumnType::Object, _) => vec!["object"],
        // A cell of text holds anything.
        (ColumnType::Null | ColumnType::Mixed, Cells::Text) => vec!["string"],
        (ColumnType::Null, Cells::Typed) => Vec::new(),
        (ColumnType::Mixed, Cells::Typed) => {
            let all: BTreeSet<&'static str> = column.types.keys().filter_map(|value| json_type(*value)).collect();
            let fractions = all.contains("number");
            all.into_iter().filter(|name| !(fractions && *name == "integer")).collect()
        }
    }
}

fn json_type(value: ValueType) -> Option<&'static str> {
    match value {
        ValueType::Null => None,
        ValueType::Boolean => Some("boolean"),
        ValueType::Integer => Some("integer"),
        ValueType::Number => Some("number"),
        ValueType::Date | ValueType::Timestamp | ValueType::Text => Some("string"),
        ValueType::Array => Some("array"),
        ValueType::Object => Some("object"),
    }
}

/// The columns that tell rows apart, the most likely key first.
fn keys(table: &TableSummary) -> Vec<&CandidateKey> {
    let column = |name: &String| table.columns.iter().find(|column| column.name == *name);
    let mut keys: Vec<&CandidateKey> = table
        .candidate_keys
        .iter()
        .filter(|key| key.unique == Uniqueness::Unique && key.columns.iter().all(|name| column(name).is_some()))
        .collect();
    keys.sort_by_key(|key| {
        let worst = key.columns.iter().filter_map(column).map(unlikeliness).max();
        (key.columns.len(), worst)
    });
    // Measured values are seldom the same twice; as keys they mean nothing unless there is nothing else.
    let likely = |key: &&CandidateKey| key.columns.iter().filter_map(column).all(|c| unlikeliness(c) < 3);
    if keys.iter().any(&likely) {
        keys.retain(|key| likely(key));
    }
    if table.rows < FEW_ROWS {
        keys.retain(|key| key.columns.iter().filter_map(column).all(|c| unlikeliness(c) == 0));
    }
    keys.truncate(MAX_KEYS);
    keys
}

/// Ranks a column as a key, the likeliest first: an id, other names and numbers, days, measured values.
fn unlikeliness(column: &ColumnSummary) -> u8 {
    let name = column.name.to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let is_id =
        words.last().is_some_and(|last| ["id", "key", "number", "no", "nr", "code", "uuid", "sku"].contains(last));
    match column.inferred {
        ColumnType::Text | ColumnType::Integer | ColumnType::Mixed if is_id => 0,
        ColumnType::Text | ColumnType::Integer | ColumnType::Mixed => 1,
        ColumnType::Date | ColumnType::Timestamp => 2,
        ColumnType::Number | ColumnType::Boolean | ColumnType::Null | ColumnType::Array | ColumnType::Object => 3,
    }
}

fn notes(table: &TableSummary, keys: &[&CandidateKey]) -> Vec<String> {
    let mut notes = Vec::new();
    if table.coverage != Coverage::Complete {
        notes.push(format!("only the first {} rows were read", table.rows));
    }
    let few = table.rows < FEW_ROWS;
    match keys {
        [] if few => notes.push(format!(
            "{} too few to tell which columns are keys: write the fields that tell rows apart into `x-deed-grain`",
            if table.rows == 1 { "1 row is".to_owned() } else { format!("{} rows are", table.rows) }
        )),
        [first, ..] if few => notes.push(format!(
            "one row is taken to be one {} because of its name; the file has only {} {}: check `x-deed-grain`",
            first.columns.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and "),
            table.rows,
            if table.rows == 1 { "row" } else { "rows" }
        )),
        [] => notes.push(
            "no column, and no pair of columns, tells every row apart: write the fields that do into `x-deed-grain`"
                .to_owned(),
        ),
        [first, ..] => notes.push(format!(
            "one row is taken to be one {}: check `x-deed-grain`",
            first.columns.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
        )),
    }
    if let [only] = table.columns.as_slice()
        && only.name.contains(';')
    {
        notes.push(format!(
            "the file has one column, `{}`: is `;` the delimiter? only commas and tabs are read, so write it with those",
            only.name
        ));
    }
    for column in table.columns.iter().filter(|column| column.inferred == ColumnType::Null) {
        notes.push(format!("`{}` has no values, so its type is not known", column.name));
    }
    for column in table.columns.iter().filter(|column| column.inferred == ColumnType::Mixed) {
        notes.push(format!("`{}` has values of more than one type", column.name));
    }
    notes
}
