//! Checks every row of a table, in one pass.

use super::Demand;
use super::rows::each_row;
use deed_adapters::Input;
use deed_canon::to_canonical;
use deed_detect::CharClass;
use deed_diag::Invariant as _;
use deed_model::ValidatorCheck;
use deed_schema::{Schema, Violation};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use unicode_normalization::UnicodeNormalization as _;

/// Returns the first violation of each check in the rows.
pub(super) fn check(
    demand: &Demand<'_>,
    asked: &[ValidatorCheck],
    entity: Option<&(Schema, Value)>,
    input: &mut dyn Input,
) -> Vec<(ValidatorCheck, String)> {
    let kind = demand.kind.invariant("a table has a kind").as_str();
    let mut pass =
        Pass { demand, schema: entity.map(|(schema, _)| schema), asked, seen: HashSet::new(), found: HashMap::new() };
    let row = entity.map(|(_, schema)| schema);
    let read = each_row(kind, input, row, &mut |number, row| pass.row(number, row));
    if let Err(why) = read {
        let untyped: Vec<ValidatorCheck> =
            asked.iter().copied().filter(|check| *check != ValidatorCheck::EntitySchema).collect();
        if row.is_some() && untyped.len() < asked.len() {
            // A cell that is not of its type violates the entity; the other checks can do without types.
            pass.say(ValidatorCheck::EntitySchema, why);
            let mut found = pass.found;
            found.extend(self::check(demand, &untyped, None, input));
            let mut found: Vec<_> = found.into_iter().collect();
            found.sort();
            return found;
        }
        asked.iter().for_each(|check| pass.say(*check, why.clone()));
    }
    let mut found: Vec<_> = pass.found.into_iter().collect();
    found.sort();
    found
}

struct Pass<'p, 'd> {
    demand: &'p Demand<'d>,
    schema: Option<&'p Schema>,
    asked: &'p [ValidatorCheck],
    /// Hashes of the grains that were seen.
    seen: HashSet<[u8; 16]>,
    found: HashMap<ValidatorCheck, String>,
}

impl Pass<'_, '_> {
    fn row(&mut self, number: u64, row: Map<String, Value>) -> bool {
        if self.wants(ValidatorCheck::Fields) {
            let missing = self.demand.rows_have.iter().find(|field| !row.contains_key(field.as_str()));
            if let Some(field) = missing {
                self.say(ValidatorCheck::Fields, format!("row {number} has no `{field}`"));
            }
        }
        if self.wants(ValidatorCheck::Provenance)
            && let Some(field) = self.demand.provenance.iter().find(|field| says_nothing(row.get(field.as_str())))
        {
            self.say(ValidatorCheck::Provenance, format!("row {number} does not say its `{field}`"));
        }
        if self.wants(ValidatorCheck::UniqueGrain) && !self.demand.grain.is_empty() {
            self.grain(number, &row);
        }
        if self.wants(ValidatorCheck::EntitySchema)
            && let Some(schema) = self.schema
            && let Some(why) = violation(schema, &Value::Object(row))
        {
            self.say(ValidatorCheck::EntitySchema, format!("row {number}: {why}"));
        }
        self.asked.iter().any(|check| !self.found.contains_key(check))
    }

    fn grain(&mut self, number: u64, row: &Map<String, Value>) {
        let key: Vec<Value> =
            self.demand.grain.iter().map(|field| composed(row.get(field).unwrap_or(&Value::Null))).collect();
        let bytes = match to_canonical(&Value::Array(key)) {
            Ok(bytes) => bytes,
            // A key that cannot be compared is not known to be unique.
            Err(error) => {
                let grain = self.demand.grain.join(", ");
                return self
                    .say(ValidatorCheck::UniqueGrain, format!("{grain} of row {number} cannot be compared: {error}"));
            }
        };
        let hash = deed_canon::ContentHash::of_bytes(&bytes);
        let mut short = [0; 16];
        short.iter_mut().zip(hash.as_bytes()).for_each(|(to, from)| *to = *from);
        if !self.seen.insert(short) {
            let shown = String::from_utf8_lossy(&bytes).chars().take(80).collect::<String>();
            let grain = self.demand.grain.join(", ");
            self.say(ValidatorCheck::UniqueGrain, format!("row {number} has the same {grain} as one before: {shown}"));
        }
    }

    fn wants(&self, check: ValidatorCheck) -> bool {
        self.asked.contains(&check) && !self.found.contains_key(&check)
    }

    fn say(&mut self, check: ValidatorCheck, why: String) {
        self.found.entry(check).or_insert(why);
    }
}

/// A value of a key in the form in which it is compared: the same text in composed and decomposed letters is one key.
fn composed(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.nfc().collect()),
        Value::Array(items) => Value::Array(items.iter().map(composed).collect()),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, member)| (name.clone(), composed(member))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn says_nothing(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.chars().all(is_blank),
        // A source without a name is none.
        Some(Value::Array(items)) => items.is_empty() || items.iter().any(|item| says_nothing(Some(item))),
        Some(Value::Object(members)) => members.values().all(|member| says_nothing(Some(member))),
        Some(Value::Bool(_) | Value::Number(_)) => false,
    }
}

/// Returns whether a character shows nothing: a blank, a control character, or one that only formats its neighbours.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || CharClass::of(letter) != CharClass::Plain
}

/// The number of violations of one value that are named.
const MOST_NAMED: usize = 4;

/// The things that a value violates, in words that do not repeat the value.
pub(super) fn violation(schema: &Schema, value: &Value) -> Option<String> {
    match schema.is_valid(value) {
        Ok(true) => return None,
        Ok(false) => {}
        Err(refused) => return Some(format!("the schema cannot be used: {refused}")),
    }
    // One more is asked for than is named, so that it is known whether there are more.
    match schema.violations_up_to(value, MOST_NAMED + 1) {
        Ok(violations) => Some(named(&violations)),
        Err(refused) => Some(format!("the schema cannot be used: {refused}")),
    }
}

fn named(violations: &[Violation]) -> String {
    // Where there are more than were asked for, one item says so and names nothing.
    let names = |found: &&Violation| violations.len() <= MOST_NAMED || !found.pointer.is_empty() || found.key.is_some();
    let words = |found: &Violation| match found.pointer.as_str() {
        "" => found.message.clone(),
        at => format!("{at}: {}", found.message),
    };
    let all: Vec<String> = violations.iter().filter(names).map(words).collect();
    match all.split_at_checked(MOST_NAMED) {
        Some((shown, more)) if !more.is_empty() => format!("{}; and more", shown.join("; ")),
        _ if all.is_empty() => "it does not fit".to_owned(),
        _ => all.join("; "),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use serde_json::json;

    #[test]
    fn a_blank_source_is_no_source() {
        for nothing in [
            json!(null),
            json!(""),
            json!("  "),
            json!([]),
            json!([""]),
            json!(["  "]),
            json!(["a", ""]),
            json!("\u{200b}"),
            json!("\u{ad}\u{fe0f}\u{202e}"),
            json!(["\u{2060}"]),
        ] {
            assert!(says_nothing(Some(&nothing)), "{nothing}");
        }
        for nothing in [json!([null]), json!([[]]), json!({}), json!({ "path": "" })] {
            assert!(says_nothing(Some(&nothing)), "{nothing}");
        }
        for source in [json!("a"), json!(["a"]), json!(0), json!({ "path": "a", "line": null })] {
            assert!(!says_nothing(Some(&source)), "{source}");
        }
    }

    #[test]
    fn a_key_in_other_letters_is_the_same_key() {
        let grain = ["id".to_owned()];
        let demand = Demand { grain: &grain, ..demand() };
        let asked = [ValidatorCheck::UniqueGrain];
        let mut pass =
            Pass { demand: &demand, schema: None, asked: &asked, seen: HashSet::new(), found: HashMap::new() };
        let row = |id: &str| json!({ "id": [id] }).as_object().unwrap().clone();
        assert!(pass.row(1, row("caf\u{e9}")));
        assert!(!pass.row(2, row("cafe\u{301}")));
        assert!(pass.found[&ValidatorCheck::UniqueGrain].starts_with("row 2 has the same id as one before"));
    }

    fn demand() -> Demand<'static> {
        Demand {
            kind: None,
            format: None,
            entity: None,
            entity_hash: None,
            derived: None,
            fields: Vec::new(),
            rows_have: Vec::new(),
            grain: &[],
            provenance: Vec::new(),
        }
    }

    #[test]
    fn a_key_that_cannot_be_compared_is_not_unique() {
        let grain = ["id".to_owned()];
        let demand = Demand { grain: &grain, ..demand() };
        let asked = [ValidatorCheck::UniqueGrain];
        let mut pass =
            Pass { demand: &demand, schema: None, asked: &asked, seen: HashSet::new(), found: HashMap::new() };
        let row = |id: u64| json!({ "id": id }).as_object().unwrap().clone();
        assert!(pass.row(1, row(1)));
        assert!(!pass.row(2, row(1 << 60)));
        let found = &pass.found[&ValidatorCheck::UniqueGrain];
        assert!(found.starts_with("id of row 2 cannot be compared: "), "{found}");
    }
}
