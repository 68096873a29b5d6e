//! Gate 11, validation: every phase that is not off names validation packs, in their form.

use super::GateInput;
use deed_diag::{Diagnostic, codes, quote};

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (name, phase) in input.profile.validation.phases.parts() {
        let Some(phase) = phase else { continue };
        let base = format!("/validation/phases/{name}");
        let mut check = |pointer: String, text: &str| {
            if !is_validation_pack(text) {
                findings.push(
                    Diagnostic::error(codes::BAD_VALIDATION_PACK, format!("{} is not a validation pack", quote(text)))
                        .at(input.file.place(&pointer))
                        .help("write `valpack.operator.generic.planner@v1`"),
                );
            }
        };
        for (field, text) in [("pack_ref", &phase.pack_ref), ("default_pack_ref", &phase.default_pack_ref)] {
            if let Some(text) = text {
                check(format!("{base}/{field}"), text);
            }
        }
        for (index, matcher) in phase.matchers.iter().enumerate() {
            check(format!("{base}/matchers/{index}/pack_ref"), &matcher.pack_ref);
        }
        findings.extend(matchers(input, &base, phase));
        findings.extend(packs(input, name, phase));
    }
    // What has not the form of a reference is not looked up.
    if let Some(objects) = input.facts.objects.filter(|_| findings.is_empty()) {
        findings = crate::resolve::packs::named(input.file, input.profile, &objects).findings;
    }
    findings
}

/// Matchers that match nothing, or that an earlier one leaves nothing to.
fn matchers(input: &GateInput<'_>, base: &str, phase: &deed_model::PhaseValidation) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, matcher) in phase.matchers.iter().enumerate() {
        let place = || input.file.place(&format!("{base}/matchers/{index}/artifact_path"));
        let path = &matcher.artifact_path;
        if let Some(why) = deed_validation::matches_nothing(path) {
            let found = Diagnostic::error(
                codes::PATTERN_MATCHES_NOTHING,
                format!("{} matches no file of a run: {why}", quote(path)),
            );
            findings.push(found.at(place()).help("write `*.json`, or `output/report.html`"));
        }
        let mut earlier = phase.matchers.iter().take(index);
        if let Some(wider) = earlier.find(|wider| deed_validation::covers_pattern(&wider.artifact_path, path)) {
            let message = format!("{} is never reached: {} stands before it", quote(path), quote(&wider.artifact_path));
            let found = Diagnostic::error(codes::RULE_NEVER_REACHED, message);
            findings.push(found.at(place()).help("the first matcher that matches decides: put the narrower one first"));
        }
    }
    findings
}

/// Too few packs for the mode, or one pack by two names.
fn packs(input: &GateInput<'_>, name: &str, phase: &deed_model::PhaseValidation) -> Option<Diagnostic> {
    let place = input.file.document.key_place(&format!("/validation/phases/{name}"));
    let refuse = |message: String, help: &str| {
        Some(Diagnostic::error(codes::BAD_VALIDATION_PACK, message).at(place.clone()).help(help))
    };
    match (&phase.pack_ref, &phase.default_pack_ref) {
        (Some(_), Some(_)) => {
            refuse(format!("`{name}` names its pack twice"), "keep `default_pack_ref` beside matchers, else `pack_ref`")
        }
        (None, None) if phase.matchers.is_empty() && phase.mode != deed_model::ValidationMode::Off => {
            let mode = phase.mode.as_str();
            refuse(
                format!("`{name}` has the mode `{mode}` and nothing to check"),
                "name a validation pack, or write `off`",
            )
        }
        _ => None,
    }
}

/// Returns true for `valpack.<name>@v<number>`.
fn is_validation_pack(text: &str) -> bool {
    text.starts_with("valpack.")
        && text.parse::<deed_model::PromptRef>().is_ok_and(|reference| reference.version.is_some())
}
