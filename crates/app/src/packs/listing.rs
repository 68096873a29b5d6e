//! Lists versions and events of the registry, and writes signed statements to files.

use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::registry::{error, pack_ref};
use crate::session::Session;
use deed_canon::{ChainHead, Envelope};
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
    let subject = reference.map(pack_ref).transpose()?.map(|reference| format!("pack:{reference}"));
    let (_, registry) = session.registry()?;
    registry.log(&LogFilter { subject, from: None, last }).map_err(error)
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
