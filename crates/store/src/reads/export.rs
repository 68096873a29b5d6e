//! A published version with every envelope that is recorded for it.

use crate::error::RegistryError;
use crate::evidence::{Evidence, history};
use crate::reads::{LoadedPack, prove};
use crate::registry::Registry;
use deed_canon::Envelope;
use deed_model::PackRef;
use deed_pack::{Purpose, may_use};

/// A published version to be brought to another registry.
#[derive(Debug, Clone)]
pub struct ExportedPack {
    /// The version, proven.
    pub loaded: LoadedPack,
    /// The signed statements of reviewers, in order.
    pub reviews: Vec<Envelope>,
    /// The signed statements of the issuer, in order.
    pub signatures: Vec<Envelope>,
}

impl Registry {
    /// Reads a version with its envelopes. A revoked version is handed on for an audit alone.
    ///
    /// # Errors
    /// The version is unknown, is revoked and not read for an audit, or does not verify; or the log is damaged.
    pub fn export(&self, pack_ref: &PackRef, purpose: Purpose) -> Result<ExportedPack, RegistryError> {
        self.read_log(|log| {
            let history = history(log, pack_ref)?;
            let publication = may_use(&history, purpose)?;
            let evidence = Evidence::read(&self.blobs, &history, &publication.content_hash)?;
            Ok(ExportedPack {
                loaded: prove(log, &self.blobs, &history)?,
                reviews: evidence.reviews.into_iter().map(|r| r.envelope).collect(),
                signatures: evidence.signatures.into_iter().map(|s| s.envelope).collect(),
            })
        })
    }
}
