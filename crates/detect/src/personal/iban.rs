//! IBAN: a country's fixed length, then mod 97. Compact, or in fours as printed.

use std::ops::Range;
use std::sync::LazyLock;

use deed_canon::Invariant;
use regex::Regex;

use super::checksum::mod_97;

/// The length of each country's numbers, from the IBAN registry, by country.
const LENGTHS: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BI", 27),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DJ", 27),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FK", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HN", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MN", 20),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NI", 28),
    ("NL", 18),
    ("NO", 15),
    ("OM", 23),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("RU", 33),
    ("SA", 24),
    ("SC", 31),
    ("SD", 18),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("SO", 23),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
    ("VA", 22),
    ("VG", 24),
    ("XK", 20),
    ("YE", 30),
];

/// The length of the shortest number.
const SHORTEST: usize = 15;

static HEAD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?-u:\b)[A-Z]{2}[0-9]{2}").invariant("the pattern of an IBAN's head compiles"));

/// The bytes of every IBAN in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    HEAD.find_iter(text).filter_map(|head| number_at(text, head.start())).collect()
}

/// Returns true if the digit at this place is the first of a number, behind its country.
pub(super) fn may_end_head(text: &str, digit: usize) -> bool {
    // The shortest number has eleven characters behind its head, and other codes have not.
    let Some((head, rest)) =
        text.as_bytes().get(digit..digit + SHORTEST - 2).and_then(|behind| behind.split_at_checked(2))
    else {
        return false;
    };
    let written = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_uppercase() || *byte == b' ';
    let start = digit.checked_sub(2).filter(|_| head.iter().all(u8::is_ascii_digit) && rest.iter().all(written));
    start.is_some_and(|start| number_at(text, start).is_some())
}

fn number_at(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let country = rest.get(..2)?;
    let index = LENGTHS.binary_search_by_key(&country, |(code, _)| code).ok()?;
    let (_, length) = LENGTHS.get(index)?;
    let mut compact = String::with_capacity(*length);
    let mut spaced = false;
    let mut end = start;
    for (at, c) in rest.char_indices() {
        let full = compact.len() == *length;
        match c {
            'A'..='Z' | '0'..='9' if !full => {
                // Once printed in fours, always in fours: otherwise words would run in.
                let at_group = compact.len().is_multiple_of(4) && !compact.is_empty();
                if at_group && compact.len() > 4 && spaced != (end < start + at) {
                    return None;
                }
                spaced = spaced || end < start + at && compact.len() == 4;
                compact.push(c);
                end = start + at + 1;
            }
            ' ' if !full && compact.len().is_multiple_of(4) && end == start + at => {}
            _ if full => {
                let word = c.is_alphanumeric() || c == '_';
                return (!word && mod_97(&compact)).then_some(start..end);
            }
            _ => return None,
        }
    }
    (compact.len() == *length && mod_97(&compact)).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::testing::found;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(found(find, text), expected, "in {text:?}");
    }

    #[test]
    fn finds_the_registry_examples() {
        for number in [
            "GB29NWBK60161331926819",
            "DE89370400440532013000",
            "FR1420041010050500013M02606",
            "NO9386011117947",
            "MT84MALT011000012345MTLCAST001S",
        ] {
            check(&format!("pay {number}, please"), &[number]);
            let fours: Vec<String> = number.as_bytes().chunks(4).map(|c| String::from_utf8_lossy(c).into()).collect();
            let printed = fours.join(" ");
            check(&format!("pay {printed} AND MORE"), &[&printed]);
        }
    }

    #[test]
    fn countries_can_be_looked_up() {
        assert!(LENGTHS.is_sorted());
        assert!(LENGTHS.iter().all(|(_, length)| *length >= SHORTEST));
    }

    #[test]
    fn passes_over_the_rest() {
        for text in [
            "GB29NWBK60161331926818",
            "GB29NWBK6016133192681",
            "GB29NWBK601613319268190",
            "ZZ29NWBK60161331926819",
            "xGB29NWBK60161331926819",
            "GB29NWBK60161331926819é",
        ] {
            check(text, &[]);
        }
    }
}
