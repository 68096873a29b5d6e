//! Comments inside a value: remarks that leave it as it is, and those that say that it is not whole or not certain.

use super::lists;
use super::omission::{counted, omits};
use super::pattern::{first_match, words_of};
use super::statement::states;

/// The effect of a comment on the value that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remark {
    /// It leaves the value as it is.
    Harmless,
    /// It says that a part of the value was left out.
    Omits,
    /// It questions the value, corrects it or names another one.
    Questions,
}

/// Judges a comment.
pub(crate) fn remark(comment: &str) -> Remark {
    let told = told(comment);
    let comment = told.as_deref().unwrap_or(comment);
    if omits(comment) {
        Remark::Omits
    } else if questions(comment) || states(comment) {
        Remark::Questions
    } else {
        Remark::Harmless
    }
}

/// A comment that tells what its value was at another time, with a plain word for the literal in it, which would put
/// the value in doubt: `was false before v3`. The rest of it is judged as in any comment.
fn told(comment: &str) -> Option<String> {
    const LITERALS: [&str; 6] = ["true", "false", "null", "none", "nil", "undefined"];
    const TIMES: [&str; 5] = ["before", "until", "till", "up", "prior"];
    let mut words = comment.split_whitespace();
    let start = words.position(|word| ["was", "were"].contains(&word.to_lowercase().as_str()))?;
    let literal = words.next()?;
    let is_led = comment.split_whitespace().take(start).all(|word| !word.contains(char::is_alphanumeric));
    let is_literal = LITERALS.contains(&literal.trim_matches(['`', '"', '\'']).to_lowercase().as_str());
    let is_time = words.next().is_some_and(|word| TIMES.contains(&word.to_lowercase().as_str()));
    (is_led && is_literal && is_time).then(|| comment.replacen(literal, "set", 1))
}

/// Returns whether a comment asks something, or says that its value is doubtful, to be replaced or another one.
fn questions(comment: &str) -> bool {
    let asks = |word: &str| {
        // A question mark inside an address separates a query.
        let is_address = word.contains("://");
        !is_address && word.contains(['?', '？', '؟'])
    };
    let lower = comment.to_lowercase();
    let is_foreign = || lists::FOREIGN.iter().any(|part| lower.contains(part));
    comment.split_whitespace().any(asks)
        || is_foreign()
        || first_match(&counted(words_of(comment)), lists::QUESTIONS.iter()).is_some()
}

#[cfg(test)]
mod tests {
    use super::{Remark, remark};

    #[test]
    fn questions_are_told_from_remarks() {
        for comment in [
            "// or should this be 5?",
            "# 5?",
            "// or 7",
            "// not sure",
            "/* maybe EUR */",
            "// TODO: confirm with finance",
            "// needs to be verified",
            "// my best guess",
            "// placeholder",
            "# should be 12",
            "// wrong, see below",
            "// actually 14",
            "// alternatively \"closed\"",
            "// tbd",
            "// could also be 'open'",
            "// conflicting sources",
            "// changed to 9 yesterday",
            "// was false, should be true",
            "// was false before v3, not sure about now",
            "// was false",
            "// false before v3",
        ] {
            assert_eq!(remark(comment), Remark::Questions, "{comment}");
        }
        for comment in [
            "// in EUR",
            "// required",
            "# see https://example.com/a?b=1",
            "// must be positive",
            "// should be a positive number",
            "// TODO: make this configurable",
            "// from the invoice header",
            "// USD or EUR are allowed",
            "// 24 hours",
            "// checked",
            "// verified by finance",
            "// confirmed",
            "// estimated arrival",
            "// error rate in percent",
            "// number of wrong answers",
            "// default",
            "/* was false before v3 */",
            "# was null until the migration",
        ] {
            assert_eq!(remark(comment), Remark::Harmless, "{comment}");
        }
    }
}
