//! Lead-ins that say how many entries a list has: `12 rows extracted:`, `Missing documents (6):`.
//!
//! A list with another number of entries is not the list that was announced: it was cut, or its writer miscounted.

use super::pattern::{first_match, words_of};

/// Words behind which a number counts something that the entries were taken from.
const SOURCES: [&str; 12] =
    ["from", "in", "of", "over", "for", "within", "at", "on", "since", "after", "before", "page"];
/// Words for what a list has.
const ENTRIES: [&str; 26] = [
    "rows",
    "row",
    "entries",
    "items",
    "records",
    "results",
    "elements",
    "lines",
    "objects",
    "values",
    "names",
    "documents",
    "files",
    "orders",
    "users",
    "people",
    "persons",
    "products",
    "matches",
    "issues",
    "findings",
    "transactions",
    "events",
    "steps",
    "defendants",
    "participants",
];
/// Numbers in words.
const NUMBERS: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// A number of entries that a text speaks of, and what it calls them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Announced {
    /// The number.
    pub(crate) count: usize,
    /// The noun behind it; empty where the number stands in brackets.
    pub(crate) noun: String,
    /// Whether the noun is one for what a list has, so that it may speak of any list.
    pub(crate) is_entry: bool,
}

/// Returns the number of entries that the last line before a list announces.
pub(crate) fn announced(before: &str) -> Option<Announced> {
    counted(before.trim_end().lines().next_back()?)
}

/// Returns the number of entries that a sentence behind a list counts: `Those are all seven members.`
pub(crate) fn recounted(sentence: &str) -> Option<Announced> {
    const COUNTS: [&str; 4] = [
        "^these|those|that|they|above are|is|were|was|has|makes|make",
        "^all|total|altogether",
        "in total|all",
        "list|array|table has|contains|holds|shows",
    ];
    first_match(&words_of(sentence), COUNTS)?;
    counted(sentence)
}

/// The only number of entries in a line.
fn counted(line: &str) -> Option<Announced> {
    let words = words_of(line);
    let number = |word: &str| {
        let digits = || word.parse::<usize>().ok().filter(|count| *count < 1000);
        NUMBERS.iter().position(|name| *name == word).or_else(digits)
    };
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map(String::as_str).unwrap_or_default();
    let mut found = 0;
    for (at, counting) in words.iter().enumerate() {
        let Some(count) = number(counting) else { continue };
        found += 1;
        let is_source = is_source(word(at.checked_sub(1))) || is_source(word(at.checked_sub(2)));
        let (next, after) = (word(Some(at + 1)), word(Some(at + 2)));
        let is_entry = ENTRIES.contains(&next);
        let bracketed = line.trim_end_matches([':', ' ', '*']).ends_with(&format!("({counting})"));
        // `There are five active members:`: an adjective may stand before the noun.
        let noun = if is_noun(next) || after.is_empty() { next } else { after };
        if is_source || !(is_entry || bracketed || is_noun(noun)) {
            continue;
        }
        let noun = if bracketed { String::new() } else { noun.to_owned() };
        return (found == 1).then_some(Announced { count, noun, is_entry: is_entry || bracketed });
    }
    None
}

/// Whether a word has the form of a noun in the plural.
fn is_noun(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') || ["people", "children", "men", "women"].contains(&word)
}

fn is_source(word: &str) -> bool {
    SOURCES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::{announced, recounted};

    #[test]
    fn announcements_are_told_from_sources() {
        for (line, count) in [
            ("12 rows extracted:", Some(12)),
            ("Missing documents (6):", Some(6)),
            ("All three defendants named in the complaint are listed below.", Some(3)),
            ("Here are the items from the 3 documents:", None),
            ("Results for 2024:", None),
            ("The first 2 of 9 items:", None),
            ("Here you are:", None),
        ] {
            let found = announced(line).filter(|found| found.is_entry).map(|found| found.count);
            assert_eq!(found, count, "{line}");
        }
    }

    #[test]
    fn counts_of_named_entries_are_found() {
        let found = |line: &str| announced(line).map(|found| (found.count, found.noun));
        assert_eq!(found("There are five members:"), Some((5, "members".to_owned())));
        assert_eq!(found("There are 5 active members:"), Some((5, "members".to_owned())));
        assert_eq!(found("Results for 2024:"), None);
        let found = |line: &str| recounted(line).map(|found| (found.count, found.noun));
        assert_eq!(found("Those are all seven members."), Some((7, "members".to_owned())));
        assert_eq!(found("I checked two sources."), None);
    }
}
