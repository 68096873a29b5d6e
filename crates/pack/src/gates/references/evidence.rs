//! Evidence names that nothing in the pack can supply.

use super::super::GateInput;
use crate::evidence::{APPROVAL_OBLIGATION, EvidenceSource, EvidenceSources};
use crate::pointer::pointer;
use deed_diag::{Diagnostic, codes, quote};
use deed_model::{DecisionSpec, InsufficientEvidence};

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let sources = EvidenceSources::of(input.pack);
    let satisfies = |name: &str| !sources.resolve(name).is_empty();
    let document = &input.bundle.document;
    let mut findings = Vec::new();
    for (d, spec) in input.pack.decision_layer.decision_specs.iter().enumerate() {
        for (e, name) in spec.required_evidence.iter().enumerate() {
            let Some((message, help)) = unmeetable(&sources, spec, name) else { continue };
            findings.push(
                Diagnostic::error(codes::EVIDENCE_UNSATISFIABLE, message)
                    .at(document.place(&pointer!("decision_layer", "decision_specs", d, "required_evidence", e)))
                    .help(help),
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

/// Returns the reason why no compile of a decision can have evidence of a name, and help.
fn unmeetable(sources: &EvidenceSources, spec: &DecisionSpec, name: &str) -> Option<(String, String)> {
    let (quoted, decision) = (quote(name), quote(&spec.decision_key));
    let found = sources.resolve(name);
    if found.is_empty() {
        let message = format!("nothing in the pack can supply the evidence {quoted} of {decision}");
        return Some((message, sources.hint(name)));
    }
    let of_gates = found.iter().all(|source| matches!(source, EvidenceSource::Gate(_)));
    if of_gates && spec.on_insufficient_evidence == Some(InsufficientEvidence::Refuse) {
        let message = format!("{decision} is refused without {quoted}, an approval that is given after the compile");
        return Some((
            message,
            "write `on_insufficient_evidence: escalate`, or leave the gate to its `when`".to_owned(),
        ));
    }
    None
}
