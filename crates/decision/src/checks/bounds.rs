//! Bounds: an output with the name of a bounded argument is a value that a capability takes.
//!
//! A decision names no capability. Whatever it acts through is surfaced and does more than read, so an output that no such
//! capability takes as its argument of that name cannot be acted upon.

use super::Cx;
use crate::sheet::Sheet;
use deed_detect::CustomPattern;
use deed_diag::Invariant as _;
use deed_model::{ApprovalMode, ArgConstraint, CriticVerdict};
use serde_json::{Number, Value};
use std::collections::BTreeMap;

/// A capability, and every bound of one of its arguments.
type Takes<'c> = (String, Vec<&'c ArgConstraint>);

/// Requires that every output which the pack ties or bounds as an argument is one that a surfaced capability takes.
pub(super) fn check(cx: Cx<'_>, sheet: &mut Sheet) {
    for (name, capabilities) in bounded(cx) {
        // What is left out is no value that could be wrong.
        let Some(value) = cx.claim.outputs.get(name).filter(|value| !value.is_null()) else { continue };
        let judged = capabilities.iter().map(|(capability, bounds)| (strictest(cx, bounds, value), capability, bounds));
        // The capability that asks for least decides; of equals the first by name.
        let least = judged.min_by_key(|(verdict, capability, _)| (*verdict, (*capability).clone()));
        let (verdict, capability, bounds) = least.invariant("a bounded argument is that of a capability");
        let pointer = format!("/outputs/{}", super::lineage::escaped(name));
        sheet.require(verdict == CriticVerdict::Accept, verdict, pointer, || match verdict {
            CriticVerdict::Reject => format!("the pack ties `{name}` of {capability} to {}", tie(bounds)),
            _ => format!("it is outside the bounds of `{name}` of {capability}"),
        });
    }
}

/// Returns the bounded arguments by name, each with the surfaced capabilities that have such an argument.
fn bounded<'c>(cx: Cx<'c>) -> BTreeMap<&'c str, Vec<Takes<'c>>> {
    let mut found: BTreeMap<&str, BTreeMap<String, Vec<&ArgConstraint>>> = BTreeMap::new();
    for entry in &cx.inputs.context.manifests.tool_manifest {
        let acting = entry.capability_metadata.iter().filter(|(_, data)| data.declared_mode > ApprovalMode::ReadOnly);
        for (capability, data) in acting {
            let all = data.arg_constraints.iter().flat_map(|bounds| bounds.arguments.iter());
            for (argument, bound) in all {
                let of = found.entry(argument.as_str()).or_default();
                of.entry(format!("{}.{capability}", entry.adapter_id)).or_default().push(bound);
            }
        }
    }
    found.into_iter().map(|(name, capabilities)| (name, capabilities.into_iter().collect())).collect()
}

/// Judges a value by every bound of one capability.
fn strictest(cx: Cx<'_>, bounds: &[&ArgConstraint], value: &Value) -> CriticVerdict {
    let judge = |bound: &&ArgConstraint| match (is_tied(cx, bound, value), is_within(bound, value)) {
        (false, _) => CriticVerdict::Reject,
        (true, false) => CriticVerdict::Replan,
        (true, true) => CriticVerdict::Accept,
    };
    bounds.iter().map(judge).max().invariant("a capability is listed for a bound of it")
}

/// Returns true if a value is the one that an argument is tied to. The context shows it redacted, so a fact of the request
/// that reads so when it is redacted is the value itself.
fn is_tied(cx: Cx<'_>, bound: &ArgConstraint, value: &Value) -> bool {
    let Some(equals) = &bound.equals else { return true };
    let is_fact = || cx.inputs.facts.values().any(|fact| super::lineage::is_same(fact, value));
    super::lineage::is_same(equals, value) || (is_redacted(equals) && is_fact())
}

/// Returns true if a text has the mark of a redaction.
fn is_redacted(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains("[redacted:"))
}

fn tie(bounds: &[&ArgConstraint]) -> String {
    match bounds.iter().find_map(|bound| bound.equals.as_ref()) {
        Some(value @ (Value::Number(_) | Value::Bool(_))) => value.to_string(),
        Some(_) | None => "another value".to_owned(),
    }
}

fn is_within(bound: &ArgConstraint, value: &Value) -> bool {
    let number = |limit: &Option<Number>| limit.as_ref().map(Number::as_f64);
    let compare = |limit: Option<Option<f64>>, holds: fn(f64, f64) -> bool| match limit {
        None => true,
        Some(limit) => limit.zip(value.as_f64()).is_some_and(|(limit, value)| holds(value, limit)),
    };
    let length = value.as_str().map(|text| text.chars().count() as u64);
    compare(number(&bound.min), |value, min| value >= min)
        && compare(number(&bound.max), |value, max| value <= max)
        && (bound.allowed.is_empty() || bound.allowed.iter().any(|one| super::lineage::is_same(one, value)))
        && bound.pattern.as_deref().is_none_or(|pattern| is_matched(pattern, value))
        && bound.max_length.is_none_or(|limit| length.is_some_and(|length| length <= limit))
}

/// Returns true if the whole text matches; an unusable expression matches nothing.
fn is_matched(pattern: &str, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    let whole = CustomPattern::new("argument", &format!("^(?:{pattern})$"));
    whole.is_ok_and(|pattern| pattern.scan(text).iter().any(|found| found.range == (0..text.len())))
}
