//! The catalogue of decisions: bindings, outcomes and required evidence.

use super::document::{hashed, read};
use super::replaced::Replaced;
use super::{Checked, Found};
use deed_diag::{Diagnostic, Document, Invariant as _, Report, Severity, codes, did_you_mean, quote};
use deed_model::{DecisionCatalog, DecisionSpec};
use serde_json::Value;

pub(super) fn check(checked: &Checked<'_>, document: &Document) -> Result<Found, Report> {
    let catalog: DecisionCatalog = read(document)?;
    let own = &checked.bundle.document;
    let specs = &checked.pack.decision_layer.decision_specs;
    let mut findings = Vec::new();
    let mut kept = Vec::new();
    for (at, spec) in specs.iter().enumerate() {
        let part = format!("/decision_layer/decision_specs/{at}");
        let known = catalog.decision_specs.iter().position(|known| known.decision_key == spec.decision_key);
        let Some((position, now)) = known.and_then(|at| Some((at, catalog.decision_specs.get(at)?))) else {
            let names = catalog.decision_specs.iter().map(|known| known.decision_key.as_str());
            let message = format!("the catalogue has no decision {}", quote(&spec.decision_key));
            findings.push(
                Diagnostic::error(codes::DECISION_NOT_IN_CATALOG, message)
                    .at(own.place(&format!("{part}/decision_key")))
                    .related(document.place("/decision_specs"), "the changed catalogue")
                    .help_opt(did_you_mean(&spec.decision_key, names)),
            );
            continue;
        };
        for (severity, field, message) in differences(spec, now) {
            findings.push(
                Diagnostic::new(severity, codes::DECISION_DIFFERS, format!("{}: {message}", spec.decision_key))
                    .at(own.place(&format!("{part}/{field}")))
                    .related(document.place(&format!("/decision_specs/{position}/{field}")), "in the catalogue")
                    .help("publish a version of the pack that agrees with the catalogue"),
            );
        }
        kept.extend(document.value().pointer(&format!("/decision_specs/{position}")).cloned());
    }
    // A rule that is bound to a decision which is gone, and evidence that the catalogue demands and nothing supplies, are
    // found by the gates. Without any decision the pack would not have the shape of one.
    let replaced = match kept.is_empty() {
        true => None,
        false => {
            // The schemas are the pack's own: a catalogue has none.
            let own = checked.bundle.document.value().get("decision_layer").and_then(Value::as_object);
            let mut layer = own.cloned().invariant("a typed pack has a decision layer");
            layer.insert("decision_specs".to_owned(), Value::Array(kept));
            Some(Replaced::new(checked.bundle, "/decision_layer", Value::Object(layer), None)?)
        }
    };
    Ok(Found { name: "decision_catalog".to_owned(), hash: hashed(document.value())?, findings, replaced })
}

/// Returns what contradicts the catalogue, by field.
fn differences(own: &DecisionSpec, now: &DecisionSpec) -> Vec<(Severity, &'static str, String)> {
    let mut found = Vec::new();
    let mut error = |field, message: String| found.push((Severity::Error, field, message));
    for outcome in own.allowed_outcomes.iter().filter(|outcome| !now.allowed_outcomes.contains(outcome)) {
        error("allowed_outcomes", format!("the outcome {} is not in the catalogue", quote(outcome)));
    }
    for name in now.required_evidence.iter().filter(|name| !own.required_evidence.contains(name)) {
        error("required_evidence", format!("the catalogue requires the evidence {}", quote(name)));
    }
    if own.approval_mode < now.approval_mode {
        error(
            "approval_mode",
            format!("the catalogue asks for `{}`, and the pack for `{}`", now.approval_mode, own.approval_mode),
        );
    }
    if own.decision_right != now.decision_right {
        error("decision_right", format!("the right is {}", quote(&now.decision_right)));
    }
    if own.owner_role != now.owner_role {
        error("owner_role", format!("the owner is {}", quote(&now.owner_role)));
    }
    for (field, before, after) in [
        ("inputs_schema_ref", &own.inputs_schema_ref, &now.inputs_schema_ref),
        ("outputs_schema_ref", &own.outputs_schema_ref, &now.outputs_schema_ref),
    ] {
        if before != after {
            error(field, format!("the schema is {}", quote(after.as_deref().unwrap_or("none"))));
        }
    }
    for outcome in own.allowed_outcomes.iter().filter(|outcome| now.allowed_outcomes.contains(outcome)) {
        let effect = |spec: &DecisionSpec| spec.outcome_effects.get(outcome).copied().unwrap_or_default();
        let (ours, theirs) = (effect(own), effect(now));
        if ours != theirs {
            let (outcome, theirs, ours) = (quote(outcome), theirs.as_str(), ours.as_str());
            let message = format!("the outcome {outcome} is `{theirs}` in the catalogue, and `{ours}` in the pack");
            error("outcome_effects", message);
        }
    }
    let insufficient = |spec: &DecisionSpec| spec.on_insufficient_evidence.unwrap_or_default();
    if insufficient(own) != insufficient(now) {
        error("on_insufficient_evidence", "missing evidence has another effect in the catalogue".to_owned());
    }
    let major = |version: &str| version.split('.').next().map(str::to_owned);
    if major(&own.version) != major(&now.version) {
        error("version", format!("the pack has version {}, and the catalogue {}", own.version, now.version));
    } else if own.version != now.version {
        let message = format!("the pack has version {}, and the catalogue {}", own.version, now.version);
        found.push((Severity::Warning, "version", message));
    }
    for outcome in now.allowed_outcomes.iter().filter(|outcome| !own.allowed_outcomes.contains(outcome)) {
        let message = format!("the pack does not allow the outcome {} of the catalogue", quote(outcome));
        found.push((Severity::Warning, "allowed_outcomes", message));
    }
    found
}
