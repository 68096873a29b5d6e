//! Prose beside an object that says something else than the object: another choice, another number or date, or content for
//! what the object leaves empty.
//!
//! What enters is the prose around an object and one of its members. What leaves is whether a sentence contradicts the member.
//! A sentence that also says what the member has compares or explains, and decides nothing.

use super::lists;
use super::pattern::words_of;
use super::values::{mentions, sentences};
use crate::embed::words;
use serde_json::Value;

/// Words by which a sentence denies or leaves out.
const DENIALS: [&str; 34] = [
    "no",
    "not",
    "none",
    "never",
    "without",
    "nothing",
    "neither",
    "nor",
    "any",
    "null",
    "empty",
    "blank",
    "omitted",
    "missing",
    "unknown",
    "unset",
    "left",
    "optional",
    "absent",
    "skipped",
    "lacks",
    "lacking",
    "unavailable",
    "excluded",
    "default",
    "n",
    "cannot",
    "only",
    "kein",
    "keine",
    "nicht",
    "pas",
    "sin",
    "non",
];
/// Names of currencies beside their codes.
const CURRENCIES: [(&str, &[&str]); 7] = [
    ("EUR", &["euro", "euros"]),
    ("USD", &["dollar", "dollars"]),
    ("GBP", &["pound", "pounds", "sterling"]),
    ("JPY", &["yen"]),
    ("CHF", &["francs"]),
    ("INR", &["rupee", "rupees"]),
    ("CNY", &["yuan", "renminbi"]),
];
/// Words of another number between a key and a number: more are about something else.
const MOST_BETWEEN: usize = 5;

/// Returns whether the prose chooses another of some choices, and never the one that a member has: `overall clearly negative`
/// beside `sentiment: positive`. A choice that the object has elsewhere (`is_topic`) is not chosen by being named.
pub(crate) fn chooses_another(parts: &[&str], own: &str, choices: &[&Value], is_topic: &dyn Fn(&str) -> bool) -> bool {
    let says = |sentence: &str, choice: &str| {
        let names = CURRENCIES.iter().find(|(code, _)| *code == choice).map_or(&[][..], |(_, names)| names);
        let named = names.iter().any(|name| words_of(sentence).iter().any(|word| word == name));
        named || (choice.len() > 2 && !mentions(sentence, choice).is_empty())
    };
    let is_plain = |choice: &str| lists::ENGLISH.has(&choice.to_lowercase()) || is_topic(&choice.to_lowercase());
    let others: Vec<&str> =
        choices.iter().filter_map(|choice| choice.as_str()).filter(|choice| *choice != own).collect();
    let others = || others.iter().filter(|choice| !is_plain(choice) && !says(own, choice));
    let denied = |sentence: &str| words_of(sentence).iter().any(|word| is_denial(word));
    !parts.iter().any(|part| says(part, own))
        && parts
            .iter()
            .flat_map(|part| sentences(part))
            .any(|sentence| !denied(sentence) && others().any(|choice| says(sentence, choice)))
}

/// Returns whether a sentence names a key and gives another number behind it: `the refund is set to 98.99 as agreed` beside
/// `refund: 89.99`.
pub(crate) fn numbers_another(text: &str, key: &str, own: f64) -> bool {
    sentences(text).any(|sentence| {
        let named = mentions(sentence, key).into_iter().chain(ideographs(sentence, key));
        let said = |end: usize| first_number(sentence.get(end..).unwrap_or_default());
        let is_own = |number: &f64| (number - own).abs() < f64::EPSILON;
        !numbers(sentence).iter().any(is_own) && named.into_iter().any(|end| said(end).is_some_and(|n| !is_own(&n)))
    })
}

/// Returns whether a sentence says that the parts of an object add up to another number than its total has.
pub(crate) fn adds_up_to_another(text: &str, key: &str, own: f64) -> bool {
    const TOTALS: [&str; 6] = ["total", "sum", "subtotal", "summe", "gesamt", "totale"];
    const ADDS: [&str; 3] = [
        "add|adds|added|adding|sum|sums|amount|amounts|total|totals|come|comes|comes up|out * to",
        "make|makes|making a total|sum of",
        "sum|total * is|equals|makes",
    ];
    let names_total = words(key).iter().any(|word| TOTALS.contains(&word.to_lowercase().as_str()));
    names_total
        && sentences(text).any(|sentence| {
            let said = words_of(sentence);
            let Some(found) = super::pattern::first_match(&said, ADDS) else { return false };
            let last = found.rsplit(' ').next().unwrap_or_default();
            let behind = mentions(sentence, last).first().and_then(|end| sentence.get(*end..)).unwrap_or_default();
            let is_own = |number: &f64| (number - own).abs() < f64::EPSILON;
            !numbers(sentence).iter().any(is_own) && first_number(behind).is_some_and(|number| !is_own(&number))
        })
}

/// The place behind a key in a sentence that is written without blanks.
fn ideographs(sentence: &str, key: &str) -> Option<usize> {
    let is_ideograph = |c: char| ('\u{3040}'..='\u{9fff}').contains(&c) || ('\u{ac00}'..='\u{d7a3}').contains(&c);
    if key.chars().all(is_ideograph) { sentence.find(key).map(|at| at + key.len()) } else { None }
}

/// The numbers of a text.
fn numbers(text: &str) -> Vec<f64> {
    let runs = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')));
    runs.filter_map(|run| run.trim_matches(['.', ',']).replace(',', "").parse().ok()).collect()
}

/// The first number of a text, where nothing that it counts stands behind it.
fn first_number(text: &str) -> Option<f64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let (between, rest) = text.split_at_checked(start)?;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(rest.len());
    let (digits, behind) = rest.split_at_checked(end)?;
    // A part of a name, a date or a time is no number.
    let is_part = between
        .ends_with(|c: char| c.is_alphabetic() || matches!(c, '-' | '#' | '§' | '/' | ':' | '(' | '"'))
        && between.is_ascii();
    let next: String = behind.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
    let is_unit = !next.is_ascii() || next.is_empty() || lists::ENGLISH.has(&next.to_lowercase());
    let is_code = next.len() == 3 && next.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_open = behind.starts_with(['-', '/', ':', '%']) || next == "for";
    let near = between.split_whitespace().count() <= MOST_BETWEEN;
    let number = digits.trim_end_matches(['.', ',']).replace(',', "").parse().ok();
    number.filter(|_| near && !is_part && !is_open && (is_unit || is_code))
}

/// Returns whether a sentence names a key and one full date, and not the date that the member has.
pub(crate) fn dates_another(text: &str, key: &str, own: &str) -> bool {
    let Some(own) = iso_date(own) else { return false };
    sentences(text).any(|sentence| {
        let found = dates(sentence);
        !mentions(sentence, key).is_empty() && matches!(found.as_slice(), [only] if *only != own)
    })
}

/// `2024-05-04`, as year, month and day.
fn iso_date(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.get(..10)?.split('-').map(|part| part.parse::<u32>().ok());
    let date = (parts.next()??, parts.next()??, parts.next()??);
    (parts.next().is_none() && (1..=12).contains(&date.1)).then_some(date)
}

/// The full dates of a sentence: `14 May 2024`, `May 14, 2024`, `2024-05-14`.
fn dates(sentence: &str) -> Vec<(u32, u32, u32)> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let month = |word: &str| {
        let start = word.get(..3)?.to_lowercase();
        let at = MONTHS.iter().position(|month| *month == start)?;
        u32::try_from(at + 1).ok()
    };
    let day =
        |word: &str| word.trim_end_matches(|c: char| c.is_alphabetic()).parse::<u32>().ok().filter(|day| *day <= 31);
    let year = |word: &str| word.parse::<u32>().ok().filter(|year| *year >= 1000);
    let parts: Vec<&str> = sentence.split([' ', ',', '.']).filter(|part| !part.is_empty()).collect();
    let mut found: Vec<_> = parts.iter().filter_map(|part| iso_date(part)).collect();
    found.extend(parts.windows(3).filter_map(|parts| match parts {
        [one, two, three] => match (month(one), month(two)) {
            (_, Some(named)) => Some((year(three)?, named, day(one)?)),
            (Some(named), None) => Some((year(three)?, named, day(two)?)),
            (None, None) => None,
        },
        _ => None,
    }));
    found
}

/// Returns whether a sentence behind an object tells of what the object leaves empty: `the patient is allergic to latex` beside
/// `allergies: []`.
pub(crate) fn fills_gap(after: &str, key: &str) -> bool {
    const VERBS: [&str; 10] = ["is", "are", "was", "were", "has", "have", "had", "takes", "includes", "include"];
    const SHORTEST_STEM: usize = 5;
    let names: Vec<String> = words(key).iter().map(|word| word.to_lowercase()).collect();
    let shares = |word: &str, name: &str| {
        let common = word.chars().zip(name.chars()).take_while(|(one, two)| one == two).count();
        common >= SHORTEST_STEM && common + 3 >= name.chars().count()
    };
    sentences(after).any(|sentence| {
        let said = words_of(sentence);
        let states = said.iter().any(|word| VERBS.contains(&word.as_str()));
        let denies = said.iter().any(|word| is_denial(word));
        let about = |word: &String| lists::ANSWER.has(word) || word == "field" || word == "key";
        states
            && !denies
            && !said.iter().any(about)
            && said.iter().any(|word| names.iter().any(|name| shares(word, name)))
    })
}

fn is_denial(word: &str) -> bool {
    DENIALS.contains(&word) || word.ends_with("n't")
}
