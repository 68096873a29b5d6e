//! L0b, synonyms: configured names enter, canonical ones leave.
//!
//! A name matches in any style: `customerId` is the configured `customer_id`. A key that a rule lists exactly, or that
//! the schema knows, is never taken for another spelling. A synonym beside its canonical name, and a key that several
//! rules claim, are refused: the rung does not choose.

use crate::climb::{Cx, Draft, Finding, Inputs, Output};
use crate::edits::Cause;
use crate::ladder::{Ladder, SynonymRule};
use crate::naming::folds_to;
use deed_canon::Pointer;
use deed_diag::{codes, quote};
use deed_model::Rung;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Gives synonyms their canonical names.
pub(crate) fn rename(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let ladder = cx.ladder;
    let mut draft = Draft::new(inputs);
    contested(ladder, &mut draft);
    for rule in &ladder.synonyms {
        let payload = draft.payload();
        let mut found: Vec<(String, Vec<String>, Option<String>)> = Vec::new();
        rule.at.each(payload, &mut |at, value| {
            let Value::Object(map) = value else { return };
            let names = matching(ladder, rule, payload, at, map);
            if !names.is_empty() {
                found.push((at.to_owned(), names, canonical(rule, map)));
            }
        });
        // Deeper objects first, so that a renamed one above does not move those beneath.
        for (at, names, taken) in found.into_iter().rev() {
            apply(&mut draft, &at, &names, &rule.to, taken);
        }
    }
    draft.into_output()
}

/// The key of an object that is the canonical name of a rule, in any style.
fn canonical(rule: &SynonymRule, map: &Map<String, Value>) -> Option<String> {
    if map.contains_key(&rule.to) {
        return Some(rule.to.clone());
    }
    map.keys().find(|key| folds_to(key, &rule.folded_to) && !rule.from.contains(*key)).cloned()
}

/// The keys of an object that are synonyms of a rule: exact ones, and other spellings that no rule contests.
fn matching(ladder: &Ladder, rule: &SynonymRule, payload: &Value, at: &str, map: &Map<String, Value>) -> Vec<String> {
    let is = |key: &&String| {
        rule.from.contains(*key)
            || (is_spelling(rule, key)
                && !is_known(ladder, payload, at, key)
                && !is_listed(ladder, at, key)
                && targets(ladder, at, key).len() == 1)
    };
    map.keys().filter(is).cloned().collect()
}

/// Whether a key is another spelling of a name that a rule lists.
fn is_spelling(rule: &SynonymRule, key: &str) -> bool {
    key != rule.to && rule.folded.iter().any(|name| folds_to(key, name))
}

/// Whether a rule lists a key as it is written, as a synonym or as a canonical name.
fn is_listed(ladder: &Ladder, at: &str, key: &str) -> bool {
    let here = ladder.synonyms.iter().filter(|rule| rule.at.is_at(at));
    here.into_iter().any(|rule| rule.to == key || rule.from.iter().any(|name| name == key))
}

fn is_known(ladder: &Ladder, payload: &Value, at: &str, key: &str) -> bool {
    let object = payload.pointer(at).unwrap_or(&Value::Null);
    let expected = ladder.imprint.expected().along(payload, at);
    expected.keys(object).iter().any(|known| known.name == key)
}

/// The canonical names that rules at a place give to a spelling.
fn targets<'l>(ladder: &'l Ladder, at: &str, key: &str) -> BTreeSet<&'l str> {
    let here = ladder.synonyms.iter().filter(|rule| rule.at.is_at(at) && is_spelling(rule, key));
    here.map(|rule| rule.to.as_str()).collect()
}

/// The rule that gives a key at a place its canonical name.
pub(crate) fn rule_for<'l>(ladder: &'l Ladder, at: &str, key: &str) -> Option<&'l SynonymRule> {
    let mut here = ladder.synonyms.iter().filter(|rule| rule.at.is_at(at));
    here.clone().find(|rule| rule.from.iter().any(|name| name == key)).or_else(|| {
        let spelled = targets(ladder, at, key).len() == 1 && !is_listed(ladder, at, key);
        here.find(|rule| spelled && is_spelling(rule, key))
    })
}

/// Refuses keys that are spellings of synonyms with different meanings.
fn contested(ladder: &Ladder, draft: &mut Draft<'_>) {
    if !ladder.contested_synonyms {
        return;
    }
    let payload = draft.payload();
    let mut found: Vec<(String, String, Vec<String>)> = Vec::new();
    for rule in &ladder.synonyms {
        rule.at.each(payload, &mut |at, value| {
            let keys = value.as_object().into_iter().flat_map(Map::keys);
            for key in keys.filter(|key| is_spelling(rule, key) && !is_listed(ladder, at, key)) {
                let targets = targets(ladder, at, key);
                if targets.len() > 1 && !is_known(ladder, payload, at, key) {
                    let named = targets.into_iter().map(quote).collect();
                    found.push((Pointer::push(at, key), key.clone(), named));
                }
            }
        });
    }
    found.sort();
    found.dedup();
    for (at, key, named) in found {
        let message = format!("{} is a spelling of synonyms of {}", quote(&key), named.join(" and "));
        let help = "write the synonym as the contract lists it";
        draft.find(Finding::blocking(Rung::L0b, codes::SYNONYM_TAKEN, &at, message).help(help));
    }
}

fn apply(draft: &mut Draft<'_>, at: &str, names: &[String], to: &str, taken: Option<String>) {
    let ([name], None) = (names, &taken) else {
        let all: Vec<String> = names.iter().chain(&taken).map(|name| quote(name)).collect();
        let message = format!("{} all mean {}", all.join(" and "), quote(to));
        let finding = Finding::blocking(Rung::L0b, codes::SYNONYM_TAKEN, at, message);
        draft.find(finding.help("keep one of them").rule(to));
        return;
    };
    if !draft.is_free(&Pointer::push(at, name)) {
        return;
    }
    let rule = format!("{name}→{to}");
    let cause = Cause { rung: Rung::L0b, rule: &rule, confidence: 1000, why: "the contract lists it as a synonym" };
    draft.rename(at, (name, to), cause);
}
