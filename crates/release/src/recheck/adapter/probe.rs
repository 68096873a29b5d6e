//! Probes: values that the bounds of a pack admit, tried against the schema of the operation.
//!
//! Enters: the bounds of one argument, and its schema. Leaves: how the two do not fit. Must prove: a schema that takes none of
//! the probes, or not the ends of the bounds, is found, whatever keywords it is written with.

use super::samples;
use deed_model::ArgConstraint;
use deed_schema::Schema;
use serde_json::{Number, Value, json};

/// How bounds and schema do not fit.
#[derive(Debug)]
pub(super) enum Misfit {
    /// The operation refuses what the pack bounds the argument by.
    Refused(String),
    /// The operation refuses some of what the pack admits.
    Narrower(String),
}

/// A value that the pack admits.
struct Probe {
    value: Value,
    /// True for an end of the bounds or a listed value, which the pack states itself.
    stated: bool,
}

/// Tries the bounds of an argument. `seen` are values of the argument that golden cases tie it to.
pub(super) fn misfits(name: &str, bound: &ArgConstraint, seen: &[Value], schema: Value) -> Vec<Misfit> {
    if schema == Value::Bool(false) {
        return vec![Misfit::Refused("the operation takes no value at all".to_owned())];
    }
    let compiled = match Schema::new(schema) {
        Ok(compiled) => compiled,
        Err(refused) => return vec![Misfit::Refused(format!("the schema of the operation cannot be used: {refused}"))],
    };
    let probes = probes(name, bound, seen);
    let (mut refused, mut narrower, mut taken) = (Vec::new(), Vec::new(), 0usize);
    for probe in &probes {
        match compiled.is_valid(&probe.value) {
            Ok(true) => taken += 1,
            Ok(false) if probe.stated => {
                let value = shown(&probe.value);
                refused.push(Misfit::Refused(format!("the pack admits {value}, and the operation does not")));
            }
            Ok(false) => narrower.push(shown(&probe.value)),
            Err(error) => refused.push(Misfit::Refused(format!(
                "it is not known whether the operation takes {}: {error}",
                shown(&probe.value)
            ))),
        }
    }
    if probes.is_empty() {
        return Vec::new();
    }
    if taken == 0 {
        let tried: Vec<String> = probes.iter().take(3).map(|probe| shown(&probe.value)).collect();
        let tried = tried.join(", ");
        return vec![Misfit::Refused(format!("the operation takes none of the values that the pack admits: {tried}"))];
    }
    if let Some(first) = narrower.first().filter(|_| refused.is_empty()) {
        refused.push(Misfit::Narrower(format!("the pack admits {first} among others, and the operation does not")));
    }
    refused
}

/// A value in a message.
fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(MOST).and_then(|(at, _)| text.get(..at)) {
        Some(start) => format!("{start}…"),
        None => text,
    }
}

/// Returns values that the bounds admit, those that the pack states first.
fn probes(name: &str, bound: &ArgConstraint, seen: &[Value]) -> Vec<Probe> {
    let mut probes: Vec<Probe> = Vec::new();
    let mut push = |value: Value, stated: bool| {
        if admits(bound, &value) && !probes.iter().any(|probe| probe.value == value) {
            probes.push(Probe { value, stated });
        }
    };
    bound.allowed.iter().for_each(|value| push(value.clone(), true));
    if let Some(constant) = bound.equals.as_ref().filter(|value| !value.is_object()) {
        push(constant.clone(), true);
    }
    seen.iter().for_each(|value| push(value.clone(), true));
    if !bound.allowed.is_empty() {
        return probes;
    }
    let number = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
    let (min, max) = (number(&bound.min), number(&bound.max));
    let range = match (min, max) {
        (Some(min), Some(max)) => Some((min, max)),
        (Some(min), None) => Some((min, min + 1000.0)),
        (None, Some(max)) => Some((max - 1000.0, max)),
        (None, None) => None,
    };
    if let Some((least, most)) = range {
        [&bound.min, &bound.max].into_iter().flatten().for_each(|end| push(Value::Number(end.clone()), true));
        for part in [0.25, 0.5, 0.75] {
            let between = least + (most - least) * part;
            push(json!(between.floor()), false);
            push(whole(between.floor()), false);
        }
        push(whole(least.ceil() + 1.0), false);
        push(json!(least.floor() + 0.5), false);
        push(json!(least.floor() + 1.25), false);
    } else if let Some(pattern) = &bound.pattern {
        samples::matching(pattern).into_iter().for_each(|text| push(Value::String(text), false));
    } else if let Some(most) = bound.max_length {
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(4096);
        push(Value::String("a".repeat(most)), true);
        push(Value::String("a".to_owned()), false);
    } else if name == "idempotency_key" {
        // The runtime makes it, and it is a text.
        push(Value::String("idem-0123456789abcdef".to_owned()), true);
    }
    probes
}

/// Returns a whole number as an integer.
fn whole(value: f64) -> Value {
    #[allow(clippy::cast_possible_truncation, reason = "documents hold no integer beyond 2^53")]
    let integer = value.clamp(-9e15, 9e15) as i64;
    Value::from(integer)
}

/// Returns true if the bounds admit a value, as far as they are not tied to a request.
fn admits(bound: &ArgConstraint, value: &Value) -> bool {
    let limit = |limit: &Option<Number>| limit.as_ref().and_then(Number::as_f64);
    let (min, max) = (limit(&bound.min), limit(&bound.max));
    let number = match (value.as_f64(), min.is_some() || max.is_some()) {
        (Some(number), _) => min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max),
        (None, bounded) => !bounded,
    };
    let is_text = bound.pattern.is_some() || bound.max_length.is_some();
    let text = match value.as_str() {
        Some(text) => bound.max_length.is_none_or(|most| text.chars().count() as u64 <= most),
        None => !is_text,
    };
    let listed = bound.allowed.is_empty() || bound.allowed.contains(value);
    let constant = bound.equals.as_ref().filter(|value| !value.is_object());
    number && text && listed && constant.is_none_or(|constant| constant == value)
}
