//! Signs and publishes prompts and validation packs.

use crate::error::AppError;
use crate::keys::signing_key;
use crate::registry::error;
use crate::session::Session;
use deed_canon::{CanonError, ContentHash, KeyId};
use deed_diag::Report;
use deed_model::ObjectRef;
use deed_pack::ObjectCandidate;
use deed_store::Outcome;

/// A prompt or a validation pack that was published.
#[derive(Debug)]
pub struct PublishedObject {
    /// The object.
    pub object: ObjectRef,
    /// The hash of its document.
    pub content_hash: ContentHash,
    /// The issuer.
    pub issuer: String,
    /// The key that signed.
    pub key_id: KeyId,
    /// The recorded event.
    pub outcome: Outcome,
    /// Warnings of lint.
    pub warnings: Report,
}

/// Signs a document for an issuer, the tenant of the registry unless another is named, and publishes it.
pub(crate) fn publish(
    session: &Session,
    candidate: impl FnOnce(&str) -> Result<ObjectCandidate, CanonError>,
    (key, issuer): (&str, Option<&str>),
    warnings: Report,
) -> Result<PublishedObject, AppError> {
    let (home, registry) = session.registry()?;
    let issuer = issuer.map_or_else(|| home.config.tenant.clone(), str::to_owned);
    let candidate = candidate(&issuer).map_err(AppError::internal)?;
    let key = signing_key(&home, key)?;
    let envelope = candidate.statement().map_err(AppError::internal)?.sign(&key).map_err(AppError::internal)?;
    let outcome = registry.publish_object(&candidate, &envelope, &session.stamp()?).map_err(error)?;
    Ok(PublishedObject {
        object: candidate.object().clone(),
        content_hash: candidate.content_hash(),
        issuer,
        key_id: key.public().id(),
        outcome,
        warnings,
    })
}
