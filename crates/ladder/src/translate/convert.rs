//! Values on their way from one vocabulary to another: scaled, dated, spelled and joined as a mapping says.
//!
//! A value that cannot be converted exactly is not carried over, and the reason is told.

use crate::rungs::transforms::{Date, DateForm, Factor, is_date};
use deed_diag::quote;
use deed_model::{Conversion, JoinConversion, ScaleConversion};
use serde_json::{Number, Value};

/// The value of a field after its conversions, or why there is none.
pub(super) fn converted(document: &Value, value: &Value, conversions: &[Conversion]) -> Result<Value, String> {
    conversions.iter().try_fold(value.clone(), |value, conversion| one(document, value, conversion))
}

/// A conversion in a few words.
pub(super) fn described(conversion: &Conversion) -> String {
    match conversion {
        Conversion::Scale(scale) => format!("scale {}", scale.factor),
        Conversion::Date(date) => format!("date {}", date.to),
        Conversion::EpochSeconds => "epoch_seconds".to_owned(),
        Conversion::LowerCase => "lower_case".to_owned(),
        Conversion::UpperCase => "upper_case".to_owned(),
        Conversion::Text => "text".to_owned(),
        Conversion::Values(_) => "values".to_owned(),
        Conversion::Join(join) => format!("join {}", join.with.join(", ")),
    }
}

fn one(document: &Value, value: Value, conversion: &Conversion) -> Result<Value, String> {
    match conversion {
        Conversion::Scale(scale) => scaled(document, &value, scale),
        Conversion::Date(date) => {
            let text = text(&value)?;
            let form =
                |form: &String| DateForm::read(form).ok_or_else(|| format!("{} is no form of a date", quote(form)));
            let forms = date.from.iter().map(form).collect::<Result<Vec<DateForm>, String>>()?;
            let mut dates: Vec<Date> = forms.iter().filter_map(|form| form.dates(text)).collect();
            dates.sort_unstable();
            dates.dedup();
            match dates.as_slice() {
                [date_read] => Ok(Value::String(form(&date.to)?.write(*date_read))),
                [] => Err(format!("{} is a date of none of the forms {}", quote(text), date.from.join(", "))),
                _ => Err(format!("{} can be two dates", quote(text))),
            }
        }
        Conversion::EpochSeconds => epoch(text(&value)?).map(Value::from),
        Conversion::LowerCase => Ok(Value::String(text(&value)?.to_lowercase())),
        Conversion::UpperCase => Ok(Value::String(text(&value)?.to_uppercase())),
        Conversion::Text => match value {
            Value::Number(number) => Ok(Value::String(number.to_string())),
            other => text(&other).map(Value::from),
        },
        Conversion::Values(values) => {
            let key = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            values.get(&key).cloned().ok_or_else(|| format!("no value is listed for {}", quote(&key)))
        }
        Conversion::Join(join) => joined(document, &value, join),
    }
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("{} is not text", quote(&value.to_string())))
}

fn scaled(document: &Value, value: &Value, scale: &ScaleConversion) -> Result<Value, String> {
    if let Some(unit) = &scale.unit {
        let found = document.pointer(&unit.at).and_then(Value::as_str);
        if found != Some(unit.is.as_str()) {
            let found = found.map_or("nothing".to_owned(), quote);
            return Err(format!("its unit at {} is {found}, and not {}", quote(&unit.at), quote(&unit.is)));
        }
    }
    let factor = Factor::read(&scale.factor).ok_or_else(|| format!("{} is no decimal number", quote(&scale.factor)))?;
    let written = value.as_str().map(str::trim).map_or_else(|| value.to_string(), str::to_owned);
    let product = Factor::read(&written).map(|number| factor.product(number));
    match product {
        None => Err(format!("{} is no number to scale", quote(&written))),
        Some(None) => Err(format!("{} times {} cannot be held exactly", quote(&written), scale.factor)),
        Some(Some(number)) => Ok(Value::Number(number)),
    }
}

fn joined(document: &Value, value: &Value, join: &JoinConversion) -> Result<Value, String> {
    let mut parts = vec![text(value)?];
    for at in &join.with {
        match document.pointer(at) {
            Some(Value::String(part)) => parts.push(part),
            Some(Value::Null) | None => {}
            Some(other) => return Err(format!("{} at {} is not text", quote(&other.to_string()), quote(at))),
        }
    }
    Ok(Value::String(parts.join(&join.by)))
}

/// The seconds since 1970 of a date and time with its offset.
fn epoch(text: &str) -> Result<Number, String> {
    let refused = || format!("{} is no date and time with an offset (RFC 3339)", quote(text));
    let (date, rest) = text.split_once(['T', 't', ' ']).ok_or_else(refused)?;
    let (year, month, day) = DateForm::read("YYYY-MM-DD").and_then(|form| form.dates(date)).ok_or_else(refused)?;
    let cut = rest.find(['Z', 'z', '+', '-']).ok_or_else(refused)?;
    let (clock, offset) = rest.split_at_checked(cut).ok_or_else(refused)?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let seconds = clock_seconds(clock, 3).ok_or_else(refused)?;
    let offset = match offset {
        "Z" | "z" => 0,
        signed => {
            let minutes = signed.get(1..).and_then(|clock| clock_seconds(clock, 2)).ok_or_else(refused)?;
            if signed.starts_with('-') { -minutes } else { minutes }
        }
    };
    let whole = fraction.bytes().all(|digit| digit == b'0');
    if !whole || !is_date(year, month, day) {
        return Err(format!("{} has a part of a second", quote(text)));
    }
    Ok(Number::from(days_since_1970(i64::from(year), i64::from(month), i64::from(day)) * 86_400 + seconds - offset))
}

/// The seconds of `HH:MM:SS`, or of `HH:MM`.
fn clock_seconds(clock: &str, parts: usize) -> Option<i64> {
    let limits = [24, 60, 60];
    let read = |(part, limit): (&str, &i64)| {
        let digits = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i64>().ok().filter(|number| digits && number < limit)
    };
    let numbers: Option<Vec<i64>> = clock.split(':').zip(&limits).map(read).collect();
    match (numbers?.as_slice(), clock.split(':').count() == parts) {
        ([hours, minutes, seconds], true) => Some(hours * 3600 + minutes * 60 + seconds),
        ([hours, minutes], true) => Some(hours * 3600 + minutes * 60),
        _ => None,
    }
}

/// Days from 1970-01-01 in the Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::{converted, epoch};
    use deed_model::Conversion;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(value: Value, conversions: Value, expected: Result<Value, &str>) {
        let conversions: Vec<Conversion> = serde_json::from_value(conversions).unwrap();
        let document = json!({ "unit": "kg", "last": "Lovelace" });
        assert_eq!(converted(&document, &value, &conversions), expected.map_err(str::to_owned));
    }

    #[test]
    fn values_are_converted_exactly_or_not_at_all() {
        check(json!("598.94"), json!([{ "scale": { "factor": "100" } }]), Ok(json!(59894)));
        check(json!("199.00"), json!([{ "scale": { "factor": "100" } }]), Ok(json!(19900)));
        check(
            json!(2.5),
            json!([{ "scale": { "factor": "1000", "unit": { "at": "/unit", "is": "kg" } } }]),
            Ok(json!(2500)),
        );
        let other = "its unit at `/unit` is `kg`, and not `lb`";
        check(json!(2), json!([{ "scale": { "factor": "2", "unit": { "at": "/unit", "is": "lb" } } }]), Err(other));
        check(json!("a lot"), json!([{ "scale": { "factor": "100" } }]), Err("`a lot` is no number to scale"));
        check(json!("USD"), json!(["lower_case"]), Ok(json!("usd")));
        check(json!("Ada"), json!([{ "join": { "with": ["/last", "/none"] } }]), Ok(json!("Ada Lovelace")));
        check(json!("paid"), json!([{ "values": { "paid": 1 } }]), Ok(json!(1)));
        check(json!("void"), json!([{ "values": { "paid": 1 } }]), Err("no value is listed for `void`"));
        check(json!("03/14/2026"), json!([{ "date": { "from": ["MM/DD/YYYY"] } }]), Ok(json!("2026-03-14")));
    }

    #[test]
    fn a_date_and_time_is_seconds_since_1970() {
        assert_eq!(epoch("1970-01-01T00:00:00Z").unwrap().as_i64(), Some(0));
        assert_eq!(epoch("2008-01-10T11:00:00-05:00").unwrap().as_i64(), Some(1_199_980_800));
        assert_eq!(epoch("2024-02-29T12:30:00.000Z").unwrap().as_i64(), Some(1_709_209_800));
        for wrong in ["2024-02-29", "2024-02-30T00:00:00Z", "2024-02-29T25:00:00Z", "2024-02-29T10:00:00", "soon"] {
            assert!(epoch(wrong).is_err(), "{wrong}");
        }
    }
}
