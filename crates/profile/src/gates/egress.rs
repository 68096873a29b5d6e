//! Gate 13, egress: rules that the runtime reads.

use super::GateInput;
use deed_diag::{Diagnostic, codes};
use deed_model::EgressRule;
use deed_reach::Rules;

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, rule) in input.profile.egress.iter().enumerate() {
        for fault in Rules::read(vec![addressed(rule)]).err().unwrap_or_default() {
            findings.push(
                Diagnostic::error(codes::BAD_PROFILE_EGRESS, fault.message)
                    .at(input.file.place(&format!("/egress/{index}/{}", fault.field)))
                    .help("correct the rule; docs/runs.md describes the fields"),
            );
        }
        if let (Some(_), false) = (&rule.endpoint, rule.host.is_empty()) {
            findings.push(
                Diagnostic::error(codes::BAD_PROFILE_EGRESS, "a rule names an endpoint or a host, not both")
                    .at(input.file.place(&format!("/egress/{index}/endpoint")))
                    .help("leave `host` out: the compiler fills it in from the endpoint"),
            );
        }
    }
    findings.extend(super::endpoints::run(input));
    findings
}

/// A rule of an endpoint has no host until a plan is compiled.
fn addressed(rule: &EgressRule) -> EgressRule {
    match rule.endpoint {
        Some(_) if rule.host.is_empty() => EgressRule { host: "endpoint.invalid".to_owned(), ..rule.clone() },
        Some(_) | None => rule.clone(),
    }
}
