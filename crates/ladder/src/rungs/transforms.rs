//! L0e, transforms: the conventions of a business, applied in the order of the contract.

use super::defaults::{self, claimants};
use super::holds;
use crate::climb::{Cx, Deferred, Draft, Finding, Inputs, Output, Pass, Superseded, Weight};
use crate::edits::Cause;
use crate::ladder::{Action, TransformRule};
use crate::place::parent;
use deed_canon::Pointer;
use deed_diag::{Code, codes, quote};
use deed_logic::Scope;
use deed_model::{LadderMode, Rung};
use serde_json::{Map, Number, Value};

/// Applies the conventions.
pub(crate) fn apply(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let mut draft = Draft::new(inputs);
    draft.findings.supersede(Superseded::Code(Rung::L0e, codes::CONDITION_FAILED));
    let mut deferred = Deferred::default();
    // Units are read before any of them is written: several numbers may share one.
    let rules: Vec<_> = cx.ladder.transforms.iter().map(|rule| (rule, places(rule, inputs.payload))).collect();
    for (index, (rule, places)) in rules.into_iter().enumerate() {
        for at in places {
            let applied = (index, at);
            // Each convention is applied to a value once, however often the rungs are run.
            if inputs.deferred.applied.contains(&applied) || waits(cx, &draft, (rule, &applied), &mut deferred) {
                continue;
            }
            if one(&mut draft, rule, &applied.1) == Applied::Yes {
                deferred.applied.insert(applied);
            }
        }
    }
    Output { deferred, ..draft.into_output() }
}

/// The places that a rule applies to.
fn places(rule: &TransformRule, payload: &Value) -> Vec<String> {
    let mut places = Vec::new();
    rule.at.each(payload, &mut |at, value| {
        if !is_settled(&rule.action, value) && has_unit(rule, payload, at) {
            places.push(at.to_owned());
        }
    });
    places
}

/// Whether a rule was applied to a value; one whose condition does not hold may be applied later.
#[derive(PartialEq, Eq)]
enum Applied {
    Yes,
    No,
}

/// Whether a rule must wait for another pass: a key that it reads may still get a default or its right name, or an
/// earlier rule for the same place waits.
fn waits(
    cx: Cx<'_>,
    draft: &Draft<'_>,
    (rule, applied): (&TransformRule, &(usize, String)),
    deferred: &mut Deferred,
) -> bool {
    let (index, at) = applied;
    if draft.inputs.pass == Pass::Later {
        return false;
    }
    let earlier = draft.inputs.deferred;
    let mut waiting = earlier.waiting.iter().chain(&deferred.waiting);
    let is_waiting = waiting.any(|(other, place)| other < index && place == at);
    if is_waiting || (rule.waits && (earlier.any || deferred.any)) || reads_pending(cx, draft, rule, at) {
        deferred.waiting.insert(applied.clone());
        deferred.any = true;
        return true;
    }
    false
}

/// Whether a key that a rule reads is missing while an unknown key beside it may be renamed to it.
fn reads_pending(cx: Cx<'_>, draft: &Draft<'_>, rule: &TransformRule, at: &str) -> bool {
    if cx.ladder.contract.vector.is_none() || cx.mode(Rung::L1) != LadderMode::Block {
        return false;
    }
    let above = parent(at).map_or("", |(above, _)| above);
    let (payload, source) = (draft.payload(), draft.inputs.source);
    // Without an object there is nothing beside the value to read.
    let Some(object) = payload.pointer(above) else { return false };
    rule.reads.iter().filter(|name| object.get(name.as_str()).is_none()).any(|name| {
        let place = defaults::Place { payload, source, at: &Pointer::push(above, name) };
        !claimants(cx, place, name, None).is_empty()
    })
}

/// Whether a text is already as a rule would have it; of other rules that is not known beforehand.
fn is_settled(action: &Action, value: &Value) -> bool {
    let as_made = |change: fn(&str) -> String| value.as_str().is_none_or(|text| change(text) == text);
    match action {
        Action::TitleCase => as_made(title_case),
        Action::UpperCase => as_made(str::to_uppercase),
        Action::LowerCase => as_made(str::to_lowercase),
        Action::Trim => as_made(trimmed),
        Action::Scale { .. } | Action::Date { .. } | Action::Set(_) => false,
    }
}

/// Whether a number has the unit that a rule scales; rules of other kinds have no unit.
fn has_unit(rule: &TransformRule, payload: &Value, at: &str) -> bool {
    let Action::Scale { unit: Some(unit), .. } = &rule.action else { return true };
    let above = parent(at).map_or("", |(above, _)| above);
    let named = payload.pointer(above).and_then(|object| object.get(&unit.key)).and_then(Value::as_str);
    named == Some(unit.from.as_str())
}

fn one(draft: &mut Draft<'_>, rule: &TransformRule, at: &str) -> Applied {
    if !draft.is_free(at) {
        return Applied::No;
    }
    let payload = draft.payload();
    let Some(value) = payload.pointer(at) else { return Applied::No };
    let above = parent(at).map_or("", |(above, _)| above);
    let object = payload.pointer(above).unwrap_or(&Value::Null);
    match rule.when.as_ref().map(|when| holds(when, object, Some(value), payload)) {
        None | Some(Ok(true)) => {}
        Some(Ok(false)) => return Applied::No,
        Some(Err(error)) => {
            let message = format!("the condition of transform {} cannot be evaluated: {error}", quote(&rule.id));
            draft.find(Finding::blocking(Rung::L0e, codes::CONDITION_FAILED, at, message).rule(&rule.id));
            return Applied::No;
        }
    }
    let (made, unit) = match transformed(&rule.action, value, object, payload) {
        Ok(Some((made, unit))) => (made, unit),
        Ok(None) => return Applied::No,
        Err(Refusal { code, message, help, weight }) => {
            let finding = Finding::blocking(Rung::L0e, code, at, message).help_opt(help);
            draft.find(finding.rule(&rule.id).weight(weight));
            return Applied::Yes;
        }
    };
    let unit = unit.map(|(key, unit)| (Pointer::push(above, &key), unit));
    let cause = Cause { rung: Rung::L0e, rule: &rule.id, confidence: 1000, why: "a convention of the contract" };
    put(draft, at, made, cause);
    if let Some((at, unit)) = unit {
        put(draft, &at, Value::String(unit), cause);
    }
    Applied::Yes
}

fn put(draft: &mut Draft<'_>, at: &str, value: Value, cause: Cause<'_>) {
    if draft.payload().pointer(at) != Some(&value) {
        draft.replace(at, value, cause);
    }
}

type Made = Option<(Value, Option<(String, String)>)>;

/// Why a value is left as it is.
struct Refusal {
    code: Code,
    message: String,
    help: Option<String>,
    weight: Weight,
}

impl Refusal {
    fn of(message: String) -> Self {
        Self { code: codes::TRANSFORM_FAILED, message, help: None, weight: Weight::Blocks }
    }
}

fn transformed(action: &Action, value: &Value, object: &Value, payload: &Value) -> Result<Made, Refusal> {
    let text = |change: fn(&str) -> String| value.as_str().map(|text| (Value::String(change(text)), None));
    Ok(match action {
        Action::TitleCase => text(title_case),
        Action::UpperCase => text(str::to_uppercase),
        Action::LowerCase => text(str::to_lowercase),
        Action::Trim => text(trimmed),
        Action::Scale { factor, unit } => {
            let Value::Number(number) = value else { return Ok(None) };
            let Some(scaled) = factor.times(number) else {
                return Err(Refusal::of(format!("{number} cannot be scaled exactly")));
            };
            Some((Value::Number(scaled), unit.as_ref().map(|unit| (unit.key.clone(), unit.to.clone()))))
        }
        Action::Date { from, to } => {
            let Some(text) = value.as_str() else { return Ok(None) };
            let right = to.dates(text);
            let mut dates: Vec<Date> = from.iter().chain([to]).filter_map(|form| form.dates(text)).collect();
            dates.sort_unstable();
            dates.dedup();
            match dates.as_slice() {
                [] => None,
                [_] if right.is_some() => None,
                [date] => Some((Value::String(to.write(*date)), None)),
                // Which one is meant nobody knows; if it matters, the schema refuses it.
                _ => {
                    let message = format!("{} can be two dates", quote(text));
                    let help = Some("name the one form that its source writes".to_owned());
                    return Err(Refusal { code: codes::AMBIGUOUS_DATE, message, help, weight: Weight::Remark });
                }
            }
        }
        Action::Set(expression) => {
            let empty = Map::new();
            let over = [("value", value), ("payload", payload)];
            let scope = Scope::new(object.as_object().unwrap_or(&empty), &over);
            match expression.eval_in(&scope) {
                Ok(made) => Some((made, None)),
                Err(error) => return Err(Refusal::of(format!("its expression fails: {error}"))),
            }
        }
    })
}

/// Each word begins with a capital and goes on without; words are set apart by blanks and hyphens.
fn title_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut begins = true;
    for c in text.chars() {
        if begins {
            // A letter whose capital is two letters begins with the first of them.
            let mut capital = c.to_uppercase();
            out.extend(capital.next());
            out.extend(capital.flat_map(char::to_lowercase));
        } else {
            out.extend(c.to_lowercase());
        }
        begins = c.is_whitespace() || c == '-';
    }
    out
}

fn trimmed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An exact decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Factor {
    digits: i128,
    /// How many of the digits stand behind the point.
    places: u32,
}

impl Factor {
    /// Reads a decimal, with or without an exponent.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let joined = format!("{whole}{fraction}");
        let digits_only = joined.strip_prefix('-').unwrap_or(&joined);
        if digits_only.is_empty() || !digits_only.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digits: i128 = joined.parse().ok()?;
        let places = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        match u32::try_from(places) {
            Ok(places) => (places <= 30).then_some(Self { digits, places }),
            Err(_) => {
                let shift = 10_i128.checked_pow(places.unsigned_abs())?;
                Some(Self { digits: digits.checked_mul(shift)?, places: 0 })
            }
        }
    }

    /// The product with a number, if it can be written exactly.
    pub(crate) fn times(self, number: &Number) -> Option<Number> {
        self.product(Self::read(&number.to_string())?)
    }

    /// The product with another decimal, if a number holds it exactly.
    pub(crate) fn product(self, other: Self) -> Option<Number> {
        let mut digits = self.digits.checked_mul(other.digits)?;
        let mut places = self.places + other.places;
        while places > 0 && digits % 10 == 0 {
            digits /= 10;
            places -= 1;
        }
        if places == 0 {
            let whole = i64::try_from(digits).ok().filter(|whole| whole.unsigned_abs() < 1 << 53)?;
            return Some(Number::from(whole));
        }
        let (sign, digits) = (if digits < 0 { "-" } else { "" }, digits.unsigned_abs().to_string());
        let padded = format!("{digits:0>width$}", width = places as usize + 1);
        let (whole, fraction) = padded.split_at_checked(padded.len() - places as usize)?;
        let text = format!("{sign}{whole}.{fraction}");
        let scaled = Number::from_f64(text.parse().ok()?)?;
        // What a float cannot hold is refused, not rounded.
        (Self::read(&scaled.to_string())?
            == Self {
                digits: if sign == "-" { -(digits.parse::<i128>().ok()?) } else { digits.parse().ok()? },
                places,
            })
        .then_some(scaled)
    }
}

/// Year, month and day.
pub(crate) type Date = (u16, u8, u8);

/// A form of a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DateForm {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Year,
    Month { padded: bool },
    Day { padded: bool },
    Literal(char),
}

impl DateForm {
    /// Reads a form such as `MM/DD/YYYY`; year, month and day must each stand in it once.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (part, length) = if rest.starts_with("YYYY") {
                (Part::Year, 4)
            } else if rest.starts_with("MM") {
                (Part::Month { padded: true }, 2)
            } else if rest.starts_with("DD") {
                (Part::Day { padded: true }, 2)
            } else if c == 'M' {
                (Part::Month { padded: false }, 1)
            } else if c == 'D' {
                (Part::Day { padded: false }, 1)
            } else if c.is_alphanumeric() {
                return None;
            } else {
                (Part::Literal(c), c.len_utf8())
            };
            parts.push(part);
            rest = rest.get(length..)?;
        }
        let count = |wanted: fn(&Part) -> bool| parts.iter().filter(|part| wanted(part)).count();
        let whole = count(|p| *p == Part::Year) == 1
            && count(|p| matches!(p, Part::Month { .. })) == 1
            && count(|p| matches!(p, Part::Day { .. })) == 1;
        whole.then_some(Self { parts })
    }

    /// The date that a text of this form is.
    pub(crate) fn dates(&self, text: &str) -> Option<Date> {
        let (mut year, mut month, mut day) = (0_u16, 0_u8, 0_u8);
        let mut rest = text;
        for part in &self.parts {
            rest = match part {
                Part::Literal(c) => rest.strip_prefix(*c)?,
                Part::Year => take(rest, 4, true, &mut year)?,
                Part::Month { padded } => take(rest, 2, *padded, &mut month)?,
                Part::Day { padded } => take(rest, 2, *padded, &mut day)?,
            };
        }
        (rest.is_empty() && is_date(year, month, day)).then_some((year, month, day))
    }

    /// A date in this form.
    pub(crate) fn write(&self, (year, month, day): Date) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(c) => out.push(*c),
                Part::Year => out.push_str(&format!("{year:04}")),
                Part::Month { padded: true } => out.push_str(&format!("{month:02}")),
                Part::Month { padded: false } => out.push_str(&month.to_string()),
                Part::Day { padded: true } => out.push_str(&format!("{day:02}")),
                Part::Day { padded: false } => out.push_str(&day.to_string()),
            }
        }
        out
    }
}

/// Takes so many digits, or as many as there are up to that.
fn take<'t, N: std::str::FromStr>(text: &'t str, most: usize, exact: bool, out: &mut N) -> Option<&'t str> {
    let digits = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    if digits == 0 || (exact && digits != most) {
        return None;
    }
    let (head, rest) = text.split_at_checked(digits)?;
    *out = head.parse().ok()?;
    Some(rest)
}

/// Whether there is such a day.
pub(crate) fn is_date(year: u16, month: u8, day: u8) -> bool {
    let leap = (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::{DateForm, Factor, title_case};
    use serde_json::{Number, json};

    #[track_caller]
    fn scaled(factor: &str, number: serde_json::Value, expected: Option<serde_json::Value>) {
        let number: Number = serde_json::from_value(number).unwrap();
        let made = Factor::read(factor).unwrap().times(&number).map(serde_json::Value::Number);
        assert_eq!(made, expected);
    }

    #[test]
    fn scaling_is_exact() {
        scaled("100", json!(12.5), Some(json!(1250)));
        scaled("0.01", json!(1250), Some(json!(12.5)));
        scaled("0.1", json!(3), Some(json!(0.3)));
        scaled("-2", json!(0.5), Some(json!(-1)));
        scaled("1e3", json!(1.5), Some(json!(1500)));
        scaled("1000000000", json!(9_007_199_254_740_991_i64), None);
        assert!(Factor::read("ten").is_none() && Factor::read("").is_none() && Factor::read("1.2.3").is_none());
    }

    #[test]
    fn dates_are_read_and_written() {
        let us = DateForm::read("MM/DD/YYYY").unwrap();
        assert_eq!(us.dates("02/29/2024"), Some((2024, 2, 29)));
        assert_eq!(us.dates("02/30/2024"), None);
        assert_eq!(us.dates("2/3/2024"), None);
        assert_eq!(DateForm::read("D.M.YYYY").unwrap().dates("2.3.2024"), Some((2024, 3, 2)));
        assert_eq!(DateForm::read("YYYY-MM-DD").unwrap().write((2024, 3, 2)), "2024-03-02");
        assert!(DateForm::read("MM/YYYY").is_none() && DateForm::read("DD mon YYYY").is_none());
        assert_eq!(title_case("anna-maria VAN dyke"), "Anna-Maria Van Dyke");
    }
}
