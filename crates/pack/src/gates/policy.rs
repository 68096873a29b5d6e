//! Gate 3, policy: rules can fire, gates can open, priorities do not clash.
//!
//! Enters: the compiled predicates and the types of the evaluation context. Leaves: rules that do not
//! compile or cannot hold, gates that never open, contradictions that only a bundle's name decides.
//! Must prove: every rule can take effect, and every gate can be reached.

mod conflicts;

use super::GateInput;
use crate::pointer::join;
use crate::policies::{Predicate, RuleView};
use deed_diag::{Code, Diagnostic, Severity, quote};
use deed_logic::{Sat, Ty, check as check_types};
use deed_model::RuleOutcome;

const DOES_NOT_COMPILE: Code = Code::new("D0401");
const TYPE_ERROR: Code = Code::new("D0402");
const MAY_BE_MISSING: Code = Code::new("D0403");
const UNREACHABLE: Code = Code::new("D0404");
const GATE_NEVER_OPENS: Code = Code::new("D0405");
const NO_RATIONALE: Code = Code::new("D0407");
const NO_EFFECT: Code = Code::new("D0410");
const CONTRADICTS_ITSELF: Code = Code::new("D0411");
const ALWAYS: Code = Code::new("D0412");

pub(crate) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut sound = Vec::new();
    for view in input.policies.rules(input.pack) {
        let types = predicate(input, view.predicate, &input.policies.context);
        // A predicate that cannot be evaluated never holds; once is enough to say so.
        if !types.iter().any(|d| d.severity == Severity::Error) {
            findings.extend(reach(input, &view, input.policies.context_for(view.intent())));
            sound.push(view);
        }
        findings.extend(types);
        findings.extend(words(input, &view));
    }
    for (_, gate, predicate_) in input.policies.gates(input.pack) {
        let types = predicate(input, predicate_, &input.policies.context);
        if !types.iter().any(|d| d.severity == Severity::Error) {
            findings.extend(opens(input, &gate.gate_id, predicate_));
        }
        findings.extend(types);
    }
    for (id, guard) in input.policies.guardrails() {
        let types = predicate(input, guard, &input.policies.context);
        let sound = !types.iter().any(|d| d.severity == Severity::Error);
        findings.extend(types);
        let place = || input.bundle.document.place(&guard.pointer);
        match guard.holds(&input.policies.context).filter(|_| sound) {
            Some(Sat::Never { reason }) => findings.push(
                Diagnostic::error(UNREACHABLE, format!("the guardrail {} can never be active: {reason}", quote(id)))
                    .at(place()),
            ),
            Some(Sat::Always) => findings.push(
                Diagnostic::warning(ALWAYS, format!("the guardrail {} is always active", quote(id)))
                    .at(place())
                    .help("every request will be refused or escalated; a standing label is written as plain text"),
            ),
            Some(Sat::Sometimes) | None => {}
        }
    }
    findings.extend(conflicts::check(input, &sound));
    findings
}

/// Operators, arity, variables and types.
fn predicate(input: &GateInput<'_>, predicate: &Predicate, context: &Ty) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    match &predicate.program {
        Err(errors) => errors
            .iter()
            .map(|error| {
                Diagnostic::error(DOES_NOT_COMPILE, error.to_string())
                    .at(document.operation_place(&join(&predicate.pointer, &error.pointer)))
                    .help_opt(error.kind.help())
            })
            .collect(),
        Ok(program) => check_types(program, context)
            .into_iter()
            .map(|finding| {
                let place = document.operation_place(&join(&predicate.pointer, &finding.pointer));
                let diagnostic = match finding.severity {
                    deed_logic::Severity::Error => Diagnostic::error(TYPE_ERROR, finding.to_string()),
                    deed_logic::Severity::Warning => Diagnostic::warning(MAY_BE_MISSING, finding.to_string()),
                };
                diagnostic.at(place).help_opt(finding.kind.help())
            })
            .collect(),
    }
}

/// Rules and branches that can never take effect.
fn reach(input: &GateInput<'_>, view: &RuleView<'_>, context: &Ty) -> Option<Diagnostic> {
    let document = &input.bundle.document;
    let rule_id = quote(&view.rule.rule_id);
    match (view.predicate.holds(context)?, &view.rule.otherwise) {
        (Sat::Never { reason }, None) => Some(
            Diagnostic::error(UNREACHABLE, format!("{rule_id} can never fire: {reason}"))
                .at(document.place(&view.predicate.pointer))
                .help("mend the predicate, or take the rule out"),
        ),
        (Sat::Never { reason }, Some(_)) => Some(
            Diagnostic::error(UNREACHABLE, format!("the `then` of {rule_id} can never be reached: {reason}"))
                .at(document.place(&view.predicate.pointer))
                .related(document.place(&view.part("then")), "never reached"),
        ),
        (Sat::Always, Some(_)) => Some(
            Diagnostic::error(
                UNREACHABLE,
                format!("the `else` of {rule_id} can never be reached: the predicate always holds"),
            )
            .at(document.place(&view.part("else"))),
        ),
        (Sat::Always, None) => Some(
            Diagnostic::info(ALWAYS, format!("the predicate of {rule_id} always holds"))
                .at(document.place(&view.predicate.pointer)),
        ),
        (Sat::Sometimes, _) => None,
    }
}

fn opens(input: &GateInput<'_>, gate_id: &str, predicate: &Predicate) -> Option<Diagnostic> {
    let place = input.bundle.document.place(&predicate.pointer);
    match predicate.holds(&input.policies.context)? {
        Sat::Never { reason } => Some(
            Diagnostic::error(GATE_NEVER_OPENS, format!("the gate {} can never be active: {reason}", quote(gate_id)))
                .at(place)
                .help("mend `when`: a gate that never closes the way protects nothing"),
        ),
        Sat::Always | Sat::Sometimes => None,
    }
}

/// A rule that says nothing to people, or nothing at all.
fn words(input: &GateInput<'_>, view: &RuleView<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let rule_id = quote(&view.rule.rule_id);
    let mut findings = Vec::new();
    if view.rule.rationale.as_deref().is_none_or(|r| r.trim().is_empty()) {
        findings.push(
            Diagnostic::warning(NO_RATIONALE, format!("{rule_id} has no rationale"))
                .at(document.place(&view.part("rule_id")))
                .help("say in a sentence why the rule is there: whoever it stops will read it"),
        );
    }
    if view.rule.then.allow == Some(false) && view.rule.otherwise.as_ref().is_some_and(|o| o.allow == Some(false)) {
        findings.push(
            Diagnostic::warning(ALWAYS, format!("{rule_id} denies whatever its predicate says"))
                .at(document.place(&view.part("else")))
                .help("every request of its scope is refused; was one of the branches meant to allow?"),
        );
    }
    let branches = [("then", Some(&view.rule.then)), ("else", view.rule.otherwise.as_ref())];
    for (name, outcome) in branches.into_iter().filter_map(|(name, o)| o.map(|o| (name, o))) {
        if is_empty(outcome) {
            findings.push(
                Diagnostic::warning(NO_EFFECT, format!("the `{name}` of {rule_id} does nothing"))
                    .at(document.place(&view.part(name)))
                    .help("allow, deny, require, forbid or name a gate"),
            );
        }
        if outcome.allow == Some(false) && (outcome.requires_approval_gate.is_some() || !outcome.requires.is_empty()) {
            findings.push(
                Diagnostic::warning(
                    CONTRADICTS_ITSELF,
                    format!("the `{name}` of {rule_id} denies and still requires something"),
                )
                .at(document.place(&view.part(name)))
                .help("a denial is final: drop the requirement, or allow with it"),
            );
        }
    }
    findings
}

fn is_empty(outcome: &RuleOutcome) -> bool {
    *outcome == RuleOutcome { reason: outcome.reason.clone(), ..RuleOutcome::default() }
}
