//! The validation packs that a profile can refer to: those that ship, its own, and those that a caller adds.

use crate::document::PackFile;
use crate::lint::lint;
use crate::shipped::shipped_packs;
use deed_canon::{CanonError, ContentHash, hash_of};
use deed_model::{VALIDATION_PACK_TAG, ValidationPack};
use schemars::JsonSchema;
use serde::Serialize;

/// The origin of a validation pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PackOrigin {
    /// It ships in the binary.
    Shipped,
    /// It is part of the profile's document.
    Profile,
    /// It is an object of the registry, whose signature was verified.
    Published,
    /// It is a file.
    File,
}

impl PackOrigin {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shipped => "shipped",
            Self::Profile => "profile",
            Self::Published => "published",
            Self::File => "file",
        }
    }
}

/// A pack of a library.
#[derive(Debug, Clone, Copy)]
pub struct FoundPack<'a> {
    /// The pack.
    pub pack: &'a ValidationPack,
    /// Its origin.
    pub origin: PackOrigin,
}

/// The packs that references are looked up in.
#[derive(Debug, Clone, Default)]
pub struct PackLibrary<'a> {
    packs: Vec<FoundPack<'a>>,
}

impl<'a> PackLibrary<'a> {
    /// Collects the shipped packs, those of a profile, those of the registry, and those of files, in this order.
    pub fn of(profile: &'a [ValidationPack], published: &'a [ValidationPack], files: &'a [PackFile]) -> Self {
        let found = |origin: PackOrigin| move |pack: &'a ValidationPack| FoundPack { pack, origin };
        let shipped = shipped_packs().iter().filter_map(PackFile::pack).map(found(PackOrigin::Shipped));
        let own = profile.iter().map(found(PackOrigin::Profile));
        let published = published.iter().map(found(PackOrigin::Published));
        let beside = files.iter().filter_map(PackFile::pack).map(found(PackOrigin::File));
        Self { packs: shipped.chain(own).chain(published).chain(beside).collect() }
    }

    /// Finds a pack by its reference. The first one: no pack takes the place of a shipped one.
    pub fn find(&self, pack_ref: &str) -> Option<FoundPack<'a>> {
        self.packs.iter().copied().find(|found| found.pack.pack_ref == pack_ref)
    }

    /// Returns a reference that stands for two packs with different content, with their origins.
    pub fn contested(&self) -> Option<(&'a str, PackOrigin, PackOrigin)> {
        self.packs.iter().find_map(|found| {
            let first = self.find(&found.pack.pack_ref)?;
            (first.pack != found.pack).then_some((found.pack.pack_ref.as_str(), first.origin, found.origin))
        })
    }

    /// Returns the references of all packs.
    pub fn references(&self) -> Vec<&'a str> {
        self.packs.iter().map(|found| found.pack.pack_ref.as_str()).collect()
    }
}

/// Computes the hash of a pack.
///
/// # Errors
/// It has no canonical form.
pub fn pack_hash(pack: &ValidationPack) -> Result<ContentHash, CanonError> {
    hash_of(&VALIDATION_PACK_TAG, pack)
}

/// Returns the first error of lint on a pack without a file, in words.
pub(crate) fn fault(pack: &ValidationPack) -> Option<String> {
    let bytes = match deed_canon::to_canonical_of(pack) {
        Ok(bytes) => bytes,
        Err(error) => return Some(error.to_string()),
    };
    let file = PackFile::read("pack.json", &bytes).ok()?;
    let errors = lint(&file).report;
    let first = errors.diagnostics().iter().find(|found| found.severity == deed_diag::Severity::Error);
    first.map(|found| match found.place.as_ref().and_then(|place| place.pointer.as_deref()) {
        Some(pointer) => format!("{pointer}: {}", found.message),
        None => found.message.clone(),
    })
}

impl FoundPack<'_> {
    /// Returns the reason why the pack cannot be used, if there is one.
    pub fn fault(&self) -> Option<String> {
        match self.origin {
            PackOrigin::Shipped => None,
            PackOrigin::Profile | PackOrigin::Published | PackOrigin::File => fault(self.pack),
        }
    }
}
