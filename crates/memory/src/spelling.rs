//! Spellings: what counts as the same name, the same text and the same value when memories are compared. What is stored
//! and shown keeps its own spelling.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

/// Returns the form by which entities and predicates are compared: compatibility forms, capitals, blanks, hyphens,
/// underscores and invisible characters make no difference.
pub fn compared_name(name: &str) -> String {
    visible(name).filter(|c| !c.is_whitespace() && *c != '_' && !is_dash(*c)).collect()
}

/// Returns the form by which texts are compared: compatibility forms, capitals, runs of blanks, invisible characters and
/// the mark that ends a sentence make no difference.
pub(crate) fn compared_text(text: &str) -> String {
    let text: String = visible(text).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.trim_end_matches(['.', '!', '…', '。']).trim_end().to_owned()
}

/// Returns the form by which values are compared: texts in it without regard to spelling, keys as they are.
pub fn compared_value(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(compared_text(text)),
        Value::Array(items) => Value::Array(items.iter().map(compared_value).collect()),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (key.clone(), compared_value(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Normalises a text, in small letters and without invisible characters.
fn visible(text: &str) -> impl Iterator<Item = char> {
    text.nfkc().flat_map(char::to_lowercase).filter(|c| !is_invisible(*c))
}

/// Returns true for hyphens, dashes and the minus sign.
fn is_dash(c: char) -> bool {
    c == '-' || matches!(u32::from(c), 0x58A | 0x5BE | 0x2010..=0x2015 | 0x2043 | 0x2212 | 0x301C | 0x30A0)
}

/// Returns true for characters that show nothing: format characters, variation selectors, tags and fillers. Blanks and line
/// breaks are not among them.
fn is_invisible(c: char) -> bool {
    let format = matches!(u32::from(c),
        0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
        | 0x202A..=0x202E | 0x2060..=0x206F | 0x2800 | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF9..=0xFFFB
        | 0xE0000..=0xE0FFF);
    format || (c.is_control() && !c.is_whitespace())
}
