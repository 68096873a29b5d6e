//! The value of a patch operation, as a tree or as compact text.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;

/// The value of an operation: one JSON value, however it is stored.
#[derive(Debug, Clone)]
pub enum PatchValue {
    /// The value itself.
    Tree(Value),
    /// The JSON text of the value, a tenth of the memory of a tree with many small objects. Only a value that was
    /// serialized to JSON is stored as text, so it can always be parsed again.
    Text(Box<str>),
}

impl PatchValue {
    /// Stores a value as text, given its approximate size in bytes.
    pub fn compact(value: &Value, bytes: usize) -> Self {
        let mut text = Vec::with_capacity(bytes);
        let written = serde_json::to_writer(&mut text, value).map_err(|error| error.to_string());
        let text = written.and_then(|()| String::from_utf8(text).map_err(|error| error.to_string()));
        text.map_or_else(|_| Self::Tree(value.clone()), |text| Self::Text(text.into_boxed_str()))
    }

    /// Returns the value, parsed from its text if it is stored as text.
    pub fn value(&self) -> Cow<'_, Value> {
        match self {
            Self::Tree(value) => Cow::Borrowed(value),
            Self::Text(text) => Cow::Owned(read(text)),
        }
    }
}

/// Parses the output of `compact`.
fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

impl From<Value> for PatchValue {
    fn from(value: Value) -> Self {
        Self::Tree(value)
    }
}

impl PartialEq for PatchValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(two)) => one == two,
            (one, two) => one.value() == two.value(),
        }
    }
}

impl PartialEq<Value> for PatchValue {
    fn eq(&self, other: &Value) -> bool {
        *self.value() == *other
    }
}

impl Serialize for PatchValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PatchValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::Tree)
    }
}

impl JsonSchema for PatchValue {
    fn schema_name() -> Cow<'static, str> {
        Value::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Value::json_schema(generator)
    }
}
