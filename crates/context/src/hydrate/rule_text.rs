//! The text of a fired rule for the model.

use super::tool_text::bounds;
use deed_model::{Rule, RuleBranch, RuleOutcome, RuleVerdict};
use std::fmt::Write as _;

/// Renders the text of a rule's branch. It does not depend on the request, so it is counted once.
pub(super) fn render(rule: &Rule, verdict: RuleVerdict, branch: RuleBranch, outcome: &RuleOutcome) -> String {
    let mut text = format!("{}: ", rule.rule_id);
    match (branch, verdict) {
        (RuleBranch::Error, _) => text.push_str("could not be evaluated, so it denies."),
        (_, RuleVerdict::Deny) => text.push_str("denied."),
        (_, RuleVerdict::Require) => text.push_str("allowed under obligations."),
        (_, RuleVerdict::Allow) => text.push_str("allowed."),
    }
    let mut line = |label: &str, value: String| {
        let _ = write!(text, "\n{label}: {value}");
    };
    if !outcome.requires.is_empty() {
        line("needs", outcome.requires.join(", "));
    }
    if let Some(gate) = &outcome.requires_approval_gate {
        line("approval at", gate.clone());
    }
    let forbids: Vec<&str> = outcome.forbidden().collect();
    if !forbids.is_empty() {
        line("not to be used", forbids.join(", "));
    }
    if !outcome.arg_constraints.is_empty() {
        line("arguments", bounds(&outcome.arg_constraints));
    }
    match (&outcome.reason, &rule.rationale) {
        (Some(reason), _) if branch != RuleBranch::Error => line("why", reason.clone()),
        (_, Some(rationale)) => line("why", rationale.clone()),
        _ => {}
    }
    text
}
