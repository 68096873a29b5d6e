//! Rules that contradict each other.
//!
//! The strictest verdict wins whatever its priority, so a denial always silences a permission that implies
//! it; and where two bundles of equal priority contradict each other, only their names decide the order.
//! Both are found by pairs of arms, an arm being one branch of a rule and the way its predicate must go. An
//! arm is compared with at most [`COMPARISONS`] others, and a remark says how many pairs were left out, so
//! that a pack of ten thousand rules is linted in linear time and nothing is passed over in silence.

use super::super::GateInput;
use crate::policies::RuleView;
use deed_diag::{Code, Diagnostic, quote};
use deed_logic::{Program, Sat, Term, satisfiable};
use std::collections::BTreeMap;

const PRIORITY_CONFLICT: Code = Code::new("D0406");
const SILENCED: Code = Code::new("D0408");
const NOT_COMPARED: Code = Code::new("D0409");

/// How many denials a permission is compared with.
const COMPARISONS: usize = 8;

/// The intent and the decision that an arm speaks of; nothing means all of them.
type Scope<'a> = (Option<&'a str>, Option<&'a str>);

/// One branch of a rule.
#[derive(Clone, Copy)]
struct Arm<'a> {
    view: RuleView<'a>,
    program: &'a Program,
    /// Which way the predicate goes.
    holds: bool,
}

impl<'a> Arm<'a> {
    fn scope(&self) -> Scope<'a> {
        (self.view.intent(), self.view.rule.decision_binding.as_deref())
    }

    fn term(&self) -> Term<'a> {
        Term { program: self.program, holds: self.holds }
    }

    fn unless(&self) -> Term<'a> {
        Term { program: self.program, holds: !self.holds }
    }
}

/// Compares the rules whose predicates can be evaluated.
pub(super) fn check(input: &GateInput<'_>, rules: &[RuleView<'_>]) -> Vec<Diagnostic> {
    let mut allows: Vec<Arm<'_>> = Vec::new();
    let mut denies: BTreeMap<Scope<'_>, Vec<Arm<'_>>> = BTreeMap::new();
    for view in rules.iter().copied() {
        let Some(program) = view.predicate.program() else { continue };
        let branches = [(Some(&view.rule.then), true), (view.rule.otherwise.as_ref(), false)];
        for (outcome, holds) in branches {
            let arm = Arm { view, program, holds };
            match outcome.and_then(|o| o.allow) {
                Some(true) => allows.push(arm),
                Some(false) => denies.entry(arm.scope()).or_default().push(arm),
                None => {}
            }
        }
    }
    let mut findings = Vec::new();
    let mut left_out = 0;
    for allow in &allows {
        let rivals = denies.iter().filter(|(scope, _)| meet(allow.scope(), **scope)).flat_map(|(_, arms)| arms);
        let mut count = 0usize;
        for deny in rivals {
            count += 1;
            if count <= COMPARISONS {
                findings.extend(compare(input, allow, deny));
            }
        }
        left_out += count.saturating_sub(COMPARISONS);
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

/// Two scopes that some request is in both of.
fn meet(a: Scope<'_>, b: Scope<'_>) -> bool {
    let same = |a: Option<&str>, b: Option<&str>| a.is_none() || b.is_none() || a == b;
    same(a.0, b.0) && same(a.1, b.1)
}

/// The first scope lies within the second.
fn within(a: Scope<'_>, b: Scope<'_>) -> bool {
    (b.0.is_none() || a.0 == b.0) && (b.1.is_none() || a.1 == b.1)
}

fn compare(input: &GateInput<'_>, allow: &Arm<'_>, deny: &Arm<'_>) -> Option<Diagnostic> {
    let document = &input.bundle.document;
    let same_rule = allow.view.bundle_index == deny.view.bundle_index && allow.view.rule_index == deny.view.rule_index;
    if same_rule {
        return None;
    }
    let context = input.policies.context_for(allow.view.intent().or(deny.view.intent()));
    let never = |terms: &[Term<'_>]| matches!(satisfiable(terms, context), Sat::Never { .. });
    let (allow_id, deny_id) = (quote(&allow.view.rule.rule_id), quote(&deny.view.rule.rule_id));
    // Whenever the permission applies, so does the denial; and it does apply sometimes.
    let silenced =
        within(allow.scope(), deny.scope()) && never(&[allow.term(), deny.unless()]) && !never(&[allow.term()]);
    if silenced {
        return Some(
            Diagnostic::warning(
                SILENCED,
                format!("{allow_id} never takes effect: whenever it allows, {deny_id} denies"),
            )
            .at(document.place(&allow.view.predicate.pointer))
            .related(document.place(&deny.view.predicate.pointer), "denies whenever the other allows"),
        );
    }
    let rivals = allow.view.bundle_index != deny.view.bundle_index
        && allow.view.bundle.priority == deny.view.bundle.priority
        && !never(&[allow.term(), deny.term()]);
    rivals.then(|| {
        Diagnostic::error(
            PRIORITY_CONFLICT,
            format!(
                "{allow_id} allows and {deny_id} denies, in bundles of the same priority {}",
                allow.view.bundle.priority
            ),
        )
        .at(document.place(&allow.view.part("rule_id")))
        .related(document.place(&deny.view.part("rule_id")), "the other rule")
        .help("give one of the bundles a higher priority, or keep the predicates apart")
    })
}
