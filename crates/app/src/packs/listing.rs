//! Lists versions and events of the registry, and writes signed statements to files.

use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::registry::{error, known_ref};
use crate::session::Session;
use deed_canon::{ChainHead, Envelope, timestamp};
use deed_model::{PackRef, RegistryEvent};
use deed_pack::envelope_bytes;
use deed_store::{LogEntry, LogFilter, PackListing};
use std::path::Path;

/// Lists the versions in the registry, or those of one pack.
///
/// # Errors
/// The registry cannot be used.
pub fn versions(session: &Session, pack_id: Option<&str>) -> Result<Vec<PackListing>, AppError> {
    let (_, registry) = session.registry()?;
    let mut listed = registry.list().map_err(error)?;
    listed.retain(|entry| pack_id.is_none_or(|id| id == entry.pack_ref.pack_id));
    Ok(listed)
}

/// Reads the audit log, or the events of one version, or the last so many. Every link is checked.
///
/// # Errors
/// The reference is malformed, or the log does not hold.
pub fn log(session: &Session, reference: Option<&str>, last: Option<usize>) -> Result<Vec<LogEntry>, AppError> {
    let subject =
        reference.map(|text| known_ref(session, text)).transpose()?.map(|reference| format!("pack:{reference}"));
    let (_, registry) = session.registry()?;
    registry.log(&LogFilter { subject, from: None, last }).map_err(error)
}

/// The age of the copy of a version that the registry holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyAge {
    /// The last time that an event recorded its verification: its publication, or a pin.
    pub taken_at: String,
    /// The instant from which it counts as stale: that time and the pack's `ttl_seconds`.
    pub fresh_until: String,
    /// True if that instant has passed. The copy is verified from its bytes at every load, stale or not.
    pub stale: bool,
}

/// Returns the age of the copy of a published version; none if it is not published, or without a registry.
///
/// # Errors
/// The registry cannot be read, or the session's time cannot be used.
pub fn copy_age(session: &Session, pack_ref: &PackRef, ttl_seconds: u64) -> Result<Option<CopyAge>, AppError> {
    if session.maybe_home()?.is_none() {
        return Ok(None);
    }
    let entries = log(session, Some(&pack_ref.to_string()), None)?;
    let verified = entries.iter().rev().find(|entry| {
        matches!(entry.event.event, RegistryEvent::PackPublished { .. } | RegistryEvent::PackPinned { .. })
    });
    let Some(taken_at) = verified.map(|entry| entry.event.at.clone()) else { return Ok(None) };
    let time =
        |text: &str| timestamp(text).ok_or_else(|| AppError::internal(format!("the audit log has `{text}` as a time")));
    let (taken, now) = (time(&taken_at)?, time(&session.stamp()?.at)?);
    let seconds = i64::try_from(ttl_seconds).unwrap_or(i64::MAX);
    let until = taken.checked_add(jiff::SignedDuration::from_secs(seconds)).unwrap_or(jiff::Timestamp::MAX);
    Ok(Some(CopyAge { taken_at, fresh_until: until.to_string(), stale: until <= now }))
}

/// The end of the audit log; none if the log is empty.
///
/// # Errors
/// The registry cannot be used.
pub fn head(session: &Session) -> Result<Option<ChainHead>, AppError> {
    let (_, registry) = session.registry()?;
    registry.head().map_err(error)
}

/// Writes a signed statement to a file, for offline verification.
///
/// # Errors
/// The file cannot be written.
pub fn write_envelope(path: &Path, envelope: &Envelope) -> Result<(), AppError> {
    let bytes = envelope_bytes(envelope).map_err(AppError::internal)?;
    files::write(path, &bytes, Existing::Replace, Access::Shared)
}
