//! Comments that say that a part of a value was left out: `/* 14 more entries omitted for brevity */`, `// rest
//! unchanged`, `# and so on`.
//!
//! A value with such a comment is not the whole answer, however complete it looks without it.

use super::lists;
use super::pattern::{first_match, words_of};

/// Returns whether a comment says that a part of the value that it stands in was left out.
pub(super) fn omits(comment: &str) -> bool {
    if comment.contains("...") || comment.contains('…') {
        return true;
    }
    let lower = comment.to_lowercase();
    let words = counted(words_of(comment));
    first_match(&words, lists::OMISSIONS.iter()).is_some()
        || lists::FOREIGN_OMISSIONS.iter().any(|part| lower.contains(part))
}

/// Returns the words of a sentence behind a value that say that entries of it were left out. Sentences speak of rests and
/// others for many reasons, so only a count of what is missing, or a cut, counts here.
pub(super) fn shortened(words: &[String]) -> Option<String> {
    const PATTERNS: [&str; 5] = [
        "9|remaining|other|more|further|some|several|many * items|entries|rows|records|elements|lines|results * omitted|hidden|elided|truncated|cut|dropped",
        "9|more|further|many * items|entries|rows|records|elements|lines|results * not shown|listed|included|displayed",
        "items|entries|rows|records|elements|lines|results|list|output|rest * omitted|truncated|shortened|abridged|cut for|due|to",
        "for brevity|shortness",
        "first|only 9 * of * 9|many|several|more|shown|listed",
    ];
    first_match(&counted_in_words(words), PATTERNS).or_else(|| left_unsaid(words))
}

/// Returns the words of a sentence, before or behind a value, that say that the value is not all of it: others were left out,
/// did not fit or follow.
pub(super) fn left_unsaid(words: &[String]) -> Option<String> {
    const OTHERS: [&str; 13] = [
        "last|first|remaining|other|others|rest|remainder|more|further|9|some|several|many|few|most * left|leave|leaving out|off|aside",
        "others|rest|remainder|remaining|further|other * omitted|skipped|dropped|cut|truncated|hidden|excluded|follow|follows|come|comes|available",
        "9 more|others|further|additional|other * follow|follows|exist|exists|omitted|skipped|missing|fit|room",
        "did|does|do|would|will|could|can not fit",
        "didn't|doesn't|don't|won't|wouldn't|couldn't|cannot|can't fit",
        "^there|there's are|is|were|was|remain * 9 more|others|further|additional|other",
        "^and|plus 9 more|others|further",
        "the|another|all other|remaining|further 9",
        "send|show|list|give|add|include|continue * the rest|remaining|others",
        "i stopped at|after|with|there|here",
        "ran|run|running out of space|room|tokens|characters|context|time|memory",
        "only|just list|listed|include|included|show|showed|take|took|keep|kept|cover|covered|extract|extracted|give|gave|wrote|put the first|top|last|latest 9",
        "only|just the first|top|last 9 * shown|listed|included|here|given|fit|are",
    ];
    first_match(&counted_in_words(words), OTHERS)
}

/// Words with `9` in the place of every number.
pub(super) fn counted(words: Vec<String>) -> Vec<String> {
    let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
    let count = |word: String| if is_number(&word) { "9".to_owned() } else { word };
    words.into_iter().map(count).collect()
}

/// Words with `9` in the place of every number, in digits or words.
fn counted_in_words(words: &[String]) -> Vec<String> {
    const NUMBERS: [&str; 14] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "dozen",
        "hundred",
    ];
    let count = |word: String| if NUMBERS.contains(&word.as_str()) { "9".to_owned() } else { word };
    counted(words.to_vec()).into_iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::omits;

    #[test]
    fn omissions_are_told_from_remarks() {
        for comment in [
            "/* 14 more entries omitted for brevity */",
            "// ... rest unchanged",
            "// rest unchanged",
            "# and so on",
            "// remaining items",
            "<!-- truncated -->",
            "// etc.",
            "/* the remaining 20 rows */",
            "// plus 3 more",
            "// other fields here",
            "# other entries follow the same shape",
            "// add more items here",
            "// snip",
            "/* 12 rows not shown */",
            "// weitere Einträge",
            "// 以下省略",
        ] {
            assert!(omits(comment), "{comment}");
        }
        for comment in [
            "// remaining balance in EUR",
            "// owning team",
            "# rest period in days",
            "// phone left out: not in the source",
            "/* more than the limit of 5 */",
            "// other party to the contract",
            "// two more than last year",
            "// USD, EUR etc. are allowed",
            "// continued use is fine",
            "// unchanged",
            "// added in v2",
        ] {
            assert!(!omits(comment), "{comment}");
        }
    }
}
