//! Verifies every publication as of today: revoking a key invalidates the signatures that it made before.

use crate::blobs::Blobs;
use crate::error::RegistryError;
use crate::evidence::{Evidence, documents};
use deed_diag::{Diagnostic, Place, codes};
use deed_pack::{PackHistory, RegistryState, verify_publication};

/// Returns a warning for each version that is not revoked and can no longer be loaded.
pub(super) fn check(blobs: &Blobs, state: &RegistryState) -> Vec<Diagnostic> {
    let standing = state.packs().filter(|history| history.revocation.is_none());
    standing.flat_map(|history| publication(blobs, history, state)).collect()
}

fn publication(blobs: &Blobs, history: &PackHistory, state: &RegistryState) -> Vec<Diagnostic> {
    let Some(publication) = &history.publication else { return Vec::new() };
    let prove = || -> Result<(), RegistryError> {
        let candidate = documents(blobs, publication)?;
        let Evidence { signatures, reviews } = Evidence::read(blobs, history, &publication.content_hash)?;
        verify_publication(history, &state.trust, &candidate, &signatures, &reviews)?;
        Ok(())
    };
    match prove() {
        Ok(()) => Vec::new(),
        Err(RegistryError::Refused(why)) => why.iter().map(|d| no_longer_holds(history, d)).collect(),
        // A file that cannot be read is reported where the files are checked.
        Err(RegistryError::Environment(_)) => Vec::new(),
    }
}

fn no_longer_holds(history: &PackHistory, why: &Diagnostic) -> Diagnostic {
    Diagnostic::warning(
        codes::VERSION_NO_LONGER_HOLDS,
        format!("`{}` can no longer be used: {}", history.pack_ref, why.message),
    )
    .stage("registry")
    .at(Place::file(format!("pack:{}", history.pack_ref)))
    .help("have another key review or sign the same documents, or revoke the version")
}
