//! Lines that are the items of a list: with dashes, stars or numbers before them, or one number or choice a line.

use super::lines::body;
use super::lone::literal;
use super::{Judge, NO_WORD};
use crate::excerpt::{excerpt, items};
use crate::repair::edit::Repair;
use crate::repair::kind::{Certainty, RepairKind};
use crate::repair::outer::{Side, strip};
use crate::repair::{Reading, read};
use serde_json::Value;

/// Longer lines are sentences.
const LONGEST: usize = 120;
/// Fewer lines are no list.
const LEAST: usize = 2;

/// The reading of a text whose lines are items, as values and as texts.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let part = body(text);
    let inner = excerpt(text, part.clone());
    if let Some(reading) = quoted_items(text, inner.trim()) {
        return vec![reading];
    }
    let lines: Vec<&str> = inner.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // A line that leads to the list ends with a colon.
    let lead = lines.first().filter(|line| line.ends_with(':') && lines.len() > LEAST).copied();
    let lines = if lead.is_some() { items(&lines, 1..) } else { &lines };
    if lines.len() < LEAST || lines.iter().any(|line| line.len() > LONGEST || line.contains(['{', '}', '[', ']', '<']))
    {
        return Vec::new();
    }
    let marked: Option<Vec<&str>> = lines.iter().enumerate().map(|(at, line)| item(line, at + 1)).collect();
    let is_marked = marked.is_some();
    let items = marked.unwrap_or_else(|| lines.to_vec());
    if items.iter().any(|item| item.is_empty() || item.contains(": ")) {
        return Vec::new();
    }
    let values: Option<Vec<Value>> = items.iter().map(|item| literal(item)).collect();
    // Lines without marks may be prose; they count as texts where the schema tells texts apart.
    let no_word = Value::from(vec![NO_WORD]);
    let tells_apart = !judge.allows(&no_word) && !judge.accepts(&no_word);
    let texts = (is_marked || tells_apart).then(|| items.iter().map(|item| Value::from(unquoted(item))).collect());
    let start = lead.map_or(part.start, |lead| part.start + inner.find(lead).unwrap_or(0) + lead.len());
    let reading = |items: Vec<Value>| {
        let value = Value::Array(items);
        let mut repairs = Vec::new();
        strip(text, 0..start, Side::Before, &mut repairs);
        repairs.push(Repair::replace(RepairKind::ListAdded, start..part.end, value.to_string()));
        strip(text, part.end..text.len(), Side::After, &mut repairs);
        Reading { value, repairs }
    };
    [values, texts].into_iter().flatten().map(reading).collect()
}

/// `"a", "b"` and `("a", "b")`: quoted items as the whole text.
fn quoted_items(text: &str, inner: &str) -> Option<Reading> {
    let items = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(inner);
    if items.len() != inner.len() && items.contains(['(', ')']) || inner != text.trim() {
        return None;
    }
    if !items.trim_start().starts_with(['"', '\'']) || !items.contains(',') || items.contains(['\n', ':', '{']) {
        return None;
    }
    let reading = read(&format!("[{items}]")).ok().filter(|reading| reading.certainty() == Certainty::Exact)?;
    let repair = Repair::replace(RepairKind::ListAdded, 0..text.len(), reading.value.to_string());
    Some(Reading { value: reading.value, repairs: vec![repair] })
}

/// The item behind the mark of a line: a dash, a star, a bullet, or its number.
fn item(line: &str, number: usize) -> Option<&str> {
    let numbered = || {
        let rest = line.strip_prefix(&number.to_string())?;
        rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))
    };
    let marked = ["- ", "* ", "• ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
    marked.or_else(numbered).map(str::trim)
}

/// An item without the quotes or the comma around it.
fn unquoted(item: &str) -> &str {
    let item = item.strip_suffix(',').unwrap_or(item);
    let quoted = ['"', '\'', '`'].iter().find_map(|quote| item.strip_prefix(*quote)?.strip_suffix(*quote));
    quoted.unwrap_or(item)
}
