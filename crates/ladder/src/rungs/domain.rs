//! L5, domain: ranges, cross-field, conditional and aggregate rules, each in strict JsonLogic.
//!
//! A rule that cannot be judged counts as broken. A payload that its schema refuses is not judged further.

use super::holds;
use crate::climb::{Cx, Draft, Finding, Inputs, Output, Weight};
use crate::ladder::{DomainCheck, Ladder};
use deed_diag::codes;
use deed_model::{LadderMode, RuleWeight, Rung};
use serde_json::Value;
use std::collections::BTreeSet;

/// Judges the payload by every rule.
pub(crate) fn check(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let mut draft = Draft::new(inputs);
    check_draft(cx, &mut draft);
    draft.into_output()
}

/// Judges a draft by every rule.
pub(crate) fn check_draft(cx: Cx<'_>, draft: &mut Draft<'_>) {
    // What conformance refuses is not judged further; what it only reports is.
    if !draft.is_valid(cx) && cx.mode(Rung::L4) == LadderMode::Block {
        return;
    }
    for check in &cx.ladder.domain {
        let mut broken = Vec::new();
        let payload = draft.payload();
        check.at.each(payload, &mut |at, value| match judge(check, value, payload) {
            Ok(true) => {}
            Ok(false) => broken.push((at.to_owned(), None)),
            Err(error) => broken.push((at.to_owned(), Some(error))),
        });
        for (at, error) in broken {
            let (code, message) = match error {
                None => (codes::DOMAIN_RULE_BROKEN, check.message.clone()),
                Some(error) => (codes::DOMAIN_RULE_FAILED, format!("{} (it cannot be judged: {error})", check.message)),
            };
            let weight = if check.weight == RuleWeight::Error { Weight::Blocks } else { Weight::Remark };
            draft.find(Finding::blocking(Rung::L5, code, &at, message).rule(&check.id).weight(weight));
        }
    }
}

/// The rules that refuse a payload, with their places.
pub(crate) fn broken(ladder: &Ladder, payload: &Value) -> BTreeSet<(String, String)> {
    let mut broken = BTreeSet::new();
    for check in ladder.domain.iter().filter(|check| check.weight == RuleWeight::Error) {
        check.at.each(payload, &mut |at, value| {
            if judge(check, value, payload) != Ok(true) {
                broken.insert((check.id.clone(), at.to_owned()));
            }
        });
    }
    broken
}

fn judge(check: &DomainCheck, value: &Value, payload: &Value) -> Result<bool, String> {
    if let Some(when) = &check.when
        && !holds(when, value, None, payload).map_err(|error| error.to_string())?
    {
        return Ok(true);
    }
    holds(&check.rule, value, None, payload).map_err(|error| error.to_string())
}
