//! The head of a template: four parts in a fixed order within its first 200 characters.
//!
//! Type and structure, severity and headline, constraints, next actions: at most 50 characters each, so that
//! each begins no later than a model expects it.

use super::render::Tally;
use crate::template::Types;

/// The longest part of a head, its closing space included.
const PART: usize = 50;

/// What the head says of an outermost object that takes no keys but those listed; the reader looks for it.
pub(super) const CLOSED: &str = "No other keys.";

/// Writes the head.
pub(super) fn head(tally: &Tally, kind: Types, title: &str) -> String {
    let kind = kind.names().first().copied().unwrap_or("value");
    let kind = if tally.union_at_root { "one of" } else { kind };
    let structure = match (tally.tokens, tally.levels) {
        (_, 0) => format!("JSON {kind}."),
        (1, _) => format!("{kind}, 1 field."),
        (fields, levels) if levels > 1 => format!("{kind}, {fields} fields, {levels} levels."),
        (fields, _) => format!("{kind}, {fields} fields."),
    };
    let severity = if tally.fills == 0 { "All optional".to_owned() } else { format!("MUST fill {}", tally.fills) };
    // What the reader looks for is said by the template and not by a title.
    let title = &title.replace(CLOSED, "No other keys");
    let headline =
        if title.is_empty() { format!("{severity}.") } else { stopped(&fit(&format!("{severity}: {title}"))) };
    let mut limits = if tally.closed { CLOSED.to_owned() } else { String::new() };
    if tally.enums > 0 && tally.autos == 0 {
        limits.push_str(" Enums as listed.");
    }
    if tally.optionals > 0 {
        limits.push_str(" Omit unused.");
    }
    if tally.autos > 0 {
        limits.push_str(" Leave AUTO.");
    }
    let next = if tally.sections > 0 { "Reply JSON only; sections follow." } else { "Reply JSON only." };
    let parts = [structure, headline, limits.trim().to_owned(), next.to_owned()];
    let parts: Vec<String> = parts.iter().filter(|part| !part.is_empty()).map(|part| fit(part)).collect();
    parts.join(" ")
}

fn stopped(part: &str) -> String {
    if part.ends_with(['.', '…', '!', '?']) { part.to_owned() } else { format!("{part}.") }
}

fn fit(part: &str) -> String {
    if part.chars().count() < PART - 1 {
        return part.to_owned();
    }
    let head: String = part.chars().take(PART - 3).collect();
    let whole = head.rsplit_once(' ').map_or(head.as_str(), |(whole, _)| whole);
    format!("{}…", whole.trim_end_matches([',', '.', ':', ' ']))
}
