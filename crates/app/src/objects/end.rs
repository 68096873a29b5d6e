//! Deprecates and revokes prompts and validation packs.

use crate::error::AppError;
use crate::registry::{error, without_secret};
use crate::session::Session;
use deed_model::ObjectRef;
use deed_pack::{EndOfUse, PinnedUse};
use deed_store::Outcome;

/// A prompt or a validation pack that was deprecated or revoked.
#[derive(Debug)]
pub struct EndedObject {
    /// The object.
    pub object: ObjectRef,
    /// The recorded event.
    pub outcome: Outcome,
}

/// Ends a published prompt or validation pack: no profile may name it for new runs.
///
/// # Errors
/// It is not published, profiles name it and are not to be stopped, or the reason is empty or holds a secret.
pub fn end(
    session: &Session,
    object: ObjectRef,
    (how, reason): (EndOfUse, &str),
    in_use: PinnedUse,
) -> Result<EndedObject, AppError> {
    let (_, registry) = session.registry()?;
    let reason = without_secret("--reason", reason)?;
    let outcome = registry.end_object(&object, (how, reason), in_use, &session.stamp()?).map_err(error)?;
    Ok(EndedObject { object, outcome })
}
