//! The transitions as the registry records them, one file each.

mod accept_regression;
mod archive;
mod deprecate;
mod endpoint;
mod lint;
mod object;
mod observe;
mod pin;
mod profile;
mod promote;
mod publish;
mod recheck;
mod review;
mod revoke;
mod revoke_key;
mod set_policy;
mod sign;
mod trust_key;
mod unpin;

pub(crate) use pin::taking;

use crate::error::RegistryError;
use deed_canon::{ContentHash, Envelope};
use deed_diag::{Diagnostic, Place, codes};
use deed_pack::{Candidate, envelope_bytes};

/// The bytes of an envelope and their hash.
fn stored(envelope: &Envelope) -> Result<(Vec<u8>, ContentHash), RegistryError> {
    let bytes = envelope_bytes(envelope).map_err(|e| {
        RegistryError::Refused(vec![
            Diagnostic::error(codes::UNUSABLE_ENVELOPE, e.to_string()).stage("registry").at(Place::file("envelope")),
        ])
    })?;
    let hash = ContentHash::of_bytes(&bytes);
    Ok((bytes, hash))
}

/// The documents of a candidate, to be stored with the statement about them.
fn documents(candidate: &Candidate) -> Vec<Vec<u8>> {
    let overlays = candidate.overlays().iter().map(|o| o.bytes().to_vec());
    let golden = candidate.golden().iter().map(|g| g.bytes().to_vec());
    std::iter::once(candidate.bytes().to_vec()).chain(overlays).chain(golden).collect()
}
