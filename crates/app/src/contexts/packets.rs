//! Packets: recordings with their lives.

use super::archive;
use super::life;
use crate::error::AppError;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, Place, Report, codes};
use deed_model::{LifeHead, PacketLife, ReplayPacket, ReplayResult};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A packet with its life.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PacketWithLife {
    /// The recording.
    pub file: String,
    /// The packet, with its latest result.
    pub packet: ReplayPacket,
    /// Where it is in its life.
    pub state: ReplayResult,
    /// The packet that has taken its place.
    pub superseded_by: Option<String>,
    /// Its life; none if nothing happened to it yet.
    pub life: Option<PacketLife>,
}

/// Reads a packet and its life.
///
/// # Errors
/// The recording or its life cannot be read.
pub fn packet(path: &Path) -> Result<PacketWithLife, AppError> {
    let archived = archive::read(path)?;
    let life = life::read_life(path, &archived.bundle)?;
    let mut packet = archived.bundle.packet;
    // A recording of the first version has the note of its last replay inside.
    let noted = packet.latest_result.take();
    packet.latest_result = life.as_ref().and_then(PacketLife::latest).cloned().or(noted);
    let state = packet.latest_result.as_ref().map_or(ReplayResult::NotRun, |latest| latest.result);
    let superseded_by = life::successor(life.as_ref()).map(str::to_owned);
    Ok(PacketWithLife { file: path.display().to_string(), packet, state, superseded_by, life })
}

/// The packets of a folder.
#[derive(Debug)]
pub struct Packets {
    /// Each that could be read.
    pub packets: Vec<PacketWithLife>,
    /// The number of those that could not be read.
    pub unreadable: usize,
    /// Their errors; and packets whose predecessor does not know of them.
    pub report: Report,
}

/// Reads all packets of a folder. One that cannot be read does not hide the others.
///
/// # Errors
/// There are no recordings.
pub fn packets(path: &Path) -> Result<Packets, AppError> {
    let mut found = Packets { packets: Vec::new(), unreadable: 0, report: Report::default() };
    let files = archive::found(path)?;
    files.remarks().for_each(|remark| found.report.push(remark));
    for file in files.bundles {
        match packet(&file) {
            Ok(packet) => found.packets.push(packet),
            Err(failure) => {
                found.unreadable += 1;
                found.report.merge(failure.report);
            }
        }
    }
    unfinished(&found.packets).into_iter().for_each(|warning| found.report.push(warning));
    Ok(found)
}

/// Warns of packets that name one which they supersede, and which does not know of it: a crash came between the two.
fn unfinished(packets: &[PacketWithLife]) -> Vec<Diagnostic> {
    let named = packets.iter().filter_map(|newer| Some((newer, newer.packet.supersedes.as_deref()?)));
    let pairs = named.filter_map(|(newer, older)| {
        let older = packets.iter().find(|packet| packet.packet.packet_id == older)?;
        (older.superseded_by.is_none()).then_some((newer, older))
    });
    pairs
        .map(|(newer, older)| {
            let message = format!("it supersedes `{}`, whose life does not say so", older.packet.packet_id);
            let help = format!("run `deed packet supersede {} --by {}`", older.file, newer.file);
            Diagnostic::warning(codes::CANNOT_SUPERSEDE, message)
                .stage("packet")
                .at(Place::file(newer.file.clone()))
                .help(help)
        })
        .collect()
}

/// Ends the life of a recording: another one takes its place. A second time changes nothing.
///
/// # Errors
/// One of them cannot be read, they are the same packet, a third one has taken the place, or the newer one may not take it:
/// it is of another pack or request, states less than a correction, or is superseded itself.
pub fn supersede(session: &Session, older: &Path, newer: &Path) -> Result<PacketWithLife, AppError> {
    let (archived, by) = (archive::read(older)?, archive::read(newer)?);
    let held = life::hold_both(older, newer)?;
    if !life::may_supersede(older, &archived, &by.bundle)? {
        life::is_current(older, (newer, &by.bundle), &archived)?;
    }
    life::supersede_held(session, older, &archived, &by.bundle)?;
    drop(held);
    packet(older)
}

/// A life that was verified.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct VerifiedLife {
    /// The recording.
    pub file: PathBuf,
    /// The packet.
    pub packet_id: String,
    /// The number of entries.
    pub entries: usize,
    /// The last entry; none if nothing happened to it yet.
    pub head: Option<LifeHead>,
}

/// Verifies the lives of a recording, or of all recordings of a folder, against a head that was kept elsewhere if there is
/// one.
///
/// # Errors
/// A life is damaged, or does not have the head.
pub fn verify_lives(path: &Path, head: Option<ContentHash>) -> Result<Vec<VerifiedLife>, AppError> {
    let mut verified = Vec::new();
    let mut faults = Report::default();
    for file in archive::bundles(path)? {
        match packet(&file) {
            Ok(packet) => verified.push(VerifiedLife {
                file,
                packet_id: packet.packet.packet_id,
                entries: packet.life.as_ref().map_or(0, |life| life.entries.len()),
                head: packet.life.map(|life| life.head),
            }),
            Err(failure) => faults.merge(failure.report),
        }
    }
    if let Some(wanted) = head
        && !verified.iter().any(|life| life.head.is_some_and(|head| head.hash == wanted))
    {
        let message = format!("no life here ends with {wanted}");
        faults.push(
            Diagnostic::error(codes::LIFE_DAMAGED, message)
                .stage("packet")
                .at(Place::file(path.display().to_string()))
                .help("it was cut off, extended or rewritten since the head was kept"),
        );
    }
    if faults.has_errors() { Err(faults.into()) } else { Ok(verified) }
}
