//! A text in quotes on the first line, with sentences that explain it behind it: `"spam"`, and then why.
//!
//! The schema must list the texts. The sentences are judged as prose beside any value is, and name no other choice.

use super::Judge;
use crate::excerpt::excerpt;
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::outer::{Side, strip};
use serde_json::Value;

/// The reading of a text that begins with a choice in quotes, on a line of its own.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let start = text.len() - text.trim_start().len();
    let line = excerpt(text, start..).lines().next().unwrap_or_default().trim_end();
    let end = start + line.len();
    let value = deed_canon::parse(line.as_bytes()).ok().filter(Value::is_string);
    let choices = judge.expected().choices().unwrap_or_default();
    let (Some(value), true) = (value, choices.iter().any(|choice| choice.is_string())) else { return Vec::new() };
    let after = excerpt(text, end..);
    let words: Vec<String> = after.to_lowercase().split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    let others = choices.iter().filter(|choice| **choice != &value).filter_map(|choice| choice.as_str());
    let is_named = others.into_iter().any(|other| words.contains(&other.to_lowercase()));
    if !choices.contains(&&value) || is_named || after.contains(['"', '{', '[']) || !after.starts_with("\n\n") {
        return Vec::new();
    }
    let repair = Repair::replace(RepairKind::LoneValue, start..end, value.to_string());
    let mut repairs = if repair.removed(text) == repair.inserted() { Vec::new() } else { vec![repair] };
    strip(text, end..text.len(), Side::After, &mut repairs);
    vec![Reading { value, repairs }]
}
