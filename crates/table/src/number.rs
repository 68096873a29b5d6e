//! Number literals: the grammar of JSON, and which literals every reader reads as the same number.
//!
//! The rule is that of `deed_canon`: integers within 2^53 - 1, doubles that neither overflow nor underflow to zero.

use deed_canon::number_from_f64;

/// The largest integer that a double has exactly: 2^53 - 1.
pub const MAX_SAFE: i64 = 9_007_199_254_740_991;

/// The form of a number literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Digits alone.
    Integer,
    /// With a fraction.
    Fraction,
    /// With an exponent.
    Exponent,
}

/// The form of a JSON number; none where the text is not one.
pub fn form(text: &[u8]) -> Option<Form> {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, rest) = digits(unsigned);
    match whole {
        [] | [b'0', _, ..] => return None,
        _ => {}
    }
    let mut form = Form::Integer;
    let rest = match rest.strip_prefix(b".") {
        None => rest,
        Some(rest) => {
            let (fraction, rest) = digits(rest);
            if fraction.is_empty() {
                return None;
            }
            form = Form::Fraction;
            rest
        }
    };
    let rest = match rest {
        [b'e' | b'E', rest @ ..] => {
            let (exponent, rest) = digits(match rest {
                [b'+' | b'-', rest @ ..] => rest,
                rest => rest,
            });
            if exponent.is_empty() {
                return None;
            }
            form = Form::Exponent;
            rest
        }
        rest => rest,
    };
    rest.is_empty().then_some(form)
}

fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len()))
}

/// Returns true where every reader reads the literal as the same number. The caller has checked its grammar.
pub fn is_safe(literal: &str, form: Form) -> bool {
    // Fifteen digits fit a double, and without an exponent they are neither too large nor too small.
    if literal.len() <= 15 && form != Form::Exponent {
        return true;
    }
    if form == Form::Integer {
        return literal.parse::<i64>().is_ok_and(|n| (-MAX_SAFE..=MAX_SAFE).contains(&n));
    }
    let Ok(value) = literal.parse::<f64>() else { return false };
    let mantissa = literal.split_once(['e', 'E']).map_or(literal, |(mantissa, _)| mantissa);
    let says_zero = !mantissa.contains(|c: char| ('1'..='9').contains(&c));
    (value != 0.0 || says_zero) && number_from_f64(value).is_ok()
}

/// The integer that a literal denotes, whatever its form; none where it is not an integer within 2^53 - 1.
pub fn integer(literal: &str, form: Form) -> Option<i64> {
    if form == Form::Integer {
        return literal.parse::<i64>().ok().filter(|n| (-MAX_SAFE..=MAX_SAFE).contains(n));
    }
    number_from_f64(literal.parse().ok()?).ok()?.as_i64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_that_of_json() {
        let check = |text: &str, expected| assert_eq!(form(text.as_bytes()), expected, "{text}");
        for text in ["0", "-0", "7", "120", "-9007199254740991"] {
            check(text, Some(Form::Integer));
        }
        for text in ["0.5", "-1.10", "0.0"] {
            check(text, Some(Form::Fraction));
        }
        for text in ["1e3", "1.5E-7", "-2e+2"] {
            check(text, Some(Form::Exponent));
        }
        for text in ["", "-", "+1", "01", "1.", ".5", "1e", "1e+", " 1", "1 ", "0x1", "NaN", "1,5", "1_000"] {
            check(text, None);
        }
    }

    #[test]
    fn safe_is_what_canon_calls_safe() {
        for text in [
            "9007199254740991",
            "9007199254740992",
            "-9007199254740991",
            "-9007199254740992",
            "1e400",
            "1e-400",
            "0e5",
            "123456789012345678901234",
            "0.1",
            "9007199254740993.0",
            "1e21",
            "1e20",
            "12345678901234567.5",
            "0.0e-999",
        ] {
            let ours = is_safe(text, form(text.as_bytes()).unwrap());
            assert_eq!(ours, deed_canon::parse(text.as_bytes()).is_ok(), "{text}");
        }
    }
}
