//! The packets of an archive that are judged: all but those whose place another packet of the archive has taken.
//!
//! A replay, a pipeline and a release judge by this, so that they judge one archive alike.

use super::archive::{self, Archived};
use super::life;
use super::origin::cannot_supersede;
use crate::error::AppError;
use deed_context::{Hydrations, may_take_place};
use deed_diag::{Diagnostic, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A packet of an archive, and the packet that has taken its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PacketState {
    pub(super) path: PathBuf,
    pub(super) packet_id: String,
    pub(super) successor: Option<String>,
}

impl PacketState {
    /// Reads a recording and its life.
    pub(super) fn read(path: &Path) -> Result<Self, AppError> {
        let Archived { bundle, .. } = archive::read(path)?;
        let life = life::read_life(path, &bundle)?;
        let successor = life::successor(life.as_ref()).map(str::to_owned);
        Ok(Self { path: path.to_owned(), packet_id: bundle.packet.packet_id, successor })
    }
}

/// Returns the recordings whose places no other packet has taken.
///
/// # Errors
/// A recording or a life cannot be read, or a packet was superseded by one that is not here, or that may not take its place.
pub(crate) fn current(files: &[PathBuf]) -> Result<Vec<PathBuf>, AppError> {
    // Most archives have no lives: then nothing is read twice.
    let lives = files.iter().map(|file| Ok(life::life_path(file)?.exists()));
    if !lives.collect::<Result<Vec<bool>, AppError>>()?.contains(&true) {
        return Ok(files.to_vec());
    }
    let states = files.iter().map(|file| PacketState::read(file)).collect::<Result<Vec<_>, _>>()?;
    let mut report = Report::default();
    unsound(&states, &Hydrations::new())?.into_iter().for_each(|fault| report.push(fault));
    if report.has_errors() {
        return Err(report.into());
    }
    Ok(states.into_iter().filter(|state| state.successor.is_none()).map(|state| state.path).collect())
}

/// Returns the recordings that were superseded by a packet that is not there, or that may not take their places. What
/// cannot be read is left to the caller.
pub(super) fn wrongly_superseded(files: &[PathBuf], cache: &Hydrations) -> Result<BTreeMap<PathBuf, Report>, AppError> {
    let states: Vec<PacketState> = files.iter().filter_map(|file| PacketState::read(file).ok()).collect();
    Ok(faults(&states, cache)?.into_iter().map(|(path, fault)| (path, fault.report)).collect())
}

/// Checks the packets that were superseded against those that took their places.
pub(super) fn unsound(states: &[PacketState], cache: &Hydrations) -> Result<Vec<Diagnostic>, AppError> {
    let found = faults(states, cache)?;
    Ok(found.into_iter().flat_map(|(_, fault)| fault.report.diagnostics().to_vec()).collect())
}

/// Returns the packets that were superseded and should not have been, each with the reason.
fn faults(states: &[PacketState], cache: &Hydrations) -> Result<Vec<(PathBuf, AppError)>, AppError> {
    let paths: BTreeMap<&str, &PathBuf> = states.iter().map(|state| (state.packet_id.as_str(), &state.path)).collect();
    let ended = states.iter().filter_map(|state| Some((state.packet_id.as_str(), state.successor.as_deref()?)));
    let ended: BTreeMap<&str, &str> = ended.collect();
    let mut found = Vec::new();
    for (packet, by) in &ended {
        let Some(path) = paths.get(packet) else { continue };
        let mut passed = BTreeSet::from([*packet]);
        let mut next = Some(*by);
        while let Some(current) = next.filter(|current| passed.insert(current)) {
            next = ended.get(current).copied();
        }
        if next.is_some() {
            let why = "the chain of successors comes back to it, and none is current";
            found.push(((*path).clone(), cannot_supersede(path, why, by)));
            continue;
        }
        let Some(newer) = paths.get(by) else {
            let why = "it is not in this archive, so that neither would be judged";
            found.push(((*path).clone(), cannot_supersede(path, why, by)));
            continue;
        };
        let (older, newer) = (archive::read(path)?, archive::read(newer)?);
        if let Err(fault) = may_take_place(&older.bundle, &newer.bundle, cache) {
            found.push(((*path).clone(), cannot_supersede(path, &fault.to_string(), by)));
        }
    }
    Ok(found)
}
