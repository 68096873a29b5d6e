//! The documents that a profile may name: the objects of the registry that it names, and the packs beside its file.

use crate::error::{AppError, ErrorKind};
use crate::registry::error;
use crate::session::Session;
use deed_model::{
    ConsumerBinding, ExecutionProfile, ObjectKind, ObjectRef, PhaseValidation, PromptBinding, PromptRef, ValidationPack,
};
use deed_pack::{ProfileRegistry, Purpose};
use deed_profile::{Objects, ProfileFile, RefusedObject, SettingsFile, shipped_prompts};
use deed_store::Registry;
use deed_validation::{PackFile, shipped_pack};
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

/// The documents that a profile may name besides those that ship and its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoadedObjects {
    packs: Vec<ValidationPack>,
    prompts: Vec<PromptBinding>,
    refused: Vec<RefusedObject>,
    beside: Vec<PackFile>,
}

impl LoadedObjects {
    /// Loads what a profile names from the registry, if there is one, and proves it. What may not be used for new work is
    /// kept as refused, so that the finding stands where the profile names it.
    ///
    /// # Errors
    /// The registry cannot be read.
    pub(crate) fn of(
        session: &Session,
        profile: &ProfileFile,
        settings: &[Option<&SettingsFile>],
        beside: Vec<PackFile>,
    ) -> Result<Self, AppError> {
        let mut loaded = Self { beside, ..Self::default() };
        if let (Some(typed), Some(_)) = (profile.profile(), session.maybe_home()?) {
            let (_, registry) = session.registry()?;
            let state = registry.profiles().map_err(error)?;
            for object in loaded.wanted(typed, settings, &state) {
                loaded.load(&registry, &object)?;
            }
        }
        Ok(loaded)
    }

    /// Returns the documents in the form in which a profile is judged and resolved.
    pub(crate) fn as_objects(&self) -> Objects<'_> {
        Objects { packs: &self.packs, prompts: &self.prompts, refused: &self.refused, beside: &self.beside }
    }

    /// Returns the published objects whose references stand in the profile, in settings or in files beside it. What ships
    /// is never looked up.
    fn wanted(
        &self,
        profile: &ExecutionProfile,
        settings: &[Option<&SettingsFile>],
        state: &ProfileRegistry,
    ) -> BTreeSet<ObjectRef> {
        let phases = profile.validation.phases.parts().into_iter().filter_map(|(_, phase)| phase).flat_map(packs_of);
        let own = profile.validation.packs.iter().map(|pack| pack.pack_ref.clone());
        let beside = self.beside.iter().filter_map(PackFile::pack).map(|pack| pack.pack_ref.clone());
        let packs = phases.chain(own).chain(beside).filter(|name| shipped_pack(name).is_none());
        let packs = packs.map(|name| ObjectRef { kind: ObjectKind::ValidationPack, name });
        let bound = profile.prompt_references().into_iter();
        let of_settings = settings.iter().flatten().flat_map(|file| {
            let of = |binding: &ConsumerBinding| binding.prompt_binding_ref.clone();
            let all = std::iter::once(&file.settings.defaults).chain(file.settings.consumers.values());
            all.filter_map(of).collect::<Vec<_>>()
        });
        let prompts = bound.chain(of_settings).chain(profile.prompts.iter().map(|own| own.prompt_ref.clone()));
        let prompts = prompts.filter_map(|text| text.parse().ok()).flat_map(|wanted| versions(&wanted, state));
        packs.chain(prompts).filter(|object| state.object(object).is_some()).collect()
    }

    fn load(&mut self, registry: &Registry, object: &ObjectRef) -> Result<(), AppError> {
        let candidate = match registry.load_object(object, Purpose::NewWork).map_err(error) {
            Ok(candidate) => candidate,
            Err(refused) if refused.kind == ErrorKind::Refused => {
                let reasons = refused.report.diagnostics().iter().take(1).cloned();
                self.refused.extend(reasons.map(|reason| RefusedObject { object: object.clone(), reason }));
                return Ok(());
            }
            Err(broken) => return Err(broken),
        };
        match object.kind {
            ObjectKind::Prompt => self.prompts.push(typed(candidate.bytes())?),
            ObjectKind::ValidationPack => self.packs.push(typed(candidate.bytes())?),
        }
        Ok(())
    }
}

fn typed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, AppError> {
    serde_json::from_slice(bytes).map_err(AppError::internal)
}

fn packs_of(phase: &PhaseValidation) -> Vec<String> {
    let own = phase.pack_ref.iter().chain(&phase.default_pack_ref);
    own.chain(phase.matchers.iter().map(|matcher| &matcher.pack_ref)).cloned().collect()
}

/// Returns the published prompt of a reference; without a version all that may still be used.
fn versions(wanted: &PromptRef, state: &ProfileRegistry) -> Vec<ObjectRef> {
    let text = wanted.to_string();
    if shipped_prompts().iter().any(|shipped| shipped.prompt_ref == text) {
        return Vec::new();
    }
    if wanted.version.is_some() {
        return vec![ObjectRef::prompt(&text)];
    }
    let live = state.objects().filter(|(object, found)| {
        let same = object.name.parse::<PromptRef>().is_ok_and(|known| known.prompt_id == wanted.prompt_id);
        object.kind == ObjectKind::Prompt && same && found.endings.reason().is_none()
    });
    live.map(|(object, _)| object.clone()).collect()
}
