//! A mapping from one vocabulary to another: which field goes where, and how its value is written there.

use super::contract::DateTransform;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Fields that a translation places and converts as it is told.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderMapping {
    /// The fields.
    pub fields: Vec<FieldMapping>,
}

/// Where one field goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldMapping {
    /// A path (`/line_items/*/price`) or a name of the old vocabulary.
    pub from: String,
    /// A path or a name of the new one.
    pub to: String,
    /// What is done to the value on the way, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub convert: Vec<Conversion>,
}

/// What is done to a value on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Conversion {
    /// A number, or a number written as text, in another unit or scale.
    Scale(ScaleConversion),
    /// A date in another form.
    Date(DateTransform),
    /// A date and time (RFC 3339) as seconds since 1970.
    EpochSeconds,
    /// Text without capitals.
    LowerCase,
    /// Text in capitals.
    UpperCase,
    /// A number as text.
    Text,
    /// Each value as another one; a value that is not listed is not carried over.
    Values(BTreeMap<String, Value>),
    /// Text with the text of other fields behind it.
    Join(JoinConversion),
}

/// A number in another unit or scale.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScaleConversion {
    /// What the number is multiplied by, as an exact decimal.
    pub factor: String,
    /// The unit that the document must name for it, where it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitAt>,
}

/// A unit that stands elsewhere in the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitAt {
    /// Where it stands, as a JSON pointer into the document.
    pub at: String,
    /// What must stand there.
    pub is: String,
}

/// The text of other fields behind that of the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinConversion {
    /// The other fields, as JSON pointers into the document.
    pub with: Vec<String>,
    /// What stands between them.
    #[serde(default = "blank")]
    pub by: String,
}

fn blank() -> String {
    " ".to_owned()
}
