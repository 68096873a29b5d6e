//! What a logger writes before every line: times, levels and the like, of the same shape on each line.

use crate::excerpt::excerpt;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;

/// Words for the level of a message.
const LEVELS: [&str; 12] =
    ["trace", "debug", "info", "notice", "warn", "warning", "error", "err", "fatal", "critical", "stdout", "stderr"];
/// More parts than a prefix has.
const MOST_PARTS: usize = 6;

/// A part of a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A date, a time, or both.
    Time,
    Level,
    /// A dash or bar between parts.
    Mark,
}

/// The edits that remove the prefix of a logger from every line, with a bracket behind the first; none where a line has
/// another shape.
pub(super) fn logged_lines(text: &str) -> Vec<Repair> {
    let lines = || text.split('\n').filter(|line| !line.trim().is_empty());
    let Some((shape, rest)) = lines().next().map(prefix) else { return Vec::new() };
    if shape.is_empty() || !rest.starts_with(['{', '[']) || lines().count() < 2 {
        return Vec::new();
    }
    let mut edits = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        if !line.trim().is_empty() {
            let Some(width) = width(line, &shape) else { return Vec::new() };
            edits.push(Repair::remove(RepairKind::Markup, at..at + width));
        }
        at += line.len() + 1;
    }
    edits
}

/// The parts that a line begins with, and the rest of the line.
fn prefix(line: &str) -> (Vec<Part>, &str) {
    let mut parts = Vec::new();
    let mut rest = line;
    while parts.len() < MOST_PARTS {
        let Some((part, behind)) = part(rest.trim_start()) else { break };
        parts.push(part);
        rest = behind;
    }
    (parts, rest.trim_start())
}

/// The width of a prefix of a given shape, with the blank behind it.
fn width(line: &str, shape: &[Part]) -> Option<usize> {
    let mut rest = line;
    for expected in shape {
        let (found, behind) = part(rest.trim_start())?;
        rest = (found == *expected).then_some(behind)?;
    }
    let rest = rest.strip_prefix([' ', '\t']).unwrap_or(rest);
    Some(line.len() - rest.len())
}

/// The part at the beginning of a text, and what stands behind it.
fn part(text: &str) -> Option<(Part, &str)> {
    let (word, rest) = match text.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?,
        None => {
            let end = text.find([' ', '\t']).unwrap_or(text.len());
            (excerpt(text, ..end), excerpt(text, end..))
        }
    };
    let bare = word.trim_end_matches([':', ',']);
    let part = if is_time(bare) {
        Part::Time
    } else if LEVELS.contains(&bare.to_ascii_lowercase().as_str()) {
        Part::Level
    } else if matches!(word, "-" | "|" | ":" | "--" | "–") {
        Part::Mark
    } else {
        return None;
    };
    Some((part, rest))
}

/// `2024-08-02`, `11:04:19,113`, `2024-08-02T11:04:19.113Z`, or a date and a time.
fn is_time(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ':' | '-' | '.' | ',' | '/' | 'T' | 'Z' | '+' | ' ');
    let marks = text.matches([':', '-', '/']).count();
    digits >= 4 && marks >= 1 && text.chars().all(is_part) && text.starts_with(|c: char| c.is_ascii_digit())
}
