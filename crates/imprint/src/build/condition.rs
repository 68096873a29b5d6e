//! `if` → tests of keys: the conditions on an object that a template can show.

use super::gather::same;
use crate::template::{KeyTest, Types};
use deed_schema::Spot;
use serde_json::Value;

/// Values that one condition may list before it costs more than it tells.
const MOST_VALUES: usize = 32;
/// Levels of `allOf`, `not` and references that a condition is followed through.
const DEEPEST: usize = 8;
/// Keywords that say nothing of what is valid.
const REMARKS: [&str; 5] = ["$comment", "title", "description", "default", "examples"];

/// A condition: all of the tests, or with `negated` not all of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    pub(super) tests: Vec<KeyTest>,
    pub(super) negated: bool,
}

/// Reads a condition; `None` if it asks for more than the values of some keys.
pub(super) fn read(spot: &Spot<'_>) -> Option<Condition> {
    let condition = read_at(spot, 0)?;
    let values: usize = condition.tests.iter().map(|test| test.values.len()).sum();
    (!condition.tests.is_empty() && values <= MOST_VALUES).then_some(condition)
}

fn read_at(spot: &Spot<'_>, depth: usize) -> Option<Condition> {
    let map = spot.value().as_object().filter(|_| depth < DEEPEST)?;
    if let Some((_, target)) = spot.reference() {
        let alone = map.keys().all(|key| key == "$ref" || REMARKS.contains(&key.as_str()));
        return if alone { read_at(&target.ok()?, depth + 1) } else { None };
    }
    let known = ["properties", "required", "type", "allOf", "anyOf", "not"];
    if !map.keys().all(|key| known.contains(&key.as_str()) || REMARKS.contains(&key.as_str())) {
        return None;
    }
    if map.get("type").is_some_and(|t| t.as_str() != Some("object")) {
        return None;
    }
    let mut tests = Vec::new();
    for (name, property) in spot.named("properties") {
        tests.extend(of_property(name, &property)?);
    }
    for name in map.get("required").and_then(Value::as_array).into_iter().flatten() {
        tests.push(KeyTest { name: name.as_str()?.to_owned(), values: Vec::new(), absent: true, negated: true });
    }
    for part in spot.list("allOf") {
        let inner = read_at(&part, depth + 1).filter(|inner| !inner.negated || inner.tests.len() == 1)?;
        tests.extend(inner.flattened());
    }
    let variants = spot.list("anyOf");
    if !variants.is_empty() {
        tests.push(any_of(&variants, depth)?);
    }
    merge(&mut tests);
    match spot.one("not") {
        None => Some(Condition { tests, negated: false }),
        Some(not) => {
            let inner = read_at(&not, depth + 1).filter(|inner| !inner.tests.is_empty())?;
            let opposite = Condition { negated: !inner.negated, tests: inner.tests };
            if tests.is_empty() {
                return Some(opposite);
            }
            tests.extend(Some(opposite).filter(|opposite| opposite.tests.len() == 1)?.flattened());
            merge(&mut tests);
            Some(Condition { tests, negated: false })
        }
    }
}

impl Condition {
    /// The tests of a condition that holds where all of them hold; a single one is turned around where it is negated.
    fn flattened(self) -> Vec<KeyTest> {
        let negated = self.negated;
        self.tests.into_iter().map(|test| KeyTest { negated: test.negated != negated, ..test }).collect()
    }
}

/// The test that one property makes: it holds where the key is absent too. None if any value passes.
fn of_property(name: &str, property: &Spot<'_>) -> Option<Option<KeyTest>> {
    let positive = |values: Vec<Value>| KeyTest { name: name.to_owned(), values, absent: true, negated: false };
    if property.value() == &Value::Bool(true) {
        return Some(None);
    }
    let map = property.value().as_object()?;
    let asks: Vec<&str> = map.keys().map(String::as_str).filter(|key| !REMARKS.contains(key)).collect();
    if asks.is_empty() {
        return Some(None);
    }
    if asks == ["not"] {
        let not = property.one("not")?;
        let values = listed(&not)?;
        return Some(Some(KeyTest { name: name.to_owned(), values, absent: false, negated: true }));
    }
    Some(Some(positive(listed(property)?)))
}

/// The values that a schema lists, if it asks for nothing else.
fn listed(spot: &Spot<'_>) -> Option<Vec<Value>> {
    let map = spot.value().as_object()?;
    let known = ["const", "enum", "type"];
    if !map.keys().all(|key| known.contains(&key.as_str()) || REMARKS.contains(&key.as_str())) {
        return None;
    }
    let types = match map.get("type") {
        None => Types::ALL,
        Some(Value::String(name)) => Types::named(name)?,
        Some(Value::Array(names)) => {
            names.iter().filter_map(|name| Types::named(name.as_str()?)).fold(Types::NONE, |a, b| a | b)
        }
        Some(_) => return None,
    };
    let values = match (spot.keyword("const"), map.get("enum").and_then(Value::as_array)) {
        (Some(constant), None) => vec![constant.clone()],
        (None, Some(list)) => list.clone(),
        (None, None) if types == Types::NULL => vec![Value::Null],
        _ => return None,
    };
    let values: Vec<Value> = values.into_iter().filter(|value| types.has(Types::of(value))).collect();
    let scalar = |value: &Value| !value.is_object() && !value.is_array();
    (!values.is_empty() && values.iter().all(scalar)).then_some(values)
}

/// A union whose variants all ask for the value of one and the same key.
fn any_of(variants: &[Spot<'_>], depth: usize) -> Option<KeyTest> {
    let mut all: Option<KeyTest> = None;
    for variant in variants {
        let mut tests = read_at(variant, depth + 1).filter(|inner| !inner.negated)?.tests;
        let test = tests.pop().filter(|test| tests.is_empty() && !test.negated)?;
        all = Some(match all {
            None => test,
            Some(mut known) => {
                if known.name != test.name {
                    return None;
                }
                known.values.extend(test.values);
                known.absent |= test.absent;
                known
            }
        });
    }
    all
}

/// Folds "is given" into the other test of the same key.
fn merge(tests: &mut Vec<KeyTest>) {
    let is_given = |test: &KeyTest| test.negated && test.absent && test.values.is_empty();
    let given: Vec<String> = tests.iter().filter(|test| is_given(test)).map(|test| test.name.clone()).collect();
    for test in tests.iter_mut().filter(|test| !test.values.is_empty() && given.contains(&test.name)) {
        test.absent = test.negated;
    }
    let asked: Vec<String> =
        tests.iter().filter(|test| !test.values.is_empty()).map(|test| test.name.clone()).collect();
    tests.retain(|test| !is_given(test) || !asked.contains(&test.name));
    let mut kept: Vec<KeyTest> = Vec::new();
    for mut test in tests.drain(..) {
        let mut values: Vec<Value> = Vec::new();
        for value in std::mem::take(&mut test.values) {
            if !values.iter().any(|known| same(known, &value)) {
                values.push(value);
            }
        }
        test.values = values;
        if !kept.contains(&test) {
            kept.push(test);
        }
    }
    *tests = kept;
}
