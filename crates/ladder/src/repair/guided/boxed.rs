//! An answer in a box, as mathematical texts end with one: `18 + 24 = 42, hence \boxed{42}.`
//!
//! The box says which of several numbers is the answer. Text behind it, a second box, or a word in its clause that takes it
//! back leaves no reading.

use super::Judge;
use super::lone::{TAKE_BACK, literal};
use crate::prose::{is_doubtful, sentences};
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use serde_json::Value;

/// Longer than an answer in a box.
const LONGEST: usize = 80;
const OPEN: &str = "\\boxed{";

/// The reading of a text that ends with a box.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let found = boxed(text).and_then(|inner| value(inner, judge));
    let repair = |value: &Value| Repair::replace(RepairKind::LoneValue, 0..text.len(), value.to_string());
    found.map_or_else(Vec::new, |value| vec![Reading { repairs: vec![repair(&value)], value }])
}

/// What stands in the only box of a text, which nothing but marks follows.
fn boxed(text: &str) -> Option<&str> {
    let (before, rest) = text.split_once(OPEN)?;
    let (inner, after) = rest.split_once('}')?;
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '$' | '.' | ')' | ']' | '\\' | '*' | '}');
    let plain = !inner.contains(['{', '\\']) && inner.len() <= LONGEST && !rest.contains(OPEN);
    // `\[ \boxed{\text{…}} \]` and the like hold more than a number or a word.
    let is_alone = after.chars().all(is_mark) && !after.starts_with('}');
    let last = sentences(before).last().unwrap_or_default().to_lowercase().replace('’', "'");
    let turns = |word: &str| TAKE_BACK.contains(&word) || is_doubtful(word) || word.ends_with("n't");
    let is_turned = last.split(|c: char| !(c.is_alphanumeric() || c == '\'')).any(turns);
    (plain && is_alone && !is_turned).then_some(inner.trim()).filter(|inner| !inner.is_empty())
}

/// The value that a text in a box is: a literal, or a text where the schema takes it as it is.
fn value(inner: &str, judge: &dyn Judge) -> Option<Value> {
    let takes = |value: &Value| judge.allows(value) || judge.accepts(value);
    literal(inner).filter(takes).or_else(|| Some(Value::from(inner)).filter(takes))
}
