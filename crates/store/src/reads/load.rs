//! Loading a published version, which verifies its events, bytes, hashes, signature, reviews and state.

use crate::blobs::Blobs;
use crate::error::RegistryError;
use crate::evidence::{Evidence, current_pin, documents, history, trust_of};
use crate::log::Log;
use crate::registry::Registry;
use deed_canon::ChainHead;
use deed_diag::{Diagnostic, Place, codes};
use deed_model::PackRef;
use deed_pack::{
    Candidate, EnvironmentKey, PackHistory, PinRecord, Publication, PublicationProof, Purpose, may_use,
    verify_publication,
};

/// A published version that was verified.
#[derive(Debug, Clone)]
pub struct LoadedPack {
    /// Its documents, typed and hashed.
    pub candidate: Candidate,
    /// Its publication, as the log records it.
    pub publication: Publication,
    /// The keys that signed and reviewed it.
    pub proof: PublicationProof,
    /// The pin that named it; none if it was named by its version.
    pub pin: Option<PinRecord>,
    /// The end of the log at that moment.
    pub head: Option<ChainHead>,
}

impl Registry {
    /// Loads a version: deprecated ones for replay and audit only, revoked ones for audit only.
    ///
    /// # Errors
    /// The version is unknown, may not be used for this purpose, or does not verify; or the log is damaged.
    pub fn load(&self, pack_ref: &PackRef, purpose: Purpose) -> Result<LoadedPack, RegistryError> {
        self.read_log(|log| {
            let history = history(log, pack_ref)?;
            may_use(&history, purpose)?;
            prove(log, &self.blobs, &history)
        })
    }

    /// Loads the version that an environment of a tenant uses, for new work.
    ///
    /// # Errors
    /// Nothing is pinned, the version is not shared with the tenant or may not be used, or it does not verify; or the log
    /// is damaged.
    pub fn load_pinned(&self, environment: &str, pack_id: &str, tenant_id: &str) -> Result<LoadedPack, RegistryError> {
        self.read_log(|log| {
            let key = EnvironmentKey {
                tenant_id: tenant_id.to_owned(),
                environment: environment.to_owned(),
                pack_id: pack_id.to_owned(),
            };
            let state = current_pin(log, key)?;
            let pin = state.current().ok_or_else(|| vec![nothing_pinned(&state.key)])?;
            let history = history(log, &pin.pack_ref)?;
            let publication = may_use(&history, Purpose::NewWork)?;
            if publication.tenant_id != tenant_id && !publication.shared {
                return Err(vec![foreign(&history, tenant_id)].into());
            }
            if publication.content_hash != pin.content_hash {
                return Err(vec![pinned_otherwise(&history, pin.seq)].into());
            }
            Ok(LoadedPack { pin: Some(pin.clone()), ..prove(log, &self.blobs, &history)? })
        })
    }
}

/// Verifies a publication: its documents, signatures and reviews.
pub(crate) fn prove(log: &Log<'_>, blobs: &Blobs, history: &PackHistory) -> Result<LoadedPack, RegistryError> {
    let publication = may_use(history, Purpose::Audit)?.clone();
    let candidate = documents(blobs, &publication)?;
    let evidence = Evidence::read(blobs, history, &publication.content_hash)?;
    let trust = trust_of(log, &evidence.keys())?;
    let proof = verify_publication(history, &trust, &candidate, &evidence.signatures, &evidence.reviews)?;
    Ok(LoadedPack { candidate, publication, proof, pin: None, head: log.head() })
}

fn nothing_pinned(key: &EnvironmentKey) -> Diagnostic {
    let EnvironmentKey { tenant_id, environment, pack_id } = key;
    Diagnostic::error(
        codes::NOTHING_PINNED,
        format!("the environment `{environment}` of `{tenant_id}` has no version of `{pack_id}` pinned"),
    )
    .stage("registry")
    .at(Place::file(format!("environment:{environment}:{pack_id}")))
    .help("pin a published version with `deed pack pin`; `deed pack list` shows them")
}

fn foreign(history: &PackHistory, tenant_id: &str) -> Diagnostic {
    Diagnostic::error(
        codes::FOREIGN_TENANT,
        format!("`{}` is not shared with the tenant `{tenant_id}`", history.pack_ref),
    )
    .stage("registry")
    .at(Place::file(format!("pack:{}", history.pack_ref)))
    .help("pin a pack of the tenant's own, or one with `pack_meta.shared: true`")
}

fn pinned_otherwise(history: &PackHistory, seq: u64) -> Diagnostic {
    Diagnostic::error(codes::STORED_DOCUMENTS_DISAGREE, format!("event {seq} pins a document that was not published"))
        .stage("registry")
        .at(Place::file(format!("pack:{}", history.pack_ref)))
        .help("run `deed pack verify`: the log contradicts itself")
}
