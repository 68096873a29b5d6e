//! Headings whose words are the declared keys, each with its value below it, read as an object:
//! `## diagnosis`, `Tension headache`.
//!
//! Text before the first heading, an undeclared heading, and a value of several paragraphs are refused: more may
//! belong to it, or less.

use super::Judge;
use super::lines::{body, is_settled, scalar};
use crate::excerpt::excerpt;
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::outer::{Side, strip};
use crate::repair::strict;
use serde_json::Value;

/// Longer texts are not read so.
const LARGEST: usize = 1 << 18;

/// The one reading of a text that is nothing but headings and what stands below them.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    if text.len() > LARGEST {
        return Vec::new();
    }
    let part = body(text);
    let inner = excerpt(text, part.clone());
    let Some(json) = object(inner.trim(), judge) else { return Vec::new() };
    let Ok(value) = strict::parse(&json) else { return Vec::new() };
    let from = part.start + (inner.len() - inner.trim_start().len());
    let to = part.start + inner.trim_end().len();
    let mut repairs = Vec::new();
    strip(text, 0..from, Side::Before, &mut repairs);
    repairs.push(Repair::replace(RepairKind::KeyValueLines, from..to, json));
    strip(text, to..text.len(), Side::After, &mut repairs);
    vec![Reading { value, repairs }]
}

/// The sections of a text, as an object in JSON.
fn object(text: &str, judge: &dyn Judge) -> Option<String> {
    let mut sections: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines().map(str::trim) {
        match heading(line) {
            Some(name) => {
                let key = judge.declared(name).or_else(|| judge.knows(name).then(|| name.to_owned()))?;
                if sections.iter().any(|(known, _)| *known == key) {
                    return None;
                }
                sections.push((key, Vec::new()));
            }
            None => match sections.last_mut() {
                Some((_, lines)) => lines.push(line),
                None => return None,
            },
        }
    }
    let member =
        |(key, lines): &(String, Vec<&str>)| Some(format!("{}:{}", Value::from(key.as_str()), content(lines, judge)?));
    let members: Vec<String> = sections.iter().map(member).collect::<Option<_>>()?;
    (members.len() > 1).then(|| format!("{{{}}}", members.join(",")))
}

/// The words of a heading.
fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let depth = line.len() - rest.len();
    let name = rest.strip_prefix(' ')?.trim().trim_matches(['*', '_', '`']).trim_end_matches([':', '#', ' ']);
    ((1..=6).contains(&depth) && !name.is_empty()).then_some(name)
}

/// What stands below a heading, in JSON: one line, or a list with bullets.
fn content(lines: &[&str], judge: &dyn Judge) -> Option<String> {
    let start = lines.iter().position(|line| !line.is_empty())?;
    let end = lines.iter().rposition(|line| !line.is_empty())?;
    let lines = lines.get(start..=end)?;
    let settled = |line: &str| is_settled(line, judge).then(|| scalar(line)).flatten();
    match lines {
        [only] if bullet(only).is_none() => settled(only),
        _ => {
            let items: Vec<String> = lines.iter().map(|line| bullet(line).and_then(settled)).collect::<Option<_>>()?;
            Some(format!("[{}]", items.join(",")))
        }
    }
}

/// An item of a list.
fn bullet(line: &str) -> Option<&str> {
    ["- ", "* ", "• ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}
