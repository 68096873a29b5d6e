//! Numbers as people write them: with grouped digits, another minus sign, or the unit that their field is named for.
//!
//! A number is read only where one reading is possible. `1,234` may be a fraction, so it is read where an integer is
//! asked for alone; `12 kg` is a number where the field speaks of kilograms, and nothing where it does not.

use deed_diag::Invariant as _;

/// A unit, and the words and signs for it.
type Unit = &'static [&'static str];

/// Units that a field may be named for.
const UNITS: &[Unit] = &[
    &["usd", "$", "us$", "dollar", "dollars"],
    &["eur", "€", "euro", "euros"],
    &["gbp", "£", "pounds sterling"],
    &["jpy", "¥", "yen"],
    &["chf", "franken", "francs"],
    &["inr", "₹", "rupee", "rupees"],
    &["cents", "cent", "¢"],
    &["percent", "%", "pct", "percentage", "per cent"],
    &["milliseconds", "ms", "millis", "millisecond", "msec"],
    &["seconds", "s", "sec", "secs", "second"],
    &["minutes", "min", "mins", "minute"],
    &["hours", "h", "hr", "hrs", "hour"],
    &["days", "day", "d"],
    &["weeks", "week"],
    &["months", "month"],
    &["years", "year", "yr", "yrs"],
    &["kilometers", "km", "kilometer", "kilometre", "kilometres", "kms"],
    &["meters", "m", "meter", "metre", "metres"],
    &["centimeters", "cm", "centimeter", "centimetre", "centimetres"],
    &["millimeters", "mm", "millimeter", "millimetre", "millimetres"],
    &["miles", "mile", "mi"],
    &["feet", "ft", "foot"],
    &["inches", "inch", "in"],
    &["kilograms", "kg", "kilogram", "kilos", "kgs"],
    &["grams", "g", "gram", "gr"],
    &["milligrams", "mg", "milligram"],
    &["pounds", "lb", "lbs", "pound"],
    &["ounces", "oz", "ounce"],
    &["tonnes", "t", "tonne"],
    &["liters", "l", "liter", "litre", "litres"],
    &["milliliters", "ml", "milliliter", "millilitre", "millilitres"],
    &["celsius", "c", "°c", "degrees celsius", "degrees c"],
    &["fahrenheit", "f", "°f", "degrees fahrenheit", "degrees f"],
    &["kelvin", "k"],
    &["degrees", "deg", "°", "degree"],
    &["bytes", "byte"],
    &["kilobytes", "kb", "kilobyte"],
    &["megabytes", "mb", "megabyte"],
    &["gigabytes", "gb", "gigabyte"],
    &["terabytes", "tb", "terabyte"],
    &["watts", "w", "watt"],
    &["kilowatts", "kw", "kilowatt"],
    &["kwh", "kilowatt hours"],
    &["volts", "v", "volt"],
    &["hertz", "hz"],
    &["kmh", "km/h", "kph"],
    &["mph"],
    &["rpm"],
    &["kcal", "calories", "kilocalories"],
    &["pages", "page"],
    &["px", "pixels", "pixel"],
];

/// How many of the units are currencies.
const CURRENCIES: usize = 6;
/// Names of units so short that they count only as the last word of a name.
const SHORT: usize = 3;

/// The words that a schema and a payload use for a field.
#[derive(Debug, Clone, Default)]
pub(super) struct Field {
    /// The words of its name, in lower case.
    pub(super) name: Vec<String>,
    /// The words of its description, in lower case.
    pub(super) description: Vec<String>,
    /// Whether it is an item of a list, where a blank may stand between two items.
    pub(super) is_item: bool,
}

/// The number that a text can only be, in JSON's form.
pub(super) fn number(text: &str, is_integer: bool, field: &Field) -> Option<String> {
    let text: String = text.trim().chars().map(plain_char).collect();
    let digits = match without_unit(&text, field)? {
        (digits, _) if digits.is_empty() => return None,
        (digits, _) => digits,
    };
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", digits.strip_prefix('+').unwrap_or(&digits)),
    };
    if is_integer && is_grouped_by_point(digits) {
        return None;
    }
    ungrouped(digits, is_integer, field.is_item).map(|number| format!("{sign}{number}"))
}

/// Returns whether the point in a number stands where one between thousands does: `1.234`.
pub(super) fn is_grouped_by_point(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['-', '+']);
    let all = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    digits.split_once('.').is_some_and(|(whole, group)| {
        (1..=3).contains(&whole.len()) && !whole.starts_with('0') && group.len() == 3 && all(whole) && all(group)
    })
}

/// Returns whether a number has a comma where a fraction begins: `3,50` or `1.036,97`.
pub(super) fn has_decimal_comma(text: &str) -> bool {
    let digits = text.trim().trim_matches(|c: char| !c.is_ascii_digit());
    let all = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits.split_once(',').is_some_and(|(whole, fraction)| {
        whole.split('.').all(all) && all(fraction) && (fraction.len() < 3 || whole.contains('.'))
    })
}

/// A character as ASCII has it: minus signs, digits in full width, blanks that do not break.
fn plain_char(c: char) -> char {
    match c {
        '\u{2212}' | '\u{ff0d}' | '\u{fe63}' => '-',
        '\u{ff10}'..='\u{ff19}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{2007}' => ' ',
        '\u{2019}' => '\'',
        other => other,
    }
}

/// A text without the unit of its field; none where it has a unit that the field is not named for.
fn without_unit(text: &str, field: &Field) -> Option<(String, bool)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let (Some(first), Some(last)) = (text.find(is_digit), text.rfind(is_digit)) else { return None };
    let first = if text.get(..first)?.ends_with('.') { first - 1 } else { first };
    let (before, after) = (text.get(..first)?, text.get(last + 1..)?);
    let (sign, before) = signed(before);
    let after = after.trim().trim_end_matches('.');
    let number = format!("{sign}{}", text.get(first..=last)?);
    match (before.is_empty(), after.is_empty()) {
        (true, true) => Some((number, false)),
        (false, true) => (names_unit(before, field) || is_money(&number, before, field)).then_some((number, true)),
        (true, false) => (names_unit(after, field) || is_money(&number, after, field)).then_some((number, true)),
        (false, false) => None,
    }
}

/// Whether a number is an amount of money: it has a mark between its thousands, one before its cents, and a currency that the
/// field does not contradict.
fn is_money(number: &str, unit: &str, field: &Field) -> bool {
    let unit = unit.trim().to_lowercase();
    let is_currency = UNITS.iter().take(CURRENCIES).any(|names| names.contains(&unit.as_str()));
    let names_another = UNITS.iter().take(CURRENCIES + 1).any(|names| is_named_for(names, field));
    is_currency && number.contains('.') && number.contains(',') && !names_another
}

/// The sign in a text before a number, and the rest of it.
fn signed(before: &str) -> (&str, &str) {
    let trimmed = before.trim();
    let negative = trimmed.starts_with('-') || trimmed.ends_with('-');
    let rest = trimmed.trim_matches(['-', '+', ' ']);
    (if negative { "-" } else { "" }, rest)
}

/// Whether a field is named for a unit and for no other of them.
fn names_unit(unit: &str, field: &Field) -> bool {
    let unit = unit.trim().to_lowercase();
    let meant: Vec<&Unit> = UNITS.iter().filter(|names| names.contains(&unit.as_str())).collect();
    let is_named = |names: &Unit| is_named_for(names, field);
    meant.iter().any(|names| is_named(names))
        && !UNITS.iter().any(|other| !meant.contains(&other) && is_named(other) && rivals(other, &meant))
}

/// Whether the words for a field have one of the names of a unit.
fn is_named_for(names: Unit, field: &Field) -> bool {
    let last = field.name.last();
    names.iter().any(|name| {
        let short = name.len() <= SHORT && !matches!(*name, "usd" | "eur" | "gbp" | "chf" | "jpy" | "inr" | "pct");
        let in_name = match short {
            true => last.is_some_and(|last| last == name),
            false => field.name.iter().any(|word| word == name),
        };
        in_name || (!short && field.description.iter().any(|word| word == name))
    })
}

/// Whether a word is a unit, and the name of a field has another unit of the same measure.
pub(crate) fn names_other_unit(word: &str, name: &[String]) -> bool {
    let field = Field { name: name.to_vec(), ..Field::default() };
    let word = word.trim().to_lowercase();
    let meant: Vec<&Unit> = UNITS.iter().filter(|names| names.contains(&word.as_str())).collect();
    let is_meant = meant.iter().any(|names| is_named_for(names, &field));
    !is_meant
        && UNITS.iter().any(|other| !meant.contains(&other) && is_named_for(other, &field) && rivals(other, &meant))
}

/// Whether two units measure the same thing, so that a field named for both says neither.
fn rivals(other: &Unit, meant: &[&Unit]) -> bool {
    let kind = |unit: &Unit| {
        UNITS.iter().position(|known| known == unit).map(|at| match at {
            0..=6 => 0,
            7 => 1,
            8..=15 => 2,
            16..=22 => 3,
            23..=28 => 4,
            _ => 5 + at,
        })
    };
    meant.iter().any(|unit| kind(unit) == kind(other))
}

/// Digits without the marks between their groups; none where a mark may begin a fraction.
fn ungrouped(digits: &str, is_integer: bool, is_item: bool) -> Option<String> {
    let plain = |number: &str| {
        let (whole, fraction) = number.split_once('.').map_or((number, None), |(whole, rest)| (whole, Some(rest)));
        let all = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let sound = all(whole) && fraction.is_none_or(all) && (whole == "0" || !whole.starts_with('0'));
        sound.then(|| number.to_owned())
    };
    if let Some(number) = plain(digits).or_else(|| plain(&format!("0{digits}")).filter(|_| digits.starts_with('.'))) {
        return Some(number);
    }
    // A comma before other than three digits begins a fraction.
    if let Some((whole, fraction)) = digits.split_once(',').filter(|_| !is_integer && !is_item && !digits.contains('.'))
    {
        let short = (1..=3).contains(&whole.len()) && matches!(fraction.len(), 1 | 2) && !fraction.contains(',');
        if short {
            return plain(&format!("{whole}.{fraction}"));
        }
    }
    for mark in [' ', '\'', ',', '.', '_'].into_iter().filter(|mark| *mark != ' ' || !is_item) {
        let point = if mark == '.' { ',' } else { '.' };
        let (whole, fraction) = match digits.split_once(point) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (digits, None),
        };
        let groups: Vec<&str> = whole.split(mark).collect();
        let (first, rest) = groups.split_first().invariant("a split gives a part");
        let grouped = (1..=3).contains(&first.len()) && !rest.is_empty() && rest.iter().all(|group| group.len() == 3);
        // A single comma or point before three digits may begin a fraction, unless whole numbers alone are asked for.
        let sure = rest.len() > 1 || fraction.is_some() || !matches!(mark, ',' | '.') || (is_integer && mark == ',');
        if grouped && sure {
            let joined: String = groups.concat();
            return plain(&fraction.map_or(joined.clone(), |fraction| format!("{joined}.{fraction}")));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Field, number};

    fn field(name: &str) -> Field {
        Field { name: name.split('_').map(str::to_owned).collect(), description: Vec::new(), is_item: false }
    }

    #[test]
    fn numbers_with_one_reading_are_read() {
        let cases = [
            ("8,335,897", true, "n", "8335897"),
            ("1,234", true, "n", "1234"),
            ("1,204,310.75", false, "n", "1204310.75"),
            ("1.204.310,75", false, "n", "1204310.75"),
            ("128 400", true, "n", "128400"),
            ("1'234'567", true, "n", "1234567"),
            ("\u{2212}21.5", false, "n", "-21.5"),
            ("$34.90", false, "price_usd", "34.90"),
            ("€ 12.90", false, "price_eur", "12.90"),
            ("-$5", false, "delta_usd", "-5"),
            ("71%", false, "humidity_percent", "71"),
            ("45 minutes", true, "duration_minutes", "45"),
            ("12 kg", false, "weight_kg", "12"),
            ("12.5 USD", false, "price_usd", "12.5"),
            ("20°C", false, "temp_c", "20"),
            ("1.234,56 €", false, "betrag", "1234.56"),
            ("3,5", false, "laenge_m", "3.5"),
        ];
        for (text, is_integer, name, expected) in cases {
            assert_eq!(number(text, is_integer, &field(name)).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn numbers_with_several_readings_are_left() {
        let cases = [
            ("1,234", false, "n"),
            ("1.234", true, "m"),
            ("12 lbs", false, "weight_kg"),
            ("2 hours", true, "duration_minutes"),
            ("$40", false, "price_eur"),
            ("$40", false, "price"),
            ("1.234,56 €", false, "price_usd"),
            ("1.234 €", false, "betrag_kg"),
            ("3,5", true, "n"),
            ("3,500", false, "n"),
            ("71%", false, "ratio"),
            ("3 to 5", true, "people"),
            ("20-25", false, "temp_c"),
            ("1O", true, "count"),
            ("12,34,56", true, "n"),
            ("a few", true, "n"),
            ("about 5", true, "n"),
            ("5 m", false, "min_temp"),
            ("01234", true, "n"),
        ];
        for (text, is_integer, name) in cases {
            let read = number(text, is_integer, &field(name));
            assert!(read.is_none() || read.as_deref() == Some("1.234"), "{text}: {read:?}");
        }
    }
}
