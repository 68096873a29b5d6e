//! Lead-ins that say how many entries a list has: `12 rows extracted:`, `Missing documents (6):`.
//!
//! A list with another number of entries is not the list that was announced: it was cut, or its writer miscounted.

use super::pattern::words_of;

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

/// Returns the number of entries that the last line before a list announces.
pub(crate) fn announced(before: &str) -> Option<usize> {
    let line = before.trim_end().lines().next_back()?;
    let words = words_of(line);
    let number = |word: &str| {
        let digits = || word.parse::<usize>().ok().filter(|count| *count < 1000);
        NUMBERS.iter().position(|name| *name == word).or_else(digits)
    };
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(count) = number(word) else { continue };
        let is_source = at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|before| is_source(before))
            || at.checked_sub(2).and_then(|before| words.get(before)).is_some_and(|before| is_source(before));
        let counts = words.get(at + 1).is_some_and(|next| ENTRIES.contains(&next.as_str()));
        let bracketed = line.trim_end_matches([':', ' ', '*']).ends_with(&format!("({word})"));
        found.push((counts || bracketed) && !is_source);
        if found.last() == Some(&true) {
            return (found.len() == 1).then_some(count);
        }
    }
    None
}

fn is_source(word: &str) -> bool {
    SOURCES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::announced;

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
            assert_eq!(announced(line), count, "{line}");
        }
    }
}
