//! Validation gate 3, policy: rules can fire, gates can open, priorities do not clash.
//!
//! Enters: the compiled predicates and the types of the evaluation context. Leaves: rules that do not compile or cannot
//! hold, gates that can never be active, contradictions that only a bundle's name decides. Must prove: every rule can
//! take effect, and every gate can be reached.

mod conflicts;

use super::GateInput;
use crate::pointer::join;
use crate::policies::{Predicate, RuleView};
use deed_diag::{Diagnostic, Severity, codes, quote};
use deed_logic::{Sat, Ty, check as check_types};
use deed_model::RuleOutcome;

pub(crate) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut sound = Vec::new();
    for view in input.policies.rules(input.pack) {
        let types = predicate(input, view.predicate, &input.policies.context);
        // A predicate that cannot be evaluated never holds; reporting that once is enough.
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
                Diagnostic::error(
                    codes::UNREACHABLE_BRANCH,
                    format!("the guardrail {} can never be active: {reason}", quote(id)),
                )
                .at(place()),
            ),
            Some(Sat::Always) => findings.push(
                Diagnostic::warning(
                    codes::PREDICATE_ALWAYS_TRUE,
                    format!("the guardrail {} is always active", quote(id)),
                )
                .at(place())
                .help("every request will be refused or escalated; write a static label as plain text"),
            ),
            Some(Sat::Sometimes) | None => {}
        }
    }
    findings.extend(conflicts::check(input, &sound));
    findings
}

/// Checks operators, arity, variables and types.
fn predicate(input: &GateInput<'_>, predicate: &Predicate, context: &Ty) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    match &predicate.program {
        Err(errors) => errors
            .iter()
            .map(|error| {
                Diagnostic::error(codes::PREDICATE_DOES_NOT_COMPILE, error.to_string())
                    .at(document.operation_place(&join(&predicate.pointer, &error.pointer)))
                    .help_opt(error.kind.help())
            })
            .collect(),
        Ok(program) => check_types(program, context)
            .into_iter()
            .map(|finding| {
                let place = document.operation_place(&join(&predicate.pointer, &finding.pointer));
                let diagnostic = match finding.severity {
                    deed_logic::Severity::Error => Diagnostic::error(codes::PREDICATE_TYPE_ERROR, finding.to_string()),
                    deed_logic::Severity::Warning => {
                        Diagnostic::warning(codes::PREDICATE_MAY_FAIL, finding.to_string())
                    }
                };
                diagnostic.at(place).help_opt(finding.kind.help())
            })
            .collect(),
    }
}

/// Reports rules and branches that can never take effect.
fn reach(input: &GateInput<'_>, view: &RuleView<'_>, context: &Ty) -> Option<Diagnostic> {
    let document = &input.bundle.document;
    let rule_id = quote(&view.rule.rule_id);
    match (view.predicate.holds(context)?, &view.rule.otherwise) {
        (Sat::Never { reason }, None) => Some(
            Diagnostic::error(codes::UNREACHABLE_BRANCH, format!("{rule_id} can never fire: {reason}"))
                .at(document.place(&view.predicate.pointer))
                .help("fix the predicate, or remove the rule"),
        ),
        (Sat::Never { reason }, Some(_)) => Some(
            Diagnostic::error(
                codes::UNREACHABLE_BRANCH,
                format!("the `then` of {rule_id} can never be reached: {reason}"),
            )
            .at(document.place(&view.predicate.pointer))
            .related(document.place(&view.part("then")), "never reached"),
        ),
        (Sat::Always, Some(_)) => Some(
            Diagnostic::error(
                codes::UNREACHABLE_BRANCH,
                format!("the `else` of {rule_id} can never be reached: the predicate always holds"),
            )
            .at(document.place(&view.part("else"))),
        ),
        (Sat::Always, None) => Some(
            Diagnostic::info(codes::PREDICATE_ALWAYS_TRUE, format!("the predicate of {rule_id} always holds"))
                .at(document.place(&view.predicate.pointer)),
        ),
        (Sat::Sometimes, _) => None,
    }
}

fn opens(input: &GateInput<'_>, gate_id: &str, predicate: &Predicate) -> Option<Diagnostic> {
    let place = input.bundle.document.place(&predicate.pointer);
    match predicate.holds(&input.policies.context)? {
        Sat::Never { reason } => Some(
            Diagnostic::error(
                codes::GATE_NEVER_ACTIVE,
                format!("the gate {} can never be active: {reason}", quote(gate_id)),
            )
            .at(place)
            .help("fix `when`: a gate that is never active protects nothing"),
        ),
        Sat::Always | Sat::Sometimes => None,
    }
}

/// Reports rules without a rationale or without an effect.
fn words(input: &GateInput<'_>, view: &RuleView<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let rule_id = quote(&view.rule.rule_id);
    let mut findings = Vec::new();
    if view.rule.rationale.as_deref().is_none_or(|r| r.trim().is_empty()) {
        findings.push(
            Diagnostic::warning(codes::RATIONALE_MISSING, format!("{rule_id} has no rationale"))
                .at(document.place(&view.part("rule_id")))
                .help("write a sentence that explains the rule to the people it stops"),
        );
    }
    if view.rule.then.allow == Some(false) && view.rule.otherwise.as_ref().is_some_and(|o| o.allow == Some(false)) {
        findings.push(
            Diagnostic::warning(codes::PREDICATE_ALWAYS_TRUE, format!("{rule_id} denies in both branches"))
                .at(document.place(&view.part("else")))
                .help("every request in its scope is refused: should one of the branches allow?"),
        );
    }
    let branches = [("then", Some(&view.rule.then)), ("else", view.rule.otherwise.as_ref())];
    for (name, outcome) in branches.into_iter().filter_map(|(name, o)| o.map(|o| (name, o))) {
        if is_empty(outcome) {
            findings.push(
                Diagnostic::warning(codes::OUTCOME_WITHOUT_EFFECT, format!("the `{name}` of {rule_id} does nothing"))
                    .at(document.place(&view.part(name)))
                    .help("allow, deny, require, forbid or name a gate"),
            );
        }
        if outcome.allow == Some(false) && (outcome.requires_approval_gate.is_some() || !outcome.requires.is_empty()) {
            findings.push(
                Diagnostic::warning(
                    codes::OUTCOME_CONTRADICTS_ITSELF,
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
