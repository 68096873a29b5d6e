//! Evidence names that nothing in the pack can supply.

use super::super::GateInput;
use crate::evidence::{APPROVAL_OBLIGATION, EvidenceSources};
use crate::pointer::pointer;
use deed_diag::{Diagnostic, codes, quote};

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let sources = EvidenceSources::of(input.pack);
    let satisfies = |name: &str| !sources.resolve(name).is_empty();
    let document = &input.bundle.document;
    let mut findings = Vec::new();
    for (d, spec) in input.pack.decision_layer.decision_specs.iter().enumerate() {
        for (e, name) in spec.required_evidence.iter().enumerate().filter(|(_, name)| !satisfies(name)) {
            findings.push(
                Diagnostic::error(
                    codes::EVIDENCE_UNSATISFIABLE,
                    format!(
                        "nothing in the pack can supply the evidence {} of {}",
                        quote(name),
                        quote(&spec.decision_key)
                    ),
                )
                .at(document.place(&pointer!("decision_layer", "decision_specs", d, "required_evidence", e)))
                .help(sources.hint(name)),
            );
        }
    }
    for view in input.policies.rules(input.pack) {
        let branches = [("then", Some(&view.rule.then)), ("else", view.rule.otherwise.as_ref())];
        for (branch, outcome) in branches.into_iter().filter_map(|(name, o)| o.map(|o| (name, o))) {
            for (i, name) in outcome.requires.iter().enumerate() {
                if name != APPROVAL_OBLIGATION && !satisfies(name) {
                    findings.push(
                        Diagnostic::warning(
                            codes::REQUIRES_UNKNOWN,
                            format!(
                                "nothing in the pack can supply {}, which {} requires",
                                quote(name),
                                quote(&view.rule.rule_id)
                            ),
                        )
                        .at(document.place(&format!("{}/{branch}/requires/{i}", view.pointer())))
                        .help(sources.hint(name)),
                    );
                }
            }
        }
    }
    findings
}
