//! The profiles that ship in the binary.

use crate::document::ProfileFile;
use deed_diag::Invariant as _;
use std::sync::LazyLock;

static SHIPPED: LazyLock<[ProfileFile; 2]> = LazyLock::new(|| {
    [
        embedded("strict-compliance", include_str!("strict-compliance.yaml")),
        embedded("fast-prototype", include_str!("fast-prototype.yaml")),
    ]
});

fn embedded(id: &str, text: &str) -> ProfileFile {
    let name = format!("shipped:{id}.yaml");
    ProfileFile::read(&name, text.as_bytes()).ok().invariant("a shipped profile is a document")
}

/// Returns the profiles that ship in the binary.
pub fn shipped_profiles() -> &'static [ProfileFile] {
    SHIPPED.as_slice()
}

/// Returns a shipped profile by its id, or by its id and version.
///
/// ```
/// assert!(deed_profile::shipped_profile("fast-prototype").is_some());
/// assert!(deed_profile::shipped_profile("fast-prototype@1.0.0").is_some());
/// assert!(deed_profile::shipped_profile("fast-prototype@9.0.0").is_none());
/// ```
pub fn shipped_profile(name: &str) -> Option<&'static ProfileFile> {
    let (id, version) = name.split_once('@').map_or((name, None), |(id, version)| (id, Some(version)));
    shipped_profiles().iter().find(|file| {
        file.profile().is_some_and(|profile| profile.profile_id == id && version.is_none_or(|v| v == profile.version))
    })
}
