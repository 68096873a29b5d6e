//! Comparison of a compile with the expectations of a case. Every expectation that is set is compared.

mod calls;
mod finding;
mod lists;
mod maps;
mod prompt;
mod stages;
mod totals;

use super::observe::Observation;
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use deed_diag::{Diagnostic, Document, Invariant as _, quote};
use deed_model::{CompileOutcome, CompiledContext, GoldenExpectation};
use finding::Findings;

pub(super) use lists::tool_names;
pub(super) use maps::{all_reasons, tool_bounds, tool_checks};

/// Returns every expectation that does not hold.
pub(super) fn outcome(
    document: &Document,
    expect: &GoldenExpectation,
    found: &Outcome<'_>,
    seen: &Observation<'_, '_>,
) -> Vec<Diagnostic> {
    let mut findings = Findings::of(document);
    match found {
        Outcome::Refused(refusal) => refused(expect, refusal, &mut findings),
        Outcome::Compiled(context) | Outcome::MustEscalate(context) | Outcome::MustRefuse(context) => {
            compiled(expect, context, &mut findings);
        }
    }
    if !matches!(found, Outcome::Refused(_)) {
        calls::compare(expect, seen, &mut findings);
        stages::compare(expect, seen.stages(), &mut findings);
    }
    findings.into_diagnostics()
}

fn compiled(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    if expect.outcome != CompileOutcome::from(context.outcome) {
        let message =
            format!("expected {} and found {}", quote(expect.outcome.as_str()), quote(context.outcome.as_str()));
        findings.outcome("outcome", message, causes(context));
    } else if let Some(code) = &expect.code {
        findings.outcome("code", format!("expected a refusal with {} and found none", quote(code)), None);
    }
    lists::compare(expect, context, findings);
    maps::compare(expect, context, findings);
    totals::compare(expect, context, findings);
    prompt::compare(expect, context, findings);
}

/// Only the code can be compared, so any other expectation does not hold.
fn refused(expect: &GoldenExpectation, refusal: &Refusal, findings: &mut Findings<'_>) {
    let why = &refusal.diagnostic;
    if expect.outcome != CompileOutcome::Refused {
        let message =
            format!("expected {} and found `refused`: {} ({})", quote(expect.outcome.as_str()), why.message, why.code);
        return findings.outcome("outcome", message, why.help.clone());
    }
    if let Some(code) = expect.code.as_deref().filter(|code| *code != why.code.as_str()) {
        let message = format!("expected the refusal {} and found `{}`: {}", quote(code), why.code, why.message);
        findings.outcome("code", message, None);
    }
    let asked = serde_json::to_value(expect).invariant("an expectation is JSON");
    let others = asked.as_object().into_iter().flat_map(|fields| fields.keys());
    for name in others.filter(|name| !matches!(name.as_str(), "outcome" | "code")) {
        let message = format!("`{name}` is expected, and a refused compile has none");
        findings.differs(&[name], message, Some("remove it".to_owned()));
    }
}

/// Returns the reasons for the outcome of a compile.
fn causes(context: &CompiledContext<'_>) -> Option<String> {
    let ledger = &context.context_ledger;
    let denials = ledger.policy_decisions.iter().filter(|d| d.verdict == deed_model::RuleVerdict::Deny);
    let controls = ledger.controls.iter().filter(|c| c.active);
    let rules = context.runtime_controls.must_escalate.iter().filter_map(|c| c.strip_prefix("rule:"));
    let ids = denials.map(|d| d.rule_id.as_ref()).chain(controls.map(|c| c.id.as_ref())).chain(rules);
    let ids: Vec<String> = ids.map(quote).collect();
    (!ids.is_empty()).then(|| format!("active: {}", ids.join(", ")))
}
