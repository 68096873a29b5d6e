//! Lines of which each holds all members of one object, as logfmt writes them: `host=alpha up=true`.

use super::Judge;
use super::lines::{body, lead_of, object};
use crate::excerpt::excerpt;
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::outer::{Side, strip};
use crate::repair::strict;
use serde_json::Value;

/// Fewer lines are one object.
const LEAST: usize = 2;
/// More lines are not read so.
const MOST: usize = 10_000;

/// The one reading of a text whose lines are objects of the same keys.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let inside = body(text);
    let led = lead_of(text, inside.clone());
    for core in [inside, led] {
        let Some(json) = list(excerpt(text, core.clone()), judge) else { continue };
        let Ok(value) = strict::parse(&json) else { continue };
        let mut repairs = Vec::new();
        strip(text, 0..core.start, Side::Before, &mut repairs);
        repairs.push(Repair::replace(RepairKind::KeyValueLines, core.clone(), json));
        strip(text, core.end..text.len(), Side::After, &mut repairs);
        return vec![Reading { value, repairs }];
    }
    Vec::new()
}

fn list(text: &str, judge: &dyn Judge) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(MOST + 1).collect();
    if !(LEAST..=MOST).contains(&lines.len()) || lines.iter().any(|line| !line.contains('=')) {
        return None;
    }
    let objects: Vec<String> = lines.iter().map(|line| object(line, judge)).collect::<Option<_>>()?;
    let keys = |json: &String| -> Option<Vec<String>> {
        let Ok(Value::Object(map)) = strict::parse(json) else { return None };
        Some(map.keys().cloned().collect())
    };
    let first = keys(objects.first()?)?;
    // Lines of other keys would be one object over several lines.
    let same = first.len() > 1 && objects.iter().all(|json| keys(json).is_some_and(|keys| keys == first));
    same.then(|| format!("[{}]", objects.join(",")))
}
