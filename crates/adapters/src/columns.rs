//! The columns of a table, as the JSON Schema of one row describes them.
//!
//! Turns the schema into a type for each column by name. A required column whose type no cell can
//! hold without guessing (two types, parts of its own) is refused here and not at the first row. An optional one is
//! refused only in a table that has it.

use crate::error::{AdapterError, ErrorKind, quote};
use serde_json::Value;
use std::collections::BTreeMap;

/// The type of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    /// Any text.
    Text,
    /// A date, `YYYY-MM-DD`.
    Date,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Nothing but null.
    Null,
    /// Not declared.
    Any,
}

impl Type {
    /// The name of the type in messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Date => "a date (YYYY-MM-DD)",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::Null => "null",
            Self::Any => "a plain value",
        }
    }
}

/// A column as the row schema declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) of: Type,
    pub(crate) nullable: bool,
    pub(crate) required: bool,
}

impl Column {
    /// A column that is not declared: every cell is text.
    pub(crate) const UNTYPED: Self = Self { of: Type::Any, nullable: false, required: true };
}

/// The columns that a row schema names.
#[derive(Debug, Default)]
pub(crate) struct RowType {
    columns: BTreeMap<String, Column>,
    /// Optional columns that no cell can hold, with the reason.
    unfit: BTreeMap<String, &'static str>,
    pub(crate) closed: bool,
    pub(crate) given: bool,
}

impl RowType {
    /// Reads the row schema; without one every column is untyped.
    pub(crate) fn read(schema: Option<&Value>) -> Result<Self, AdapterError> {
        let Some(schema) = schema else { return Ok(Self::default()) };
        let shape = "the row schema is an object schema with `properties`";
        let Some(schema) = schema.as_object() else { return Err(AdapterError::settings(shape)) };
        if schema.get("type").is_some_and(|t| t.as_str() != Some("object")) {
            return Err(AdapterError::settings(shape));
        }
        let names =
            |required: &'_ Value| required.as_array()?.iter().map(|name| Some(name.as_str()?.to_owned())).collect();
        let required: Vec<String> = match schema.get("required").map(names) {
            None => Vec::new(),
            Some(Some(names)) => names,
            Some(None) => return Err(AdapterError::settings("`required` of the row schema must be a list of names")),
        };
        let mut columns = BTreeMap::new();
        let mut unfit = BTreeMap::new();
        match schema.get("properties") {
            None => {}
            Some(Value::Object(properties)) => {
                for (name, property) in properties {
                    let required = required.contains(name);
                    match type_of(property) {
                        Ok((of, nullable)) => {
                            columns.insert(name.clone(), Column { of, nullable, required });
                        }
                        Err(why) if required => {
                            return Err(AdapterError::settings(format!("the column {} {why}", quote(name))));
                        }
                        Err(why) => {
                            unfit.insert(name.clone(), why);
                        }
                    }
                }
            }
            Some(_) => return Err(AdapterError::settings(shape)),
        }
        for name in required {
            columns.entry(name).or_insert(Column { of: Type::Any, nullable: false, required: true });
        }
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        Ok(Self { columns, unfit, closed, given: true })
    }

    /// The column of a name, if the schema declares it.
    pub(crate) fn get(&self, name: &str) -> Option<Column> {
        self.columns.get(name).copied()
    }

    /// The column of a name; untyped if it is not declared. A closed schema refuses other names.
    pub(crate) fn column(&self, name: &str) -> Result<Column, AdapterError> {
        if let Some(why) = self.unfit.get(name) {
            let message = format!("the column {} {why}", quote(name));
            let help = "leave the column out, or keep the rows as JSON";
            return Err(AdapterError::new(ErrorKind::Nested, message).help(help));
        }
        match self.get(name) {
            Some(column) => Ok(column),
            None if self.closed => Err(AdapterError::new(
                ErrorKind::Header,
                format!("the column {} is not in the row schema, which allows no others", quote(name)),
            )),
            // Where a schema is given, what it does not require is optional.
            None if self.given => Ok(Column { required: false, ..Column::UNTYPED }),
            None => Ok(Column::UNTYPED),
        }
    }

    /// The names of all columns that a table can have, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, Column)> {
        self.columns.iter().map(|(name, column)| (name.as_str(), *column))
    }
}

/// The type of a column, or the reason for which no cell can hold its values.
fn type_of(schema: &Value) -> Result<(Type, bool), &'static str> {
    let refused = |why: &'static str| Err(why);
    let schema = match schema {
        Value::Bool(true) => return Ok((Type::Any, true)),
        Value::Object(schema) => schema,
        _ => return refused("has a schema that allows nothing"),
    };
    if schema.contains_key("$ref") {
        return refused("has a schema elsewhere (`$ref`); put it in place");
    }
    let words: Vec<&str> = match (schema.get("type"), schema.get("enum"), schema.get("const")) {
        (Some(Value::String(word)), _, _) => vec![word],
        (Some(Value::Array(words)), _, _) if words.iter().all(Value::is_string) => {
            words.iter().filter_map(Value::as_str).collect()
        }
        (Some(_), _, _) => return refused("has a `type` that is not a name"),
        (None, Some(Value::Array(values)), _) => values.iter().map(word_of).collect(),
        (None, _, Some(value)) => vec![word_of(value)],
        (None, _, None) => return Ok((Type::Any, true)),
    };
    let dated = schema.get("format").and_then(Value::as_str) == Some("date");
    let (mut of, mut nullable) = (None, false);
    for word in words {
        let next = match word {
            "null" => {
                nullable = true;
                continue;
            }
            "string" if dated => Type::Date,
            "string" => Type::Text,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "boolean" => Type::Boolean,
            "object" | "array" => return refused("has parts of its own; a cell holds one plain value"),
            _ => return refused("has a type that JSON Schema does not know"),
        };
        of = match (of, next) {
            (None, next) => Some(next),
            (Some(old), next) if old == next => Some(next),
            (Some(Type::Integer | Type::Number), Type::Integer | Type::Number) => Some(Type::Number),
            (Some(_), _) => return refused("has more than one type, so a cell could be read in two ways"),
        };
    }
    Ok((of.unwrap_or(Type::Null), nullable || of.is_none()))
}

fn word_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_i64() || n.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
