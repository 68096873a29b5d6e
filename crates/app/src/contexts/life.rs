//! Lives of packets on disk: a file beside each recording, which is only ever replaced by a longer one.
//!
//! A writer holds the lock of the recording, which itself is never written again, so two writers lose no entry. The file is
//! replaced as a whole: a crash leaves the life before or after.

use super::archive::Archived;
use super::origin::cannot_supersede;
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::session::Session;
use deed_context::{Hydrations, LifeFault, extended, may_take_place, superseded_event, verify_life};
use deed_diag::{Diagnostic, Place, Report, codes, quote};
use deed_model::{PacketEvent, PacketLife, ReplayBundle, ReplayResult, schema_for};
use deed_schema::Shape;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of the life of a recording: `refund.json.life` beside `refund.json`. A link is followed.
///
/// # Errors
/// The recording is not there.
pub fn life_path(recording: &Path) -> Result<PathBuf, AppError> {
    let path = fs::canonicalize(recording).map_err(|error| AppError::reading(recording, &error))?;
    let mut name = path.file_name().map(OsString::from).ok_or_else(|| {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a file");
        AppError::reading(recording, &error)
    })?;
    name.push(".life");
    Ok(path.with_file_name(name))
}

/// Reads the life of a recording; none if nothing happened to it yet.
///
/// # Errors
/// The file cannot be read, or is not the life of this recording as it was written.
pub fn read_life(recording: &Path, bundle: &ReplayBundle) -> Result<Option<PacketLife>, AppError> {
    let path = life_path(recording)?;
    if !path.exists() {
        return Ok(None);
    }
    let document = files::document_as(&path, deed_diag::Format::Json)?;
    let life = PacketLife::deserialize(document.value()).map_err(|error| {
        let mut report = Report::default();
        report.add_source(document.source().clone());
        report.push(damaged(&path, "it is not the life of a packet"));
        let findings = Shape::new(schema_for::<PacketLife>()).findings(&document);
        match findings.is_empty() {
            true => report.push(damaged(&path, &error.to_string())),
            false => findings.into_iter().take(5).for_each(|finding| report.push(finding.stage("packet"))),
        }
        AppError::from(report)
    })?;
    verify_life(&life, bundle).map_err(|fault| AppError::refused(damaged(&path, &fault.to_string())))?;
    Ok(Some(life))
}

fn damaged(path: &Path, why: &str) -> Diagnostic {
    Diagnostic::error(codes::LIFE_DAMAGED, why.to_owned())
        .stage("packet")
        .at(Place::file(path.display().to_string()))
        .help("restore it; if that is not possible, move it away: the recording itself is not affected")
}

/// Appends an event to the life of a recording and returns the longer life.
///
/// # Errors
/// The life is damaged or cannot be written, or the packet was superseded.
pub fn append(recording: &Path, bundle: &ReplayBundle, event: PacketEvent) -> Result<PacketLife, AppError> {
    let _held = hold(recording)?;
    append_held(recording, bundle, event)
}

/// Takes the lock of a recording.
fn hold(recording: &Path) -> Result<fs::File, AppError> {
    let held = fs::File::open(recording).map_err(|error| AppError::reading(recording, &error))?;
    held.lock().map_err(|error| AppError::writing(recording, &error))?;
    Ok(held)
}

/// Takes the locks of two recordings, in an order that is the same for every process.
pub(super) fn hold_both(one: &Path, other: &Path) -> Result<Vec<fs::File>, AppError> {
    let located = |path: &Path| fs::canonicalize(path).map_err(|error| AppError::reading(path, &error));
    let paths = BTreeSet::from([located(one)?, located(other)?]);
    paths.iter().map(|path| hold(path)).collect()
}

/// Appends an event while the caller holds the lock of the recording.
fn append_held(recording: &Path, bundle: &ReplayBundle, event: PacketEvent) -> Result<PacketLife, AppError> {
    let life = read_life(recording, bundle)?;
    let path = life_path(recording)?;
    let life = extended(life, bundle, event).map_err(|fault| refused(&path, &fault))?;
    let value = serde_json::to_value(&life).map_err(AppError::internal)?;
    files::write(&path, format!("{value:#}\n").as_bytes(), Existing::Replace, Access::Private)?;
    Ok(life)
}

fn refused(path: &Path, fault: &LifeFault) -> AppError {
    let place = Place::file(path.display().to_string());
    let diagnostic = match fault {
        LifeFault::MayNotFollow { before: ReplayResult::Superseded, .. } => {
            let message = "the packet was superseded, and nothing is appended to its life";
            Diagnostic::error(codes::PACKET_SUPERSEDED, message).help("replay the packet that has taken its place")
        }
        fault => damaged(path, &fault.to_string()),
    };
    AppError::refused(diagnostic.stage("packet").at(place))
}

/// Returns the packet that has taken the place of this one.
pub(super) fn successor(life: Option<&PacketLife>) -> Option<&str> {
    life?.entries.last()?.event.superseded_by.as_deref()
}

/// Refuses a packet that cannot take the place of an older one. Returns true if it has taken it already.
pub(super) fn may_supersede(path: &Path, older: &Archived, newer: &ReplayBundle) -> Result<bool, AppError> {
    let packet = newer.packet.packet_id.as_str();
    if older.bundle.packet.packet_id == packet {
        return Err(cannot_supersede(path, "it is the same packet", packet));
    }
    let life = read_life(path, &older.bundle)?;
    match successor(life.as_ref()) {
        Some(other) if other != packet => {
            return Err(cannot_supersede(path, &format!("{} has taken it", quote(other)), packet));
        }
        Some(_) => return Ok(true),
        None => {}
    }
    may_take_place(&older.bundle, newer, &Hydrations::new())
        .map_err(|fault| cannot_supersede(path, &fault.to_string(), packet))?;
    Ok(false)
}

/// Refuses a packet that is not current itself, or whose place the older one claims: no packet supersedes itself by way of
/// others.
pub(super) fn is_current(path: &Path, newer: (&Path, &ReplayBundle), older: &Archived) -> Result<(), AppError> {
    let (newer_path, bundle) = newer;
    let packet = bundle.packet.packet_id.as_str();
    let life = read_life(newer_path, bundle)?;
    if let Some(other) = successor(life.as_ref()) {
        return Err(cannot_supersede(path, &format!("{} has taken its own place", quote(other)), packet));
    }
    let mut named = older.bundle.packet.supersedes.clone();
    let mut passed = BTreeSet::new();
    while let Some(claimed) = named.take().filter(|claimed| passed.insert(claimed.clone())) {
        if claimed == packet {
            return Err(cannot_supersede(path, "the older one states that it supersedes it", packet));
        }
        named = claims(&[path, newer_path], &claimed)?;
    }
    Ok(())
}

/// Returns the packet that another one, beside these recordings, states to supersede.
fn claims(beside: &[&Path], packet: &str) -> Result<Option<String>, AppError> {
    let folders: BTreeSet<PathBuf> =
        beside.iter().filter_map(|path| fs::canonicalize(path).ok()?.parent().map(Path::to_owned)).collect();
    for folder in folders {
        for file in super::archive::bundles(&folder)? {
            // What cannot be read claims nothing.
            if let Ok(archived) = super::archive::read(&file)
                && archived.bundle.packet.packet_id == packet
            {
                return Ok(archived.bundle.packet.supersedes);
            }
        }
    }
    Ok(None)
}

/// Ends the life of a packet: another one takes its place. A second time changes nothing.
///
/// # Errors
/// They are the same packet, a third one has taken the place, the newer one may not take it, or the life cannot be written.
pub(super) fn supersede(
    session: &Session,
    path: &Path,
    older: &Archived,
    newer: &ReplayBundle,
) -> Result<PacketLife, AppError> {
    let _held = hold(path)?;
    supersede_held(session, path, older, newer)
}

/// The same while the caller holds the lock of the older recording.
pub(super) fn supersede_held(
    session: &Session,
    path: &Path,
    older: &Archived,
    newer: &ReplayBundle,
) -> Result<PacketLife, AppError> {
    if may_supersede(path, older, newer)?
        && let Some(life) = read_life(path, &older.bundle)?
    {
        return Ok(life);
    }
    let stamp = session.stamp()?;
    append_held(path, &older.bundle, superseded_event(&older.bundle, &newer.packet.packet_id, &stamp.at, &stamp.actor))
}
