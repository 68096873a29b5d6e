//! The check digits of cards, Aadhaar numbers and bank accounts.

use deed_canon::Invariant;

/// Luhn (ISO/IEC 7812): payment cards. An empty run does not pass.
pub(super) fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(*digit);
            match (place % 2, digit * 2) {
                (0, _) => digit,
                (_, doubled) if doubled > 9 => doubled - 9,
                (_, doubled) => doubled,
            }
        })
        .sum();
    !digits.is_empty() && sum.is_multiple_of(10)
}

/// Verhoeff: Aadhaar. It notices every single wrong digit and every swap of neighbours.
pub(super) fn verhoeff(digits: &[u8]) -> bool {
    let check =
        digits.iter().rev().enumerate().fold(0, |check, (place, digit)| combine(check, permute(place % 8, *digit)));
    !digits.is_empty() && check == 0
}

/// The product of two elements of the dihedral group of the pentagon.
fn combine(a: u8, b: u8) -> u8 {
    match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => 5 + (a + b - 5) % 5,
        (false, true) => 5 + (a - b) % 5,
        (false, false) => (a + 5 - b) % 5,
    }
}

/// Verhoeff's permutation of a digit, applied once for every place, so `times` times over.
fn permute(times: usize, digit: u8) -> u8 {
    const ONCE: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    (0..times).fold(digit, |digit, _| ONCE.get(usize::from(digit)).copied().invariant("a digit is below ten"))
}

/// Modulo 11 over so many digits with falling weights, the last of them the check digit: NHS numbers.
pub(super) fn mod_11(digits: &[u8], length: usize) -> bool {
    let Some((check, body)) = digits.split_last().filter(|_| digits.len() == length) else { return false };
    let sum: u32 = body.iter().rev().zip(2_u32..).map(|(digit, weight)| u32::from(*digit) * weight).sum();
    // A remainder of 1 would need a check digit of ten, and no such number is issued.
    match 11 - sum % 11 {
        11 => *check == 0,
        10 => false,
        expected => expected == u32::from(*check),
    }
}

/// ISO 7064 mod 97-10 over digits and letters: IBAN, its first four characters moved to the end.
pub(super) fn mod_97(compact: &str) -> bool {
    let (Some(head), Some(tail)) = (compact.get(..4), compact.get(4..)) else {
        return false;
    };
    let rest = tail.chars().chain(head.chars()).try_fold(0_u32, |rest, c| {
        let value = c.to_digit(36)?;
        let shift = if value > 9 { 100 } else { 10 };
        Some((rest * shift + value) % 97)
    });
    rest == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Vec<u8> {
        text.bytes().map(|b| b - b'0').collect()
    }

    #[test]
    fn luhn_knows_the_networks_test_numbers() {
        assert!(luhn(&digits("4111111111111111")));
        assert!(luhn(&digits("378282246310005")));
        assert!(!luhn(&digits("4111111111111112")));
        assert!(!luhn(&[]));
    }

    #[test]
    fn verhoeff_knows_the_published_example() {
        assert!(verhoeff(&digits("2363")));
        assert!(!verhoeff(&digits("2364")));
        assert!(!verhoeff(&digits("3263")));
    }

    #[test]
    fn verhoeff_notices_every_change_of_one_digit_and_every_swap() {
        let valid = digits("2363");
        for place in 0..valid.len() {
            for digit in (0..10).filter(|digit| *digit != valid[place]) {
                let mut changed = valid.clone();
                changed[place] = digit;
                assert!(!verhoeff(&changed), "{changed:?}");
            }
        }
    }

    #[test]
    fn mod_11_knows_the_published_example() {
        assert!(mod_11(&digits("9434765919"), 10));
        assert!(!mod_11(&digits("9434765918"), 10));
        assert!(!mod_11(&digits("943476591"), 10));
    }

    #[test]
    fn mod_97_knows_the_registry_examples() {
        assert!(mod_97("GB29NWBK60161331926819"));
        assert!(mod_97("DE89370400440532013000"));
        assert!(!mod_97("GB29NWBK60161331926818"));
        assert!(!mod_97("GB"));
    }
}
