//! Telephone numbers: E.164 with `+`, the usual separated forms, and bare digits under a
//! telling name.
//!
//! A number without `+`, separators or a name is any number, so it is never reported.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::digits::{Group, groups};

/// `None` only if the pattern did not compile, which the tests below rule out.
static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        // +44 20 7946 0958, +1 (415) 555-2671
        r"(?P<plus>\+[1-9][0-9]{0,3}(?:[ .\-]?\(?[0-9]{1,14}\)?){1,7})",
        // (415) 555-2671, 1-415-555-2671, 415.555.2671
        r"|(?P<american>(?:1[ .\-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[.\-])[2-9][0-9]{2}[.\-][0-9]{4})",
        // 020 7946 0958, (030) 123456-7
        r"|(?P<trunk>\(?0[1-9][0-9]{0,3}\)?(?:[ \-][0-9]{2,7}){1,4})",
        // 98765 43210
        r"|(?P<indian>[6-9][0-9]{4}[ \-][0-9]{5})",
        // phone: "4155552671"
        r"|(?i:phone|mobile|(?-u:\b)tel|cell|whatsapp|fax|msisdn)[A-Za-z_\-]{0,12}",
        r#"[\\"']{0,2}[ \t]{0,4}[:=][ \t]{0,4}[\\"']{0,2}(?P<named>[0-9][0-9 .()\-]{8,18}[0-9])"#,
    ))
    .ok()
});

/// The ways a number is written, each a group of the pattern.
#[derive(Clone, Copy)]
enum Form {
    Plus,
    American,
    Trunk,
    Indian,
    Named,
}

const FORMS: [(&str, Form); 5] = [
    ("plus", Form::Plus),
    ("american", Form::American),
    ("trunk", Form::Trunk),
    ("indian", Form::Indian),
    ("named", Form::Named),
];

/// The bytes of every telephone number in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    if !groups(text).any(|group| may_belong(text, &group)) {
        return Vec::new();
    }
    PATTERN
        .iter()
        .flat_map(|pattern| pattern.captures_iter(text))
        .filter_map(|captures| {
            let group = |(name, form): (&str, Form)| Some((form, captures.name(name)?));
            FORMS.into_iter().find_map(group)
        })
        .filter(|(form, number)| form.allows(number.as_str()))
        .map(|(_, number)| number.range())
        .filter(|range| stands_alone(text, range))
        .collect()
}

/// Whether a group of digits can be what one of the forms is known by, so that the pattern is tried
/// at all: dates and amounts are everywhere, and the pattern stops at each.
fn may_belong(text: &str, group: &Group) -> bool {
    let bytes = text.as_bytes();
    let before = bytes.get(..group.start).unwrap_or_default();
    let after = group.end.checked_add(1).and_then(|next| bytes.get(next..)).unwrap_or_default();
    let digits = after.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    let separator = bytes.get(group.end).copied();
    match (group.len(), separator) {
        // The last two groups of an American number, and both of an Indian one.
        (3, Some(b'.' | b'-')) if digits == 4 => true,
        (5, Some(b' ' | b'-')) if digits == 5 => true,
        _ => before.ends_with(b"+") || is_trunk(before, bytes.get(group.start)) || is_assigned(before),
    }
}

/// Whether a leading zero begins a number of its own and is not tied to more, as in a date.
fn is_trunk(before: &[u8], first: Option<&u8>) -> bool {
    let tied = match before {
        [.., beyond, b'-' | b'.' | b'/'] => beyond.is_ascii_alphanumeric(),
        [.., beyond, b' '] => beyond.is_ascii_digit(),
        [.., next] => next.is_ascii_alphanumeric() || *next == b'_',
        [] => false,
    };
    first == Some(&b'0') && !tied
}

/// Whether a name may end before the group: `:` or `=`, then blanks and quotes.
fn is_assigned(before: &[u8]) -> bool {
    let filler = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\\' | b'"' | b'\'');
    matches!(before.iter().rev().find(|byte| !filler(byte)), Some(b':' | b'='))
}

impl Form {
    fn allows(self, number: &str) -> bool {
        let digits: Vec<u8> = number.bytes().filter(u8::is_ascii_digit).collect();
        match self {
            Self::Plus => is_international(&digits),
            Self::Trunk => (9..=12).contains(&digits.len()),
            Self::Named => (10..=15).contains(&digits.len()) && !is_date(number),
            Self::American | Self::Indian => true,
        }
    }
}

/// E.164 allows fifteen digits; the shortest national numbers make eight with their country code.
fn is_international(digits: &[u8]) -> bool {
    match digits {
        [b'1', area, ..] => digits.len() == 11 && *area >= b'2',
        [b'7', ..] => digits.len() == 11,
        [b'9', b'1', ..] => digits.len() == 12,
        _ => (8..=15).contains(&digits.len()),
    }
}

/// `2026-11-15 …` under a name such as `phone_verified_at`.
fn is_date(number: &str) -> bool {
    matches!(number.as_bytes(), [b'1' | b'2', _, _, _, b'-', _, _, b'-', ..])
}

/// Whether nothing ties the number to more digits, letters, or marks of dates, versions and UUIDs.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let mut before = text.get(..range.start).unwrap_or_default().chars().rev();
    let mut after = text.get(range.end..).unwrap_or_default().chars();
    let (left, beyond_left) = (before.next(), before.next());
    let (right, beyond_right) = (after.next(), after.next());
    // A name and its colon stand before a number by right, as in `tel:`; only digits may not.
    let colon = left == Some(':') && beyond_left.is_some_and(|c| c.is_ascii_digit());
    let colon_after = right == Some(':') && beyond_right.is_some_and(char::is_alphanumeric);
    !colon && !colon_after && !is_tied(left, beyond_left) && !is_tied(right, beyond_right)
}

/// Whether the neighbouring character, or it and the one beyond, make the number part of more.
fn is_tied(next: Option<char>, beyond: Option<char>) -> bool {
    next.is_some_and(|next| match next {
        '_' | '+' => true,
        '-' | '.' | '/' => beyond.is_some_and(char::is_alphanumeric),
        ' ' => beyond.is_some_and(|c| c.is_ascii_digit()),
        other => other.is_alphanumeric(),
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
    fn finds_numbers() {
        for number in [
            "+14155552671",
            "+1 (415) 555-2671",
            "+44 20 7946 0958",
            "+91 98765 43210",
            "+91-9876543210",
            "+49 (30) 123456",
            "(415) 555-2671",
            "415-555-2671",
            "1-415-555-2671",
            "415.555.2671",
            "020 7946 0958",
            "01 23 45 67 89",
            "98765 43210",
        ] {
            check(&format!("call {number}, please"), &[number]);
            check(&format!("\"{number}\""), &[number]);
            check(&format!("tel:{number}"), &[number]);
        }
        check("phone: 4155552671", &["4155552671"]);
        check("\"mobile_number\": \"9876543210\"", &["9876543210"]);
    }

    #[test]
    fn passes_over_other_numbers() {
        for text in [
            "2026-11-15",
            "2026-11-15T06:10:42+05:30",
            "2026-11-15T06:10:42.123456789Z",
            "15-11-2026",
            "1.0.0+20130313144700",
            "10.20.300",
            "v1.22.333-4444",
            "86400",
            "50000",
            "1763187042",
            "1763187042000",
            "192.168.100.200",
            "255.255.255.255:8080",
            "0b9d1c52-7f7e-4a0e-8f59-415555267100",
            "41555526-7100-4155-8526-710041555526",
            "200 300 4000",
            "4111 1111 1111 1111",
            "phone_verified_at: 2026-11-15 06:10",
            "+1000",
            "x+14155552671",
            "0.5 - 1.5",
        ] {
            check(text, &[]);
        }
    }
}
