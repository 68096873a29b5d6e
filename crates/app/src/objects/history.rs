//! The events of a profile, a prompt or a validation pack, from the audit log.

use crate::error::AppError;
use crate::profiles;
use crate::registry::error;
use crate::session::Session;
use deed_model::{ObjectRef, RegistryEvent};
use deed_pack::Endings;
use deed_store::LogFilter;
use schemars::JsonSchema;
use serde::Serialize;

/// An event in the life of a published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HistoryEntry {
    /// Its place in the audit log.
    pub seq: u64,
    /// The time.
    pub at: String,
    /// The actor.
    pub actor: String,
    /// The event, such as `profile_bound`.
    pub event: String,
    /// The scope, the reason or the key, in words.
    pub detail: String,
}

/// Returns the events of a subject, such as `profile:team@1.0.0` or `valpack:valpack.acme.orders@v1`, in order; none without
/// a home.
///
/// # Errors
/// The log is damaged or cannot be read.
pub fn history(session: &Session, subject: &str) -> Result<Vec<HistoryEntry>, AppError> {
    if session.maybe_home()?.is_none() {
        return Ok(Vec::new());
    }
    let (_, registry) = session.registry()?;
    let filter = LogFilter { subject: Some("profiles".to_owned()), ..LogFilter::default() };
    let entries = registry.log(&filter).map_err(error)?.into_iter();
    let own = entries.filter(|entry| entry.event.event.subjects().iter().any(|own| own == subject));
    let shown = own.map(|entry| HistoryEntry {
        seq: entry.link.seq,
        at: entry.event.at,
        actor: entry.event.actor,
        event: entry.event.event.name().to_owned(),
        detail: detail(&entry.event.event),
    });
    Ok(shown.collect())
}

/// Returns how the life of a published object ended, and its events; none of either if it is not published.
///
/// # Errors
/// The registry cannot be read.
pub fn life(session: &Session, object: &ObjectRef) -> Result<(Option<Endings>, Vec<HistoryEntry>), AppError> {
    match profiles::registered(session)?.object(object) {
        None => Ok((None, Vec::new())),
        Some(published) => Ok((Some(published.endings.clone()), history(session, &object.subject())?)),
    }
}

fn detail(event: &RegistryEvent) -> String {
    match event {
        RegistryEvent::ProfilePublished { key_id, .. } | RegistryEvent::ObjectPublished { key_id, .. } => {
            format!("signed by {key_id}")
        }
        RegistryEvent::ProfileBound { scope, .. } => scope.to_string(),
        RegistryEvent::ProfileUnbound { scope, reason, .. } => format!("{scope}: {reason}"),
        RegistryEvent::ProfileDeprecated { reason, .. }
        | RegistryEvent::ProfileRevoked { reason, .. }
        | RegistryEvent::ObjectDeprecated { reason, .. }
        | RegistryEvent::ObjectRevoked { reason, .. } => reason.clone(),
        _ => String::new(),
    }
}
