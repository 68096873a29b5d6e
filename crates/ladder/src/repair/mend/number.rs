//! Numbers: those of JSON, and those of other languages that name exactly one.
//!
//! A number at the very end of a text that was cut off may go on: `12` may have been `123`. Its member is dropped.

use super::ahead::Place;
use super::{End, Latitude, Mark, Mender, Opening};
use crate::excerpt::{excerpt, items};
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::strict::MAX_SAFE;
use crate::repair::unreadable::UnreadableKind;

impl Mender<'_> {
    pub(super) fn number(&mut self, place: Place) -> Result<End, Fault> {
        let start = self.pos;
        if self.latitude == Latitude::Guided
            && place == Place::Member
            && let Some(len) = self.comma_groups(start)
        {
            // Behind a comma stands a key, and digits are none: the commas group. What they mean the schema says.
            let quoted = format!("\"{}\"", self.slice(start..start + len));
            self.meant = true;
            self.push(Repair::replace(RepairKind::BarePhrase, start..start + len, quoted));
            self.pos = start + len;
            return Ok(End::Whole);
        }
        let rest = items(self.bytes, start..);
        let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-' | b'_');
        self.pos += rest.iter().position(|b| !part(b)).unwrap_or(rest.len());
        // A space behind the last digit shows that the number was complete; a line break may come from the file.
        let is_cut = self.bytes.get(self.pos..).is_some_and(|rest| rest.iter().all(|b| matches!(b, b'\n' | b'\r')));
        if self.opening == Opening::Bracket && is_cut {
            return Ok(End::Dropped);
        }
        let number = self.slice(start..self.pos);
        // Digits that no number keeps are kept as text, which the schema may ask for.
        if self.latitude == Latitude::Guided && is_unsafe(number) {
            let quoted = format!("\"{number}\"");
            self.push(Repair::replace(RepairKind::BarePhrase, start..self.pos, quoted));
            return self.end_of_bare(start);
        }
        match rewritten(number) {
            Ok(None) => {}
            Ok(Some((kind, json))) => self.push(Repair::replace(kind, start..self.pos, json)),
            Err(kind) => return Err(self.fault_from(start, kind)),
        }
        self.end_of_bare(start)
    }
}

impl Mender<'_> {
    /// `1_000`, as programming languages group digits.
    pub(super) fn grouped_number(&mut self, start: Mark) -> Result<End, Fault> {
        let rest = excerpt(self.text, start.pos..);
        let len = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '_' | '.' | '-'))).unwrap_or(rest.len());
        let number = excerpt(rest, ..len);
        let whole = number.strip_prefix('-').unwrap_or(number).split('.').next().unwrap_or_default();
        let mut groups = whole.split('_');
        let first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()));
        let plain = number.replace('_', "");
        if !first || !groups.all(|group| group.len() == 3) || !is_json(&plain) {
            return Err(Fault::new(UnreadableKind::DigitGrouping, start.pos, start.pos + len));
        }
        self.script.truncate(start.edits);
        self.push(Repair::replace(RepairKind::DigitGroups, start.pos..start.pos + len, plain));
        self.pos = start.pos + len;
        self.end_of_bare(start.pos)
    }
}

impl Mender<'_> {
    /// The length of a number whose digits are grouped by commas, where what ends a member follows it.
    fn comma_groups(&self, start: usize) -> Option<usize> {
        let rest = self.text.get(start..)?;
        let len = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '.' | '-'))).unwrap_or(rest.len());
        let number = rest.get(..len)?.trim_end_matches([',', '.']);
        let digits = number.strip_prefix('-').unwrap_or(number);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let mut groups = whole.split(',');
        let first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && !first.starts_with('0'));
        let rest: Vec<&str> = groups.collect();
        let grouped = first && !rest.is_empty() && rest.iter().all(|group| group.len() == 3);
        let next = self.byte(self.past_space(start + number.len()));
        let ends = matches!(next, Some(b',' | b'}' | b'/' | b'#') | None)
            || self.slice(start + number.len()..self.past_space(start + number.len())).contains('\n');
        let fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
        (grouped && fraction && ends).then_some(number.len())
    }
}

/// Whether a number is one that a double does not hold: an integer beyond 2^53 - 1, or a magnitude beyond its range.
fn is_unsafe(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_integer = digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_beyond = || number.parse::<f64>().is_ok_and(f64::is_infinite);
    is_json(number)
        && if is_integer { digits.parse::<u64>().map_or(true, |value| value > MAX_SAFE) } else { is_beyond() }
}

/// A number in JSON's own form, if it has another; or why it has none.
fn rewritten(number: &str) -> Result<Option<(RepairKind, String)>, UnreadableKind> {
    if is_json(number) {
        return Ok(None);
    }
    let (sign, digits) = match number.strip_prefix(['-', '+']) {
        Some(digits) if number.starts_with('-') => ("-", digits),
        Some(digits) => ("", digits),
        None => ("", number),
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return hexadecimal(sign, hex).map(Some);
    }
    let whole = digits.split(['.', 'e', 'E']).next().unwrap_or_default();
    if whole.len() > 1 && whole.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return Err(UnreadableKind::LeadingZero);
    }
    if digits.contains("..") {
        return Err(UnreadableKind::Placeholder);
    }
    if digits.contains('_') && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'_' | b'.')) {
        return Err(UnreadableKind::DigitGrouping);
    }
    if matches!(digits.to_ascii_lowercase().as_str(), "infinity" | "inf" | "nan") {
        return Err(UnreadableKind::NotANumber);
    }
    let plain = format!("{sign}{digits}");
    if is_json(&plain) {
        return Ok(Some((RepairKind::PlusSign, plain)));
    }
    let (mantissa, exponent) = digits.split_at(digits.find(['e', 'E']).unwrap_or(digits.len()));
    let completed = match (mantissa.strip_prefix('.'), mantissa.strip_suffix('.')) {
        (Some(_), None) => format!("{sign}0{mantissa}{exponent}"),
        (None, Some(whole)) => format!("{sign}{whole}{exponent}"),
        _ => return Err(UnreadableKind::NumberForm),
    };
    if is_json(&completed) {
        Ok(Some((RepairKind::BareDecimalPoint, completed)))
    } else {
        Err(UnreadableKind::NumberForm)
    }
}

fn hexadecimal(sign: &str, digits: &str) -> Result<(RepairKind, String), UnreadableKind> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(UnreadableKind::NumberForm);
    }
    match u64::from_str_radix(digits, 16) {
        Ok(value) if value <= MAX_SAFE => Ok((RepairKind::HexNumber, format!("{sign}{value}"))),
        Ok(_) | Err(_) => Err(UnreadableKind::UnsafeInteger),
    }
}

/// The grammar of JSON numbers.
pub(in crate::repair) fn is_json(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    all_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(all_digits)
        && exponent.is_none_or(|e| all_digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}
