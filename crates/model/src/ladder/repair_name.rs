//! Names of text repairs, each stored as one byte: a dirty text may need hundreds of thousands of repairs.

use deed_canon::Invariant as _;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::borrow::Cow;
use std::fmt;

/// Every name. The order has no meaning; new ones are appended.
const NAMES: &[&str] = &[
    "byte_order_mark",
    "code_fence",
    "language_word",
    "wrapper_tag",
    "markup",
    "reasoning",
    "prose_before",
    "prose_after",
    "doubled_value",
    "stray_closer",
    "double_encoded",
    "braces_added",
    "missing_closer",
    "comment",
    "foreign_space",
    "trailing_comma",
    "extra_comma",
    "missing_comma",
    "separator",
    "key_separator",
    "single_quotes",
    "backtick_quotes",
    "smart_quotes",
    "triple_quotes",
    "string_prefix",
    "joined_strings",
    "inner_quotes",
    "control_character",
    "foreign_escape",
    "lone_backslash",
    "unquoted_key",
    "bare_word",
    "bare_phrase",
    "missing_colon",
    "missing_quote",
    "wrong_closer",
    "digit_groups",
    "other_value",
    "list_added",
    "key_value_lines",
    "lone_value",
    "foreign_literal",
    "plus_sign",
    "bare_decimal_point",
    "hex_number",
    "duplicate_member",
    "cut_string_closed",
    "cut_literal_completed",
    "cut_member_dropped",
    "cut_closed",
    "table",
    "foreign_value",
    "program_code",
    "language_literal",
    "settings_lines",
    "query_string",
    "markup_elements",
    "insert_rows",
    "unbracketed_list",
];

/// The name of a repair, such as `single_quotes`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepairName(u8);

impl RepairName {
    /// Returns the repair with a name, if it exists.
    pub fn new(name: &str) -> Option<Self> {
        let index = NAMES.iter().position(|known| *known == name)?;
        u8::try_from(index).ok().map(Self)
    }

    /// Returns the index of the name in the list of names.
    pub(super) fn index(self) -> u8 {
        self.0
    }

    /// Returns the repair at an index of the list of names.
    pub(super) fn at(index: u8) -> Option<Self> {
        NAMES.get(usize::from(index)).map(|_| Self(index))
    }

    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        NAMES.get(usize::from(self.0)).copied().invariant("a repair has a name")
    }
}

impl fmt::Debug for RepairName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for RepairName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for RepairName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for RepairName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        Self::new(&name).ok_or_else(|| D::Error::custom(format!("unknown repair `{name}`")))
    }
}

impl JsonSchema for RepairName {
    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
