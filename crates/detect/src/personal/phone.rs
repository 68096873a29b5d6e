//! Telephone numbers: E.164 with `+`, the usual separated forms, and bare digits under a
//! telling name.
//!
//! A number without `+`, separators or a name is any number, so it is never reported.

use std::ops::Range;
use std::sync::LazyLock;

use deed_canon::Invariant;
use regex::Regex;

use super::digits::{Group, groups, leading_digits};
use super::ssn;
use crate::bytes::{part, part_of};
use crate::reading::Reading;

static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
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
    .invariant("the pattern of telephone numbers compiles")
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
        .captures_iter(text)
        .filter_map(|captures| {
            let group = |(name, form): (&str, Form)| Some((form, captures.name(name)?));
            FORMS.into_iter().find_map(group)
        })
        .filter(|(form, number)| form.allows(number.as_str()) && !ssn::is_written_so(number.as_str()))
        .map(|(_, number)| number.range())
        .filter(|range| stands_alone(text, range))
        .collect()
}

/// Returns true if a group of digits can belong to one of the forms, so that the pattern is tried
/// at all: dates and amounts are everywhere, and the pattern stops at each.
fn may_belong(text: &str, group: &Group) -> bool {
    let bytes = text.as_bytes();
    let before = part(bytes, ..group.start);
    let after = bytes.iter().skip(group.end).skip(1);
    let digits = after.take(6).take_while(|byte| byte.is_ascii_digit()).count();
    let separator = bytes.get(group.end).copied();
    match (group.len(), separator) {
        // The last two groups of an American number, and both of an Indian one.
        (3, Some(b'.' | b'-')) if digits == 4 => true,
        (5, Some(b' ' | b'-')) if digits == 5 => true,
        _ => before.ends_with(b"+") || is_trunk(before, bytes.get(group.start)) || is_assigned(before),
    }
}

/// Returns true if a number may begin with this group or, of an American one, have it in its middle.
///
/// Sharper than [`may_belong`], and the more so the commoner the form: it counts the digits that a form
/// asks for and reads the name before an assignment.
pub(super) fn may_begin(text: &str, group: &Group, reading: Reading) -> bool {
    let bytes = text.as_bytes();
    let (before, after) = (part(bytes, ..group.start), part(bytes, group.end..));
    let first = bytes.get(group.start).copied().invariant("a group has a digit");
    let digits = || digits_from(part(bytes, group.start..));
    match (group.len(), after.split_first()) {
        (3, Some((b'.' | b'-', rest))) if leading_digits(rest) == 4 && follows_an_area(before) => return true,
        (5, Some((b' ' | b'-', rest))) if first >= b'6' && leading_digits(rest) == 5 => return true,
        (2..=5, _) if first == b'0' && is_trunk(before, Some(&first)) && trunk_digits(group.len(), after) >= 9 => {
            return true;
        }
        _ => {}
    }
    match before.last() {
        Some(b'+') => first != b'0' && digits() >= 8,
        Some(b' ' | b'\t' | b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b':' | b'=') => {
            digits() >= 10 && is_under_a_name(before, reading)
        }
        Some(b'[' | b',') if reading == Reading::Json => digits() >= 10 && is_under_a_name(before, reading),
        _ => false,
    }
}

/// Counts the digits of a number from here on, across the marks between them; twenty at most.
fn digits_from(bytes: &[u8]) -> usize {
    let mark = |byte: &u8| matches!(byte, b' ' | b'.' | b'-' | b'(' | b')');
    let written = bytes.iter().take(40).take_while(|byte| byte.is_ascii_digit() || mark(byte));
    written.filter(|byte| byte.is_ascii_digit()).take(20).count()
}

/// Returns true if an area code ends here: `415-`, `415.`, `(415)` or `(415) `.
fn follows_an_area(before: &[u8]) -> bool {
    match before {
        [.., b')'] | [.., b')', b' '] => true,
        [.., a, b, c, b'.' | b'-'] => [a, b, c].into_iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Counts the digits of a number with a leading zero: those of the first group and of the groups behind it.
fn trunk_digits(first: usize, after: &[u8]) -> usize {
    let mut rest = after.strip_prefix(b")").unwrap_or(after);
    let mut digits = first;
    for _ in 0..4 {
        let Some((b' ' | b'-', group)) = rest.split_first() else { break };
        let length = leading_digits(group);
        digits += length.min(7);
        rest = part(group, length..);
        if length == 0 || length > 7 {
            break;
        }
    }
    digits
}

/// Returns true for the first letters, in lower case, of a word in names of telephone numbers.
fn begins_a_word(start: [u8; 3]) -> bool {
    matches!(&start, b"pho" | b"mob" | b"tel" | b"cel" | b"wha" | b"fax" | b"msi")
}

/// Returns true if the number may be assigned to a name with a telling word in it.
fn is_under_a_name(before: &[u8], reading: Reading) -> bool {
    let Some(sign) = before.iter().rposition(|byte| !is_filler(*byte)) else {
        return false;
    };
    match before.get(sign) {
        Some(b':' | b'=') => is_telling(part(before, ..sign)),
        // An element of an array stands under the array's name, which may be anywhere before.
        Some(b'[' | b',') if reading == Reading::Json => name_of_list(part(before, ..=sign)).is_none_or(is_telling),
        _ => false,
    }
}

/// The key of the array that was opened last, with its quote, if that is near and nothing lies between.
fn name_of_list(before: &[u8]) -> Option<&[u8]> {
    let far = before.len().saturating_sub(FAR);
    let open = far + memchr::memrchr(b'[', part(before, far..))?;
    let elements = part(before, open..);
    let key = before.get(..open)?.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    let is_key = key.ends_with(b"\"") && !key.ends_with(b"\\\"");
    (is_key && memchr::memchr3(b'{', b'}', b']', elements).is_none()).then_some(key)
}

/// The bytes before an element in which the beginning of its array is looked for.
const FAR: usize = 4_096;

/// Returns true if a name that ends here, with its quotes, may have a telling word near its end.
fn is_telling(name: &[u8]) -> bool {
    let end = name.iter().rposition(|byte| !is_filler(*byte)).map_or(0, |at| at + 1);
    let name = part(name, ..end);
    // In the pattern's eyes some letters beyond ASCII are the same as those of the words.
    let letter = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-') || !byte.is_ascii();
    let length = name.iter().rev().take(24).take_while(|byte| letter(**byte)).count();
    let tail = part(name, end - length..);
    let mut places = tail.array_windows::<3>();
    !tail.is_ascii() || places.any(|place| begins_a_word(place.map(|byte| byte.to_ascii_lowercase())))
}

/// Quotes, and blanks as the pattern and JSON have them.
fn is_filler(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\\' | b'"' | b'\'')
}

/// Returns true if a leading zero begins a number of its own and is not tied to more, as in a date.
fn is_trunk(before: &[u8], first: Option<&u8>) -> bool {
    let tied = match before {
        [.., beyond, b'-' | b'.' | b'/'] => beyond.is_ascii_alphanumeric(),
        [.., beyond, b' '] => beyond.is_ascii_digit(),
        [.., next] => next.is_ascii_alphanumeric() || *next == b'_',
        [] => false,
    };
    first == Some(&b'0') && !tied
}

/// Returns true if a name may end before the group: `:` or `=`, then blanks and quotes.
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

/// Returns true if nothing ties the number to more digits, letters, or marks of dates, versions and UUIDs.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let mut before = part_of(text, ..range.start).chars().rev();
    let mut after = part_of(text, range.end..).chars();
    let (left, beyond_left) = (before.next(), before.next());
    let (right, beyond_right) = (after.next(), after.next());
    // A name and its colon stand before a number by right, as in `tel:`; only digits may not.
    let colon = left == Some(':') && beyond_left.is_some_and(|c| c.is_ascii_digit());
    let colon_after = right == Some(':') && beyond_right.is_some_and(char::is_alphanumeric);
    !colon && !colon_after && !is_tied(left, beyond_left) && !is_tied(right, beyond_right)
}

/// Returns true if the neighbouring character, or it and the one beyond, make the number part of more.
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
            "078-05-1120",
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
