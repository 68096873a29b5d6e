//! Words before a number that name it.

use crate::bytes::part_of;

/// The bytes before a number in which its name is looked for.
const FAR: usize = 64;

/// The names of a kind of number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names {
    /// A short name that stands by itself or as a part of a longer one, in lower case.
    pub(super) short: &'static str,
    /// Words that are written together, apart or with marks between them, in lower case and without them.
    pub(super) joined: &'static [&'static str],
}

impl Names {
    /// Returns true if one of the names stands before this place, with no other number between.
    pub(super) fn stand_before(&self, text: &str, place: usize) -> bool {
        let from = text.ceil_char_boundary(place.saturating_sub(FAR));
        let before = part_of(text, from..place);
        self.are_in(before.rsplit_once(|c: char| c.is_ascii_digit()).map_or(before, |(_, near)| near))
    }

    /// Returns true if one of the names is anywhere in a text.
    pub(super) fn are_in(&self, text: &str) -> bool {
        has_word(text, self.short) || {
            let bare: String = text.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect();
            self.joined.iter().any(|words| bare.contains(words))
        }
    }
}

/// Returns true if a word stands by itself or as a part of a name: `ssn`, `SSN`, `user_ssn`, `userSsn`, `ssnNumber`.
fn has_word(text: &str, word: &str) -> bool {
    let bytes = text.as_bytes();
    let at = |place: Option<usize>| place.and_then(|place| bytes.get(place)).copied().unwrap_or(b' ');
    bytes.windows(word.len()).enumerate().any(|(start, window)| {
        if !window.eq_ignore_ascii_case(word.as_bytes()) {
            return false;
        }
        let (first, last) = (at(Some(start)), at(Some(start + word.len() - 1)));
        let (before, after) = (at(start.checked_sub(1)), at(Some(start + word.len())));
        let begins = !before.is_ascii_alphabetic() || before.is_ascii_lowercase() && first.is_ascii_uppercase();
        let ends = !after.is_ascii_alphabetic() || after.is_ascii_uppercase() && last.is_ascii_lowercase();
        begins && ends
    })
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_are_told_from_other_words() {
        let names = Names { short: "ssn", joined: &["socialsecurity"] };
        for text in [
            "ssn ",
            "SSN: ",
            "user_ssn=\"",
            "userSsn=\"",
            "ssnNumber: ",
            "social security number ",
            "Social-Security: ",
        ] {
            assert!(names.stand_before(text, text.len()), "{text}");
        }
        for text in ["session ", "assn: ", "lessness=", "ssn 12 order ", "classname "] {
            assert!(!names.stand_before(text, text.len()), "{text}");
        }
    }
}
