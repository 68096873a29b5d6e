//! The validation packs that the phases of a profile name: found, held to their phases, and taken into the snapshot.

use crate::document::ProfileFile;
use crate::objects::Objects;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{ExecutionProfile, ObjectRef, PhaseValidation, ValidationMode, ValidationPack};
use deed_validation::PackLibrary;
use std::collections::BTreeMap;

/// The packs that phases name, by reference, and why others cannot be used. A phase that is off names none.
pub(crate) struct NamedPacks {
    pub(crate) packs: BTreeMap<String, ValidationPack>,
    pub(crate) findings: Vec<Diagnostic>,
}

/// Finds the packs that the phases of a profile name, among those that ship, its own, those of the registry, and those of
/// files.
pub(crate) fn named(file: &ProfileFile, profile: &ExecutionProfile, objects: &Objects<'_>) -> NamedPacks {
    let library = objects.library(&profile.validation.packs);
    let mut found = NamedPacks { packs: BTreeMap::new(), findings: contested(file, &library).into_iter().collect() };
    for (name, phase) in profile.validation.phases.parts() {
        let Some(phase) = phase.filter(|phase| phase.mode != ValidationMode::Off) else { continue };
        for (pointer, pack_ref) in references(phase) {
            let place = file.document.place(&format!("/validation/phases/{name}/{pointer}"));
            if let Some(refusal) = objects.refusal(&ObjectRef::validation_pack(pack_ref), place.clone()) {
                found.findings.push(refusal.stage("validation"));
                continue;
            }
            match usable(&library, name, pack_ref) {
                Ok(pack) => drop(found.packs.insert(pack_ref.clone(), pack.clone())),
                Err(refusal) => found.findings.push(refusal.stage("validation").at(place)),
            }
        }
    }
    found
}

/// Refuses a reference that stands for two packs.
fn contested(file: &ProfileFile, library: &PackLibrary<'_>) -> Option<Diagnostic> {
    let (pack_ref, one, other) = library.contested()?;
    let message =
        format!("{} stands for two validation packs: {} and {}", quote(pack_ref), one.as_str(), other.as_str());
    let found = Diagnostic::error(codes::VALIDATION_PACK_CONTESTED, message).stage("validation");
    let help = "a version never changes: give the pack a name or a version of its own";
    Some(found.at(file.document.place("/validation")).help(help))
}

/// Returns the pack that a phase names, if the phase can use it.
fn usable<'a>(library: &PackLibrary<'a>, phase: &str, pack_ref: &str) -> Result<&'a ValidationPack, Box<Diagnostic>> {
    let Some(found) = library.find(pack_ref) else {
        let help = did_you_mean(pack_ref, library.references()).unwrap_or_else(|| {
            "publish it, or put it under `validation.packs`, or into `valpacks/` beside the profile".to_owned()
        });
        let message = format!("unknown validation pack {}", quote(pack_ref));
        return Err(Box::new(Diagnostic::error(codes::UNKNOWN_VALIDATION_PACK, message).help(help)));
    };
    if let Some(why) = found.fault() {
        let message = format!("the validation pack {} cannot be used: {why}", quote(pack_ref));
        let found = Diagnostic::error(codes::NOT_A_VALIDATION_PACK, message);
        return Err(Box::new(found.help("run `deed valpack lint` on it")));
    }
    if !found.pack.phases.iter().any(|known| known.as_str() == phase) {
        let phases: Vec<&str> = found.pack.phases.iter().map(|phase| phase.as_str()).collect();
        let message = format!("the validation pack {} is not meant for `{phase}`", quote(pack_ref));
        let help = format!("it is meant for {}", phases.join(", "));
        return Err(Box::new(Diagnostic::error(codes::PACK_NOT_FOR_PHASE, message).help(help)));
    }
    Ok(found.pack)
}

/// Returns the packs that a phase names, with their places in it.
fn references(phase: &PhaseValidation) -> Vec<(String, &String)> {
    let own = [("pack_ref", &phase.pack_ref), ("default_pack_ref", &phase.default_pack_ref)];
    let own = own.into_iter().filter_map(|(field, text)| Some((field.to_owned(), text.as_ref()?)));
    let matchers = phase.matchers.iter().enumerate();
    own.chain(matchers.map(|(index, matcher)| (format!("matchers/{index}/pack_ref"), &matcher.pack_ref))).collect()
}
