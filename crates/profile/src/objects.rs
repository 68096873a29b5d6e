//! What a profile may name besides what ships and what it holds: published prompts and validation packs, and packs beside its
//! file.

use deed_diag::Diagnostic;
use deed_model::{ObjectRef, PromptBinding, ValidationPack};
use deed_validation::{PackFile, PackLibrary};

/// Documents that a profile may name. A reference is looked up in this order: what ships, the profile itself, the registry,
/// the folder beside its file. One reference with two contents is refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct Objects<'a> {
    /// Validation packs of the registry.
    pub packs: &'a [ValidationPack],
    /// Prompts of the registry.
    pub prompts: &'a [PromptBinding],
    /// Objects of the registry that may not be used.
    pub refused: &'a [RefusedObject],
    /// Validation packs beside the profile's file.
    pub beside: &'a [PackFile],
}

/// An object of the registry that may not be used: it ended, or its signature is no longer valid.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedObject {
    /// The object.
    pub object: ObjectRef,
    /// The reason.
    pub reason: Diagnostic,
}

impl<'a> Objects<'a> {
    /// Returns the reason why an object may not be used, at a place that names it.
    pub(crate) fn refusal(&self, object: &ObjectRef, at: deed_diag::Place) -> Option<Diagnostic> {
        let refused = self.refused.iter().find(|refused| refused.object == *object)?;
        let mut found = refused.reason.clone();
        if let Some(place) = found.place.replace(at) {
            found = found.related(place, "the published version");
        }
        Some(found)
    }

    /// Collects the packs that references are looked up in.
    pub(crate) fn library(&self, own: &'a [ValidationPack]) -> PackLibrary<'a> {
        PackLibrary::of(own, self.packs, self.beside)
    }
}
