//! Resolving: a profile and what lies below it become a snapshot that governs a run.
//!
//! Enters: a profile, governed settings, the settings of a workspace. Leaves: the snapshot with its hash, every
//! effective value with its origin, and warnings. Must prove: the snapshot needs nothing outside of it.

mod bindings;
pub(crate) mod packs;
mod typed;

use crate::chain::{EffectiveValue, Level, effective, layers};
use crate::document::ProfileFile;
use crate::narrow::{Narrowed, NarrowingLevel, narrow, power_of};
use crate::objects::Objects;
use crate::prompts::PromptLibrary;
use crate::settings::SettingsFile;
use deed_canon::{CanonError, ContentHash, hash_of};
use deed_diag::{Diagnostic, Report, Severity, codes};
use deed_model::{
    ExecutionProfile, PROFILE_SNAPSHOT_TAG, PowerLimits, ProfilePower, ProfileSnapshot, ResolvedPhase, ValidationMode,
};
use std::collections::BTreeMap;

/// The format of snapshots.
const FORMAT: &str = "deed/profile-snapshot/v1";

/// What a snapshot is made from.
#[derive(Debug, Clone, Copy)]
pub struct ResolveInputs<'a> {
    /// The profile.
    pub profile: &'a ProfileFile,
    /// The governed settings of all runs.
    pub governed: Option<&'a SettingsFile>,
    /// The settings of the workspace.
    pub workspace: Option<&'a SettingsFile>,
    /// Documents besides those that ship and the profile's own.
    pub objects: Objects<'a>,
}

/// A resolved profile.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The frozen values.
    pub snapshot: ProfileSnapshot,
    /// Their hash.
    pub snapshot_hash: ContentHash,
    /// Every value of the chain, by key.
    pub values: Vec<EffectiveValue>,
    /// The level that decided each part of the power.
    pub power_origins: BTreeMap<&'static str, NarrowingLevel>,
    /// Warnings, with the sources to show them.
    pub report: Report,
}

/// Computes the hash of a snapshot.
///
/// # Errors
/// It has no canonical form.
pub fn snapshot_hash(snapshot: &ProfileSnapshot) -> Result<ContentHash, CanonError> {
    hash_of(&PROFILE_SNAPSHOT_TAG, snapshot)
}

/// Resolves a profile.
///
/// # Errors
/// A report, if the document is not a profile, or a model or a prompt that is bound at any level cannot be used.
///
/// ```
/// use deed_profile::{Objects, ResolveInputs, resolve, shipped_profile};
///
/// let profile = shipped_profile("fast-prototype").unwrap();
/// let resolved = resolve(&ResolveInputs { profile, governed: None, workspace: None, objects: Objects::default() }).unwrap();
/// let planner = &resolved.snapshot.bindings["operator_planner.pass_a"];
/// assert_eq!(planner.parameters.temperature, Some(0.7));
/// ```
pub fn resolve(inputs: &ResolveInputs<'_>) -> Result<Resolved, Report> {
    let mut report = reported(inputs);
    let (Some(profile), Some(profile_ref)) = (inputs.profile.profile(), inputs.profile.profile_ref()) else {
        report.push(inputs.profile.not_a_profile());
        return Err(report);
    };
    let profile_hash = inputs.profile.content_hash();
    let values = effective(&layers(inputs.profile, profile, inputs.governed, inputs.workspace));
    let reasoning = typed::reasoning(&values);
    let library = PromptLibrary::of(Some(profile), inputs.objects.prompts);
    let (bindings, prompts) = bindings::resolved(inputs, &values, &reasoning, &library, &mut report);
    let (power, power_origins) = narrowed(inputs, profile, &mut report);
    let packs::NamedPacks { packs: validation_packs, findings } =
        packs::named(inputs.profile, profile, &inputs.objects);
    findings.into_iter().for_each(|finding| report.push(finding));
    if report.has_errors() {
        return Err(report);
    }
    let snapshot = ProfileSnapshot {
        format: FORMAT.to_owned(),
        profile_ref,
        profile_hash: profile_hash.map_err(|error| uncanonical(inputs, &error))?,
        bindings,
        prompts,
        validation: validation(profile),
        validation_packs,
        skill_policy: profile.skill_policy.clone(),
        window_size: typed::number(&values, "window_size"),
        timeouts: typed::timeouts(&values),
        power,
        model_endpoints: profile.model_endpoints.clone(),
        routing_strategy: typed::strategy(&values),
        planning_guidance: profile.planning_guidance.clone(),
        reasoning,
        context_pack_ref: profile.context_pack_ref.clone(),
        max_replans: values.get("max_replans").and_then(|found| found.value.as_u64()),
    };
    let snapshot_hash = snapshot_hash(&snapshot).map_err(|error| uncanonical(inputs, &error))?;
    Ok(Resolved { snapshot, snapshot_hash, values: values.into_values().collect(), power_origins, report })
}

/// An empty report that can show every document.
fn reported(inputs: &ResolveInputs<'_>) -> Report {
    let mut report = inputs.profile.report();
    for settings in inputs.governed.iter().chain(&inputs.workspace) {
        report.add_source(settings.document.source().clone());
    }
    report
}

/// Narrows the profile's power by the limits of both settings, the governed ones first.
fn narrowed(
    inputs: &ResolveInputs<'_>,
    profile: &ExecutionProfile,
    report: &mut Report,
) -> (ProfilePower, BTreeMap<&'static str, NarrowingLevel>) {
    let mut power = power_of(profile);
    let mut origins = BTreeMap::new();
    let levels: [(NarrowingLevel, Option<&PowerLimits>); 2] = [
        (NarrowingLevel::GovernedSettings, inputs.governed.map(|file| &file.settings.limits)),
        (NarrowingLevel::Workspace, inputs.workspace.map(|file| &file.settings.limits)),
    ];
    for (level, limits) in levels {
        let Some(limits) = limits else { continue };
        let Narrowed { power: smaller, smaller: parts, findings } = narrow(&power, limits, level);
        power = smaller;
        origins.extend(parts.into_iter().map(|part| (part, level)));
        let file = if level == NarrowingLevel::Workspace { inputs.workspace } else { inputs.governed };
        for finding in findings {
            let place = file.map(|file| file.document.place("/limits"));
            report.push(Diagnostic { place, ..finding });
        }
    }
    (power, origins)
}

/// The validation of all six phases; one that the profile leaves out is off.
fn validation(profile: &ExecutionProfile) -> BTreeMap<String, ResolvedPhase> {
    let phases = profile.validation.phases.parts().into_iter();
    let resolved = phases.map(|(name, phase)| {
        let resolved = match phase {
            None => ResolvedPhase { mode: ValidationMode::Off, default_pack_ref: None, matchers: Vec::new() },
            Some(phase) => ResolvedPhase {
                mode: phase.mode,
                default_pack_ref: phase.default_pack_ref.clone().or_else(|| phase.pack_ref.clone()),
                matchers: phase.matchers.clone(),
            },
        };
        (name.to_owned(), resolved)
    });
    resolved.collect()
}

fn uncanonical(inputs: &ResolveInputs<'_>, error: &CanonError) -> Report {
    let mut report = reported(inputs);
    let found = Diagnostic::new(Severity::Error, codes::NO_CANONICAL_FORM, error.to_string());
    report.push(found.stage("profile").at(inputs.profile.document.place("")));
    report
}

/// Returns the document of a level and a place in it.
pub(crate) fn origin_place(inputs: &ResolveInputs<'_>, value: &EffectiveValue) -> deed_diag::Place {
    let pointer = &value.origin.pointer;
    match value.origin.level {
        Level::Profile => inputs.profile.document.place(pointer),
        Level::Workspace => settings_place(inputs.workspace, pointer),
        Level::GovernedSettings | Level::ConsumerSettings => settings_place(inputs.governed, pointer),
        Level::BuiltIn => SettingsFile::built_in().document.place(pointer),
    }
}

fn settings_place(file: Option<&SettingsFile>, pointer: &str) -> deed_diag::Place {
    file.map_or_else(|| deed_diag::Place::file("settings"), |file| file.document.place(pointer))
}
