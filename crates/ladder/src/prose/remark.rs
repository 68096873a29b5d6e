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
    if omits(comment) {
        Remark::Omits
    } else if questions(comment) || states(comment) {
        Remark::Questions
    } else {
        Remark::Harmless
    }
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
        ] {
            assert_eq!(remark(comment), Remark::Harmless, "{comment}");
        }
    }
}
