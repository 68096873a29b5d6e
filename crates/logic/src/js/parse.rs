//! Parsing of numbers, by the grammars of `Number(text)` and `parseFloat(text)`.

/// Returns true for the characters that JavaScript trims: white space, line terminators and the byte order mark.
fn is_space(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{d}' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}'
            | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

/// `Number(text)`.
pub(crate) fn to_number(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        return 0.0;
    }
    for (prefix, upper, radix) in [("0x", "0X", 16), ("0o", "0O", 8), ("0b", "0B", 2)] {
        if let Some(digits) = text.strip_prefix(prefix).or_else(|| text.strip_prefix(upper)) {
            return radix_number(digits, radix);
        }
    }
    match decimal_prefix(text) {
        Some((number, used)) if used == text.len() => number,
        Some(_) | None => f64::NAN,
    }
}

/// `parseFloat(text)`: the longest prefix that is a number.
pub(crate) fn parse_float(text: &str) -> f64 {
    decimal_prefix(text.trim_start_matches(is_space)).map_or(f64::NAN, |(number, _)| number)
}

fn radix_number(digits: &str, radix: u32) -> f64 {
    if digits.is_empty() {
        return f64::NAN;
    }
    digits
        .chars()
        .try_fold(0.0, |sum, c| c.to_digit(radix).map(|d| sum * f64::from(radix) + f64::from(d)))
        .unwrap_or(f64::NAN)
}

/// Returns the longest decimal literal at the start, with its length in bytes.
fn decimal_prefix(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let at = |i: usize| bytes.get(i).copied();
    let digits_from = |start: usize| bytes.iter().skip(start).take_while(|b| b.is_ascii_digit()).count();
    let sign = usize::from(matches!(at(0), Some(b'+' | b'-')));
    if text.get(sign..).is_some_and(|rest| rest.starts_with("Infinity")) {
        let number = if at(0) == Some(b'-') { f64::NEG_INFINITY } else { f64::INFINITY };
        return Some((number, sign + "Infinity".len()));
    }
    let whole = digits_from(sign);
    let mut end = sign + whole;
    let mut fraction = 0;
    if at(end) == Some(b'.') {
        fraction = digits_from(end + 1);
        if whole + fraction > 0 {
            end += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(at(end), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(at(end + 1), Some(b'+' | b'-')));
        let exponent = digits_from(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    let number = text.get(..end)?.parse().ok()?;
    Some((number, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, number: f64, prefix: f64) {
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        assert!(same(to_number(text), number), "Number({text:?}) = {}", to_number(text));
        assert!(same(parse_float(text), prefix), "parseFloat({text:?}) = {}", parse_float(text));
    }

    #[test]
    fn the_grammars_of_javascript() {
        const NAN: f64 = f64::NAN;
        check("", 0.0, NAN);
        check(" 12 ", 12.0, 12.0);
        check("\u{feff}\u{a0}7", 7.0, 7.0);
        check("1e3", 1000.0, 1000.0);
        check("1e", NAN, 1.0);
        check("0x10", 16.0, 0.0);
        check("-0x10", NAN, 0.0);
        check("0b101", 5.0, 0.0);
        check("0x", NAN, 0.0);
        check("1.", 1.0, 1.0);
        check(".5", 0.5, 0.5);
        check(".", NAN, NAN);
        check("+.5e-1x", NAN, 0.05);
        check("-Infinity", f64::NEG_INFINITY, f64::NEG_INFINITY);
        check("inf", NAN, NAN);
        check("nan", NAN, NAN);
        check("1_000", NAN, 1.0);
        check("1,5", NAN, 1.0);
        check("é", NAN, NAN);
    }
}
