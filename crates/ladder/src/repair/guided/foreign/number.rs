//! Numbers of programming languages, in the digits of JSON.

use super::cursor::Cursor;
use crate::repair::mend::is_json_number;
use std::borrow::Cow;

/// Suffixes that are the signs of units too: `5m` and `30d` are as likely five minutes and thirty days, `1.5m` is not.
const UNITS: [&str; 5] = ["m", "M", "d", "D", "l"];

/// Reads a number, which may have one of some suffixes that name its type. Digits that were rewritten are owned.
pub(super) fn number<'t>(cursor: &mut Cursor<'t>, suffixes: &[&str]) -> Option<Cow<'t, str>> {
    let start = cursor.pos;
    cursor.run(|c| matches!(c, '-' | '+'));
    let mut before = ' ';
    while let Some(c) = cursor.peek() {
        let is_sign = matches!(c, '-' | '+') && matches!(before, 'e' | 'E');
        if !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || is_sign) {
            break;
        }
        before = c;
        cursor.bump();
    }
    let written = cursor.text.get(start..cursor.pos)?;
    if is_json_number(written) {
        return Some(Cow::Borrowed(written));
    }
    plain(written, suffixes).filter(|digits| is_json_number(digits)).map(Cow::Owned)
}

/// A number without its sign, marks between digits and suffix, and whole around its decimal point.
fn plain(written: &str, suffixes: &[&str]) -> Option<String> {
    let (sign, digits) = match written.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", written.strip_prefix('+').unwrap_or(written)),
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(&hex.replace('_', ""), 16).ok().map(|number| format!("{sign}{number}"));
    }
    let is_apart = !digits.contains("__") && !digits.ends_with('_') && !digits.starts_with('_');
    let joined = if is_apart { digits.replace('_', "") } else { return None };
    let without = |suffix: &&str| {
        let bare = joined.strip_suffix(*suffix)?;
        (!UNITS.contains(suffix) || bare.contains('.')).then_some(bare)
    };
    let bare = suffixes.iter().find_map(without).unwrap_or(&joined);
    let bare = match (bare.strip_prefix('.'), bare.strip_suffix('.')) {
        (Some(fraction), None) => format!("0.{fraction}"),
        (None, Some(whole)) => format!("{whole}.0"),
        _ => bare.to_owned(),
    };
    Some(format!("{sign}{bare}"))
}

#[cfg(test)]
mod tests {
    use super::super::cursor::{Comments, Cursor};
    use super::number;

    #[test]
    fn numbers_keep_their_digits() {
        const SUFFIXES: [&str; 4] = ["f32", "L", "l", "m"];
        let read = |text: &str| {
            number(&mut Cursor::new(text, 0, Comments::default()), &SUFFIXES).map(|number| number.into_owned())
        };
        for (text, digits) in [
            ("12", "12"),
            ("-0.50", "-0.50"),
            ("1_000_000", "1000000"),
            ("5L", "5"),
            ("9.99m", "9.99"),
            ("1.5f32", "1.5"),
            ("+3", "3"),
            (".5", "0.5"),
            ("2.", "2.0"),
            ("0xFF", "255"),
            ("1e-3", "1e-3"),
        ] {
            assert_eq!(read(text).as_deref(), Some(digits), "{text}");
        }
        for text in ["007", "1__0", "12abc", "1.2.3", "--1", "0b11", "5_", "NaN", "5m", "2l", "7k", "1.5d"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
