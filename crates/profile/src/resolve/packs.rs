//! The validation packs that the phases of a profile name: found, held to their phases, and taken into the snapshot.

use super::ResolveInputs;
use deed_diag::{Diagnostic, Report, codes, did_you_mean, quote};
use deed_model::{ExecutionProfile, PhaseValidation, ValidationMode, ValidationPack};
use deed_validation::PackLibrary;
use std::collections::BTreeMap;

/// Returns every pack that a phase names, by reference. A phase that is off names none.
pub(super) fn resolved(
    inputs: &ResolveInputs<'_>,
    profile: &ExecutionProfile,
    report: &mut Report,
) -> BTreeMap<String, ValidationPack> {
    let library = PackLibrary::of(&profile.validation.packs, inputs.packs);
    if let Some((pack_ref, one, other)) = library.contested() {
        let message =
            format!("{} stands for two validation packs: {} and {}", quote(pack_ref), one.as_str(), other.as_str());
        let found = Diagnostic::error(codes::VALIDATION_PACK_CONTESTED, message).stage("validation");
        let place = inputs.profile.document.place("/validation");
        report.push(found.at(place).help("a version never changes: give the pack a name or a version of its own"));
    }
    let mut packs = BTreeMap::new();
    for (name, phase) in profile.validation.phases.parts() {
        let Some(phase) = phase.filter(|phase| phase.mode != ValidationMode::Off) else { continue };
        for (pointer, pack_ref) in references(phase) {
            let place = || inputs.profile.document.place(&format!("/validation/phases/{name}/{pointer}"));
            let mut refuse = |code, message: String, help: String| {
                report.push(Diagnostic::error(code, message).stage("validation").at(place()).help(help));
            };
            let Some(found) = library.find(pack_ref) else {
                let help = did_you_mean(pack_ref, library.references()).unwrap_or_else(|| {
                    "packs of your own stand under `validation.packs`, or in `valpacks/` beside the profile".to_owned()
                });
                refuse(codes::UNKNOWN_VALIDATION_PACK, format!("unknown validation pack {}", quote(pack_ref)), help);
                continue;
            };
            if let Some(why) = found.fault() {
                let message = format!("the validation pack {} cannot be used: {why}", quote(pack_ref));
                refuse(codes::NOT_A_VALIDATION_PACK, message, "run `deed valpack lint` on it".to_owned());
            } else if !found.pack.phases.iter().any(|known| known.as_str() == name) {
                let phases: Vec<&str> = found.pack.phases.iter().map(|phase| phase.as_str()).collect();
                let message = format!("the validation pack {} is not meant for `{name}`", quote(pack_ref));
                refuse(codes::PACK_NOT_FOR_PHASE, message, format!("it is meant for {}", phases.join(", ")));
            } else {
                packs.insert(pack_ref.clone(), found.pack.clone());
            }
        }
    }
    packs
}

/// Returns the packs that a phase names, with their places in it.
fn references(phase: &PhaseValidation) -> Vec<(String, &String)> {
    let own = [("pack_ref", &phase.pack_ref), ("default_pack_ref", &phase.default_pack_ref)];
    let own = own.into_iter().filter_map(|(field, text)| Some((field.to_owned(), text.as_ref()?)));
    let matchers = phase.matchers.iter().enumerate();
    own.chain(matchers.map(|(index, matcher)| (format!("matchers/{index}/pack_ref"), &matcher.pack_ref))).collect()
}
