//! CPF, the number of Brazilian taxpayers: eleven digits of which the last two are check digits modulo 11.
//!
//! As they are printed (`529.982.247-25`), or bare under a name.

use std::ops::Range;

use super::context::Names;
use super::digits::{Group, groups, leading_digits, stands_alone, values};

/// The names of such a number.
pub(super) const NAMES: Names = Names { short: "cpf", joined: &["cadastrodepessoasfisicas"] };

/// The length of a printed number.
const PRINTED: usize = 14;

/// The bytes of every CPF in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    groups(text).filter(|first| matches!(first.len(), 3 | 9 | 11)).filter_map(|first| number_at(text, &first)).collect()
}

/// Returns true if a printed number begins with this group of three.
pub(super) fn is_printed_at(text: &str, first: &Group) -> bool {
    number_at(text, first).is_some()
}

fn number_at(text: &str, first: &Group) -> Option<Range<usize>> {
    let rest = text.as_bytes().get(first.start..)?;
    let length = match (first.len(), rest) {
        (3, rest) if is_printed(rest) => PRINTED,
        (9, rest) if rest.get(9) == Some(&b'-') && leading_digits(rest.get(10..)?) == 2 => 12,
        (11, _) if NAMES.stand_before(text, first.start) => 11,
        _ => return None,
    };
    let range = first.start..first.start + length;
    (stands_alone(text, &range) && is_issued(&values(text, &range))).then_some(range)
}

/// Returns true if digits and marks stand as they are printed.
fn is_printed(bytes: &[u8]) -> bool {
    bytes.get(..PRINTED).is_some_and(|bytes| {
        bytes.iter().enumerate().all(|(at, byte)| match at {
            3 | 7 => *byte == b'.',
            11 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    })
}

/// Returns true if both check digits fit and the digits are not all the same.
pub(super) fn is_issued(digits: &[u8]) -> bool {
    let check = |length: usize| {
        let (Some(body), Some(check)) = (digits.get(..length), digits.get(length)) else { return false };
        let sum: u32 = body.iter().rev().zip(2_u32..).map(|(digit, weight)| u32::from(*digit) * weight).sum();
        (sum * 10 % 11 % 10) == u32::from(*check)
    };
    digits.len() == 11 && digits.iter().any(|digit| Some(digit) != digits.first()) && check(9) && check(10)
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
        check("CPF 529.982.247-25.", &["529.982.247-25"]);
        check("id 529982247-25", &["529982247-25"]);
        check("{\"cpf\": \"52998224725\"}", &["52998224725"]);
    }

    #[test]
    fn passes_over_other_numbers() {
        for text in
            ["529.982.247-26", "111.111.111-11", "52998224725", "cpf 52998224724", "1529.982.247-25", "529.982.247-255"]
        {
            check(text, &[]);
        }
    }
}
