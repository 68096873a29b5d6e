//! The head of a template: four parts in a fixed order within its first 200 characters.
//!
//! Type and structure, severity and headline, constraints, next actions: each begins no later than 50 characters
//! behind the window of the one before. The last part explains the tokens that are used, as far as there is room. A
//! template of a few plain fields explains itself, and its head is one short sentence.

use super::render::Tally;
use super::token::Word;
use crate::template::Types;

/// The longest part of a head, its closing space included.
const PART: usize = 50;
/// The longest head.
const LONGEST: usize = 200;
/// Up to so many plain fields on so few levels a head says no more than what to do.
const FEW: usize = 8;
const FLAT: usize = 2;

/// The sentence about an outermost object that is closed; the parser of templates looks for it.
pub(super) const CLOSED: &str = "No other keys.";

/// The explanations of tokens that do not stand for one value, the commonest first.
const EXPLAINED: [(Word, &str); 8] = [
    (Word::OneOf, "ONE_OF: keep one."),
    (Word::AnyOf, "ANY_OF: keep one."),
    (Word::When, "WHEN: only if so."),
    (Word::Unless, "UNLESS: only if not."),
    (Word::Key, "KEY: any key."),
    (Word::Ref, "REF: that shape."),
    (Word::Serialized, "SERIALIZED: plain JSON."),
    (Word::With, "WITH: only beside it."),
];

/// The texts of the schema's author in the head.
pub(super) struct Words<'w> {
    pub(super) title: &'w str,
    pub(super) severity: &'w str,
    pub(super) next: &'w str,
}

/// Writes the head.
pub(super) fn head(tally: &Tally, kind: Types, words: &Words<'_>) -> String {
    // What the reader looks for is said by the template and not by its author.
    let own = |text: &str| text.replace(CLOSED, "No other keys");
    let (title, said, next) = (&own(words.title), own(words.severity), own(words.next));
    if is_small(tally, kind) && said.is_empty() && next.is_empty() {
        return small(tally, title);
    }
    let kind = kind.names().first().copied().unwrap_or("value");
    let kind = if tally.union_at_root { "one of" } else { kind };
    let kind = match &tally.items {
        Some(items) => format!("{kind} of {items}"),
        None => kind.to_owned(),
    };
    let structure = match (tally.tokens, tally.levels) {
        (_, 0) => format!("JSON {kind}."),
        (1, _) => format!("{kind}, 1 field."),
        (fields, levels) if levels > 1 => format!("{kind}, {fields} fields, {levels} levels."),
        (fields, _) => format!("{kind}, {fields} fields."),
    };
    let severity = match (said.is_empty(), tally.fills) {
        (true, 0) => "All optional".to_owned(),
        (true, fills) => format!("MUST fill {fills}"),
        (false, 0) => said,
        (false, fills) => format!("{said}, fill {fills}"),
    };
    let headline =
        if title.is_empty() { format!("{severity}.") } else { stopped(&fit(&format!("{severity}: {title}"))) };
    let parts = [structure, headline, limits(tally)];
    let mut head: Vec<String> = parts.iter().filter(|part| !part.is_empty()).map(|part| fit(part)).collect();
    head.push(actions(tally));
    let mut head = head.join(" ");
    if !next.is_empty() && head.chars().count() + next.chars().count() < LONGEST - 1 {
        head.push(' ');
        head.push_str(&stopped(&next));
    }
    explain(tally, &mut head);
    head
}

/// Returns true if a template is so small that it explains itself.
fn is_small(tally: &Tally, kind: Types) -> bool {
    let plain = kind == Types::OBJECT || (tally.levels == 0 && tally.tokens == 1);
    plain
        && tally.tokens <= FEW
        && tally.levels <= FLAT
        && tally.words.is_empty()
        && tally.autos + tally.sections == 0
        && !tally.union_at_root
}

fn small(tally: &Tally, title: &str) -> String {
    let what = match tally.tokens {
        0 => "JSON object",
        1 => "Fill {…}",
        _ => "Fill each {…}",
    };
    let mut head = what.to_owned();
    if tally.unquoted > 0 {
        head.push_str(", numbers unquoted");
    }
    if tally.optionals > 0 {
        head.push_str(", omit unused");
    }
    let mut head = if title.is_empty() { format!("{head}.") } else { stopped(&format!("{head}: {}", fit(title))) };
    if tally.closed {
        head.push(' ');
        head.push_str(CLOSED);
    }
    head.push_str(" JSON only.");
    head
}

/// The constraints on the whole.
fn limits(tally: &Tally) -> String {
    let mut limits = if tally.closed { CLOSED.to_owned() } else { String::new() };
    if tally.enums > 0 && tally.autos == 0 {
        limits.push_str(" ENUM: pick one.");
    }
    if tally.optionals > 0 {
        limits.push_str(" Omit unused.");
    }
    if tally.autos > 0 {
        limits.push_str(" Leave AUTO.");
    }
    limits.trim().to_owned()
}

/// The instruction.
fn actions(tally: &Tally) -> String {
    let numbers = if tally.unquoted > 0 { ", numbers unquoted" } else { "" };
    let reply = if tally.sections > 0 { "Reply JSON only; sections follow." } else { "Reply JSON only." };
    format!("Fill each {{…}}{numbers}. {reply}")
}

/// Adds what the tokens mean, as far as there is room.
fn explain(tally: &Tally, head: &mut String) {
    for (_, says) in EXPLAINED.iter().filter(|(word, _)| tally.words.contains(word)) {
        if head.chars().count() + says.chars().count() < LONGEST {
            head.push(' ');
            head.push_str(says);
        }
    }
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
