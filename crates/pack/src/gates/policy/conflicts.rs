//! Rules that contradict each other.
//!
//! The strictest verdict wins whatever its priority, so a denial always silences a permission that implies
//! it; and where two bundles of equal priority contradict each other, only their names decide the order.
//! Both are found by pairs. A rule is compared with at most [`COMPARISONS`] others, and a remark says how
//! many pairs were left out, so that a pack of ten thousand rules is linted in linear time and nothing is
//! passed over in silence.

use super::super::GateInput;
use crate::policies::RuleView;
use deed_diag::{Code, Diagnostic, quote};
use deed_logic::{Sat, Term, implies, satisfiable};
use deed_model::RuleOutcome;
use std::collections::BTreeMap;

const PRIORITY_CONFLICT: Code = Code::new("D0406");
const SILENCED: Code = Code::new("D0408");
const NOT_COMPARED: Code = Code::new("D0409");

/// How many denials a permission is compared with.
const COMPARISONS: usize = 24;

/// Rules that speak of the same decision for the same intent. A rule without either speaks of its own kind
/// only: rules that apply everywhere are compared with each other.
type Scope<'a> = (Option<&'a str>, Option<&'a str>);

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut scopes: BTreeMap<Scope<'_>, (Vec<RuleView<'_>>, Vec<RuleView<'_>>)> = BTreeMap::new();
    for view in input.policies.rules(input.pack) {
        let entry = scopes.entry((view.intent(), view.rule.decision_binding.as_deref())).or_default();
        match view.rule.then.allow {
            Some(false) => entry.1.push(view),
            Some(true) | None if permits(&view.rule.then) => entry.0.push(view),
            Some(true) | None => {}
        }
    }
    let mut findings = Vec::new();
    let mut left_out = 0;
    for (allows, denies) in scopes.values() {
        for allow in allows {
            left_out += denies.len().saturating_sub(COMPARISONS);
            findings.extend(denies.iter().take(COMPARISONS).filter_map(|deny| compare(input, allow, deny)));
        }
    }
    if left_out > 0 {
        findings.push(
            Diagnostic::info(NOT_COMPARED, format!("{left_out} pairs of rules were not compared with each other"))
                .at(input.bundle.document.place("/policy_layer/policy_bundles"))
                .help(format!("a permission is compared with the first {COMPARISONS} denials of its scope")),
        );
    }
    findings
}

fn permits(outcome: &RuleOutcome) -> bool {
    outcome.allow == Some(true)
}

fn compare(input: &GateInput<'_>, allow: &RuleView<'_>, deny: &RuleView<'_>) -> Option<Diagnostic> {
    let document = &input.bundle.document;
    let (a, d) = (allow.predicate.program()?, deny.predicate.program()?);
    let context = &input.policies.context;
    let (allow_id, deny_id) = (quote(&allow.rule.rule_id), quote(&deny.rule.rule_id));
    if implies(a, d, context) && !matches!(satisfiable(&[Term { program: a, holds: true }], context), Sat::Never { .. }) {
        return Some(
            Diagnostic::warning(SILENCED, format!("{allow_id} never takes effect: whenever it allows, {deny_id} denies"))
                .at(document.place(&allow.predicate.pointer))
                .related(document.place(&deny.predicate.pointer), "denies whenever the other allows"),
        );
    }
    let rivals = allow.bundle_index != deny.bundle_index && allow.bundle.priority == deny.bundle.priority;
    if !rivals {
        return None;
    }
    let both = satisfiable(&[Term { program: a, holds: true }, Term { program: d, holds: true }], context);
    match both {
        Sat::Never { .. } => None,
        Sat::Always | Sat::Sometimes => Some(
            Diagnostic::error(
                PRIORITY_CONFLICT,
                format!(
                    "{allow_id} allows and {deny_id} denies, in bundles of the same priority {}",
                    allow.bundle.priority
                ),
            )
            .at(document.place(&allow.part("rule_id")))
            .related(document.place(&deny.part("rule_id")), "the other rule")
            .help("give one of the bundles a higher priority, or keep the predicates apart"),
        ),
    }
}
