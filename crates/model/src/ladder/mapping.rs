//! Mappings between vocabularies: where each field goes, and how its value is converted.

use super::contract::DateTransform;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The fields that a translation places and converts as configured.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderMapping {
    /// The fields.
    pub fields: Vec<FieldMapping>,
}

/// The mapping of one field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldMapping {
    /// A path (`/line_items/*/price`) or a name of the source vocabulary.
    pub from: String,
    /// A path or a name of the target vocabulary.
    pub to: String,
    /// The conversions of the value, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub convert: Vec<Conversion>,
}

/// A conversion of a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Conversion {
    /// Converts a number, or a number written as text, to another unit or scale.
    Scale(ScaleConversion),
    /// Converts a date to another format.
    Date(DateTransform),
    /// Converts a date and time (RFC 3339) to seconds since 1970.
    EpochSeconds,
    /// Converts text to lower case.
    LowerCase,
    /// Converts text to upper case.
    UpperCase,
    /// Converts a number to text.
    Text,
    /// Replaces each value by another; a value that is not listed is not carried over.
    Values(BTreeMap<String, Value>),
    /// Appends the text of other fields.
    Join(JoinConversion),
}

/// A number in another unit or scale.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScaleConversion {
    /// The factor, as an exact decimal.
    pub factor: String,
    /// The unit that the document must name, if it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitPlace>,
}

/// A unit that is named elsewhere in the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitPlace {
    /// Its place, as a JSON Pointer into the document.
    pub at: String,
    /// The expected unit.
    pub is: String,
}

/// A concatenation with the text of other fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinConversion {
    /// The other fields, as JSON Pointers into the document.
    pub with: Vec<String>,
    /// The separator.
    #[serde(default = "blank")]
    pub by: String,
}

fn blank() -> String {
    " ".to_owned()
}
