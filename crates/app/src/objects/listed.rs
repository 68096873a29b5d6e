//! The published prompts or validation packs with their states.

use crate::error::{AppError, ErrorKind};
use crate::profiles;
use crate::registry::error;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_model::{ObjectKind, ObjectRef, ProfileRef};
use deed_pack::{ObjectCandidate, PublishedState, Purpose};

/// A published prompt or validation pack.
#[derive(Debug, Clone)]
pub struct ListedObject {
    /// The object.
    pub object: ObjectRef,
    /// The hash of its document.
    pub content_hash: ContentHash,
    /// Its state.
    pub state: PublishedState,
    /// The reason why it may not be used: it ended, or its signature is no longer valid.
    pub reason: Option<String>,
    /// The published profiles that may still be used and name it.
    pub named_by: Vec<ProfileRef>,
    /// The document; none if its signature is no longer valid.
    pub candidate: Option<ObjectCandidate>,
}

/// Lists the published objects of a kind, by name; none without a home.
///
/// # Errors
/// The registry cannot be read.
pub fn listed(session: &Session, kind: ObjectKind) -> Result<Vec<ListedObject>, AppError> {
    let state = profiles::registered(session)?;
    if state.objects().next().is_none() {
        return Ok(Vec::new());
    }
    let (_, registry) = session.registry()?;
    let of_kind = state.objects().filter(|(object, _)| object.kind == kind);
    let listed = of_kind.map(|(object, published)| {
        let ended = published.endings.reason().map(str::to_owned);
        let (candidate, fault) = match registry.load_object(object, Purpose::Audit).map_err(error) {
            Ok(candidate) => (Some(candidate), None),
            Err(refused) if refused.kind == ErrorKind::Refused => {
                (None, refused.report.diagnostics().first().map(|found| found.message.clone()))
            }
            Err(broken) => return Err(broken),
        };
        Ok(ListedObject {
            object: object.clone(),
            content_hash: published.content_hash,
            state: published.endings.state(),
            reason: ended.or(fault),
            named_by: state.naming(object).into_iter().cloned().collect(),
            candidate,
        })
    });
    listed.collect()
}
