//! PAN, the Indian taxpayer's permanent account number: `AAAPA9999A`.
//!
//! The fourth letter says what the holder is. This is not the number on a payment card, which
//! `credit_card` finds: the contract lists the two side by side.

use std::ops::Range;
use std::sync::LazyLock;

use deed_canon::Invariant;
use regex::Regex;

static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u:\b)[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z](?-u:\b)")
        .invariant("the pattern of permanent account numbers compiles")
});

/// The bytes of every permanent account number in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    PATTERN
        .find_iter(text)
        // Serial numbers begin at 0001.
        .filter(|found| !found.as_str().contains("0000"))
        .map(|found| found.range())
        .collect()
}

/// Returns true if the digit at this place may be the first of a number: five capitals before, four digits, a capital.
pub(super) fn may_be_around(text: &str, digit: usize) -> bool {
    let bytes = text.as_bytes();
    let there = digit.checked_sub(5).and_then(|start| bytes.get(start..)?.get(..10));
    there.is_some_and(|there| {
        there.iter().enumerate().all(|(at, byte)| match at {
            5..=8 => byte.is_ascii_digit(),
            _ => byte.is_ascii_uppercase(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::testing::found;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(found(find, text), expected, "in {text:?}");
    }

    #[test]
    fn finds_account_numbers() {
        check("PAN: ABCPD1234E", &["ABCPD1234E"]);
        check("\"AAACR5055K\",\"AABCT1332L\"", &["AAACR5055K", "AABCT1332L"]);
    }

    #[test]
    fn passes_over_the_rest() {
        check("ABCXD1234E", &[]);
        check("ABCPD0000E", &[]);
        check("abcpd1234e", &[]);
        check("XABCPD1234E ABCPD1234EF ABCPD12345E", &[]);
    }
}
