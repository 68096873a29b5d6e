//! The rubric of an evaluation: a text, criteria, or both.

use super::bad;
use crate::bridge::error::BridgeError;
use deed_ports::RubricCriterion;
use serde_json::Value;
use std::collections::BTreeSet;

/// The longest rubric.
const MOST_CRITERIA: usize = 100;
/// The longest name of a criterion.
const LONGEST_ID: usize = 200;

/// The general request and the criteria: the bundle's first, then those of the call. A text alone is
/// one criterion.
pub(super) fn read(
    of_bundle: Option<&Value>,
    of_call: Option<&Value>,
) -> Result<(Option<String>, Vec<RubricCriterion>), BridgeError> {
    let mut texts = Vec::new();
    let mut criteria = Vec::new();
    for rubric in [of_bundle, of_call].into_iter().flatten() {
        match rubric {
            Value::String(text) if !text.trim().is_empty() => texts.push(text.clone()),
            Value::Array(list) => add(&mut criteria, list)?,
            Value::Object(members) => {
                if let Some(other) = members.keys().find(|key| !["criteria", "text"].contains(&key.as_str())) {
                    return Err(bad(format!(
                        "`rubric` is {{criteria: [...], text}}, and has no `{}`",
                        other.escape_debug()
                    )));
                }
                match members.get("text") {
                    None | Some(Value::Null) => {}
                    Some(Value::String(text)) if !text.trim().is_empty() => texts.push(text.clone()),
                    Some(_) => return Err(bad("`text` of a rubric is a text")),
                }
                match members.get("criteria") {
                    Some(Value::Array(list)) => add(&mut criteria, list)?,
                    None if members.contains_key("text") => {}
                    _ => return Err(bad("`criteria` of a rubric is a list")),
                }
            }
            _ => return Err(bad("`rubric` is a text, {criteria: [...]} or a list of criteria")),
        }
    }
    if criteria.is_empty() {
        criteria.extend(texts.iter().map(|text| plain(text)));
    }
    if criteria.is_empty() || criteria.len() > MOST_CRITERIA {
        return Err(bad(format!("a rubric has 1 to {MOST_CRITERIA} criteria")));
    }
    let mut ids = BTreeSet::new();
    if let Some(twice) = criteria.iter().find(|criterion| !ids.insert(&criterion.id)) {
        return Err(bad(format!("two criteria are called `{}`", twice.id.escape_debug())));
    }
    let instructions = (!texts.is_empty()).then(|| texts.join("\n"));
    Ok((instructions, criteria))
}

fn add(criteria: &mut Vec<RubricCriterion>, list: &[Value]) -> Result<(), BridgeError> {
    for criterion in list {
        criteria.push(match criterion {
            Value::String(text) if !text.trim().is_empty() => plain(text),
            Value::Object(members) => {
                if let Some(other) = members.keys().find(|key| !["id", "text", "rule"].contains(&key.as_str())) {
                    return Err(bad(format!(
                        "a criterion is {{id, text, rule}}, and has no `{}`",
                        other.escape_debug()
                    )));
                }
                let text = |name: &str| members.get(name).and_then(Value::as_str).map(str::to_owned);
                let id = text("id").filter(|id| !id.is_empty()).ok_or_else(|| bad("a criterion has an `id`"))?;
                let rule = members.get("rule").filter(|rule| !rule.is_null()).cloned();
                RubricCriterion { id, text: text("text").unwrap_or_default(), rule }
            }
            _ => return Err(bad("a criterion is a text or {id, text, rule}")),
        });
    }
    Ok(())
}

/// Derives the name of a criterion from its text.
fn plain(text: &str) -> RubricCriterion {
    RubricCriterion { id: text.trim().chars().take(LONGEST_ID).collect(), text: text.trim().to_owned(), rule: None }
}
