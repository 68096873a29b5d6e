//! The list of pack versions with their states.

use crate::blobs::Blobs;
use crate::error::RegistryError;
use crate::evidence::{candidate, envelope};
use crate::registry::Registry;
use deed_canon::ContentHash;
use deed_model::{PackRef, ReviewRole};
use deed_pack::{Candidate, PackHistory, PackState, PinnedEnvironment, RegistryState, Trust, documents_of};

/// A pack version and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackListing {
    /// The version.
    pub pack_ref: PackRef,
    /// Its state.
    pub state: PackState,
    /// The published document, or else the one that was worked on last.
    pub content_hash: Option<ContentHash>,
    /// The tenant it belongs to, once a document of it is stored.
    pub tenant_id: Option<String>,
    /// The roles that have signed off on the document.
    pub reviewed_by: Vec<ReviewRole>,
    /// The environments that use it now.
    pub pinned_in: Vec<PinnedEnvironment>,
    /// The reason it was deprecated or revoked.
    pub reason: Option<String>,
}

impl Registry {
    /// Lists every pack version, by id and version. The whole chain is verified.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn list(&self) -> Result<Vec<PackListing>, RegistryError> {
        let entries = self.read_log(|log| log.whole())?;
        let state = RegistryState::fold(entries.iter().map(|e| (e.link.seq, &e.event)));
        Ok(state.packs().map(|history| listing(&self.blobs, history, &state.trust)).collect())
    }
}

impl Registry {
    /// The documents of a version that were reviewed last, before its publication; none if nothing was reviewed, or the
    /// documents cannot be read, which `verify` reports.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn reviewed(&self, pack_ref: &PackRef) -> Result<Option<Candidate>, RegistryError> {
        let (history, trust) = (self.history(pack_ref)?, self.trust()?);
        Ok(reviewed_document(&self.blobs, &history, &trust))
    }
}

fn listing(blobs: &Blobs, history: &PackHistory, trust: &Trust) -> PackListing {
    let draft = if history.publication.is_none() { reviewed_document(blobs, history, trust) } else { None };
    let required = draft.as_ref().map_or(ReviewRole::ALL.to_vec(), Candidate::required_reviews);
    let current = history.current();
    let mut roles: Vec<ReviewRole> =
        current.and_then(|(_, c)| c).map(|c| c.reviews.iter().map(|r| r.role).collect()).unwrap_or_default();
    roles.sort_unstable();
    roles.dedup();
    let published = history.publication.as_ref().map(|p| p.tenant_id.clone());
    let ending = history.revocation.as_ref().or(history.deprecation.as_ref());
    PackListing {
        pack_ref: history.pack_ref.clone(),
        state: history.state(&required),
        content_hash: current.map(|(hash, _)| *hash),
        tenant_id: published.or_else(|| draft.map(|d| d.tenant_id().to_owned())),
        reviewed_by: roles,
        pinned_in: history.pinned_in.iter().cloned().collect(),
        reason: ending.map(|e| e.reason.clone()),
    }
}

/// The document that was reviewed last, which states the reviews that its policy requires. Without one the caller
/// assumes the strictest policy: nothing was reviewed, or the document cannot be read, which `verify` reports.
fn reviewed_document(blobs: &Blobs, history: &PackHistory, trust: &Trust) -> Option<Candidate> {
    let (_, current) = history.current()?;
    let review = current?.reviews.last()?;
    let named = documents_of(&envelope(blobs, &review.envelope).ok()?, trust).ok()?;
    candidate(blobs, &named).ok()
}
