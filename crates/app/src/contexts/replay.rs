//! Replays recorded compiles, and tries another pack on them.

use super::archive::{self, Archived};
use super::assign::{Assignment, Side};
use super::current::{PacketState, current, unsound};
use super::known::KnownPaths;
use super::life;
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::packs::{self, PackChoice};
use crate::session::Session;
use deed_context::{Hydrations, PackMaterial, ReplayReport, Survey, WhatIf, replayed_event};
use deed_diag::{Diagnostic, MAX_DOCUMENT_BYTES, Place, Report, codes};
use deed_model::{CompiledContext, ReplayBundle, ReplayResult};
use deed_pack::Purpose;
use deed_release::RecordedPacks;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Recorded compiles, and the pack that they are replayed with.
#[derive(Debug, Clone, Default)]
pub struct ReplayRequest {
    /// A recorded compile, or a folder of them.
    pub path: PathBuf,
    /// The pack to replay with; otherwise each with its own.
    pub pack: Option<PackChoice>,
    /// The handling of results.
    pub results: ReplayResults,
    /// The evaluation that judged the replay, to be saved with its result.
    pub evaluation: Option<Evaluation>,
}

/// The evaluation of a replay.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The evaluation run.
    pub run_id: String,
    /// Its score, from 0 to 1.
    pub score: Option<f64>,
}

/// The handling of the results of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReplayResults {
    /// Return them.
    #[default]
    Returned,
    /// Also append each to the life of its packet.
    Saved,
}

/// Recorded compiles that were replayed.
#[derive(Debug)]
pub struct ReplayedBundles {
    /// Each bundle that could be read, with its result.
    pub replayed: Vec<(PathBuf, ReplayReport)>,
    /// The number of bundles that could not be read.
    pub unreadable: usize,
    /// The number of packets that are superseded and should not be.
    pub unsound: usize,
    /// Warnings about the pack, errors of bundles that could not be read, and files that were skipped.
    pub report: Report,
}

/// Replays recorded compiles. In a folder, a bundle that cannot be read does not stop the others.
///
/// # Errors
/// The pack cannot be used, there are no recorded compiles, or the only one cannot be read.
pub fn replay(session: &Session, request: &ReplayRequest) -> Result<ReplayedBundles, AppError> {
    let mut report = Report::default();
    let pack = request.pack.as_ref().map(|pack| material(session, pack, &mut report)).transpose()?;
    let cache = Hydrations::new();
    let mut replayed = Vec::new();
    let mut unreadable = 0;
    let files = archive::found(&request.path)?;
    files.remarks().for_each(|remark| report.push(remark));
    for path in files.bundles {
        match replay_file(session, &path, pack.as_ref(), &cache, request) {
            Ok((one, remark)) => {
                remark.into_iter().for_each(|remark| report.push(remark));
                replayed.push((path, one));
            }
            Err(failure) if request.path.is_dir() => {
                unreadable += 1;
                report.merge(failure.report);
            }
            Err(failure) => return Err(failure),
        }
    }
    // What takes the place of a single file is not looked for.
    let faults = if request.path.is_dir() { unsound(&states(&replayed)?, &cache)? } else { Vec::new() };
    let unsound = faults.len();
    faults.into_iter().for_each(|fault| report.push(fault));
    Ok(ReplayedBundles { replayed, unreadable, unsound, report })
}

/// Returns the packets that were replayed, with those that have taken their places.
fn states(replayed: &[(PathBuf, ReplayReport)]) -> Result<Vec<PacketState>, AppError> {
    let states = replayed.iter().map(|(path, report)| match report.result {
        ReplayResult::Superseded => PacketState::read(path),
        _ => Ok(PacketState { path: path.clone(), packet_id: report.packet_id.clone(), successor: None }),
    });
    states.collect()
}

/// Replays one recording. A packet that was superseded is not replayed, which a remark says.
fn replay_file(
    session: &Session,
    path: &Path,
    pack: Option<&PackMaterial>,
    cache: &Hydrations,
    request: &ReplayRequest,
) -> Result<(ReplayReport, Option<Diagnostic>), AppError> {
    let archived = archive::read(path)?;
    let life = life::read_life(path, &archived.bundle)?;
    if let Some(successor) = life::successor(life.as_ref()) {
        let message = format!("`{successor}` has taken its place: it was not replayed");
        let remark = Diagnostic::info(codes::PACKET_SUPERSEDED, message).stage("replay");
        let remark = remark.at(Place::file(path.display().to_string()));
        return Ok((ReplayReport::superseded(&archived.bundle), Some(remark)));
    }
    let save = |report: &ReplayReport| match request.results {
        ReplayResults::Saved => save(session, path, &archived, report, request.evaluation.as_ref()),
        ReplayResults::Returned => Ok(()),
    };
    let replayed = match pack {
        None => deed_context::replay(&archived.bundle, cache),
        Some(pack) => deed_context::replay_against(&archived.bundle, pack, cache),
    };
    match replayed {
        Ok(report) => {
            save(&report)?;
            Ok((report, None))
        }
        Err(report) => {
            // With another pack the fault may be the pack's. A format that is not known may be intact.
            let unknown = report.diagnostics().iter().any(|found| found.code == codes::UNKNOWN_RECORDING_FORMAT);
            if pack.is_none() && !unknown {
                save(&ReplayReport::invalid(&archived.bundle))?;
            }
            Err(archived.refused(&report))
        }
    }
}

/// Appends the result of a replay to the life of its packet. A recording of the first version has its words and gets a life
/// like any other.
fn save(
    session: &Session,
    path: &Path,
    archived: &Archived,
    report: &ReplayReport,
    evaluation: Option<&Evaluation>,
) -> Result<(), AppError> {
    let stamp = session.stamp()?;
    let mut event = replayed_event(report, &stamp.at, &stamp.actor);
    if let Some(evaluation) = evaluation {
        event.result.eval_run_id = Some(evaluation.run_id.clone());
        event.result.score = evaluation.score;
    }
    life::append(path, &archived.bundle, event).map(drop)
}

/// Writes a recorded compile to a new file that only its owner can read.
///
/// # Errors
/// The file exists, or cannot be written.
pub fn write_recording(path: &Path, bundle: &ReplayBundle) -> Result<(), AppError> {
    write_bundle(path, bundle, Existing::Keep)
}

fn write_bundle(path: &Path, bundle: &ReplayBundle, existing: Existing) -> Result<(), AppError> {
    files::write(path, recording_text(bundle)?.as_bytes(), existing, Access::Private)
}

/// A recorded compile as the text of its file.
///
/// # Errors
/// It is too large to be read again, or has no form in JSON, which is a defect.
pub fn recording_text(bundle: &ReplayBundle) -> Result<String, AppError> {
    let document = serde_json::to_value(bundle).map_err(AppError::internal)?;
    let text = format!("{document:#}\n");
    if text.len() as u64 <= MAX_DOCUMENT_BYTES {
        return Ok(text);
    }
    // Without its indentation it may still be small enough to be read again.
    let compact = format!("{document}\n");
    match compact.len() as u64 {
        bytes if bytes > MAX_DOCUMENT_BYTES => Err(too_large(bundle, bytes)),
        _ => Ok(compact),
    }
}

/// The refusal of a recording that could not be replayed, because no document of its size is read.
fn too_large(bundle: &ReplayBundle, bytes: u64) -> AppError {
    let inputs = &bundle.inputs;
    let parts = [
        ("request", &inputs.request),
        ("run context", &inputs.run),
        ("evidence", &inputs.evidence),
        ("memory", &inputs.memory),
        ("pack", &inputs.pack),
    ];
    let largest = parts.into_iter().max_by_key(|(_, value)| value.to_string().len()).map_or("input", |(name, _)| name);
    let limit = MAX_DOCUMENT_BYTES / (1024 * 1024);
    let message = format!("the recording has {bytes} bytes and could not be replayed; the limit is {limit} MiB");
    AppError::refused(
        Diagnostic::error(codes::RECORDING_TOO_LARGE, message)
            .stage("record")
            .help(format!("the largest part is the {largest}: record the request with fewer items of it")),
    )
}

/// Compiles recorded requests again with another pack, and judges it by the release gates. The packs themselves are compared
/// too: a change that no request reaches is found by that alone. Values that are set count in every request, for the
/// recorded pack and for the other one.
///
/// # Errors
/// The pack cannot be used, a recorded compile cannot be read, or a value cannot be set in one.
pub fn what_if(
    session: &Session,
    path: &Path,
    pack: &PackChoice,
    set: &[Assignment],
) -> Result<(WhatIf, Report), AppError> {
    let mut warnings = Report::default();
    let read = packs::usable(session, pack, Purpose::Replay, &mut warnings)?;
    let candidate = PackMaterial::of_bundle(&read.bundle, read.bound_overlays());
    let cache = Hydrations::new();
    let mut survey = Survey::new(&candidate, &cache);
    let mut recorded = RecordedPacks::new(&read.bundle, &candidate);
    // Of many requests, one says that nothing reads a path.
    let mut warned = false;
    let files = archive::found(path)?;
    files.remarks().for_each(|remark| warnings.push(remark));
    let judged = if path.is_dir() { current(&files.bundles)? } else { files.bundles };
    for path in judged {
        let archived = archive::read(&path)?;
        let added = match set {
            [] => survey.add(&archived.bundle),
            set => {
                let inputs = &archived.bundle.inputs;
                let (mut request, mut run) = (inputs.request.clone(), inputs.run.clone());
                let known = KnownPaths::of(&candidate.pack, &request, &run);
                for assignment in set {
                    let unread = known.check(assignment.path())?;
                    if !warned {
                        warnings.merge(unread);
                    }
                    assignment.apply(Side::Request, &mut request)?;
                    assignment.apply(Side::Run, &mut run)?;
                }
                warned = true;
                survey.add_varied(&archived.bundle, request, run)
            }
        };
        added.map_err(|report| archived.refused(&report))?;
        recorded.add(&archived.bundle.inputs)?;
    }
    let mut found = survey.finish();
    found.unproven = recorded.finish();
    Ok((found, warnings))
}

fn material(session: &Session, pack: &PackChoice, warnings: &mut Report) -> Result<PackMaterial, AppError> {
    let read = packs::usable(session, pack, Purpose::Replay, warnings)?;
    Ok(PackMaterial::of_bundle(&read.bundle, read.bound_overlays()))
}

/// Reads a compiled context: what `deed context compile --json` printed, or the context alone.
///
/// # Errors
/// The file cannot be read, or is not a compiled context.
pub fn read_compiled(path: &Path) -> Result<CompiledContext<'static>, AppError> {
    let document = files::document(path)?;
    let value = document.value();
    let data = value.get("data").filter(|d| d.is_object()).unwrap_or(value);
    let inner = data.get("compiled_context").unwrap_or(data);
    CompiledContext::deserialize(inner).map_err(|error| {
        AppError::refused(
            Diagnostic::error(codes::NOT_A_COMPILED_CONTEXT, format!("it is not a compiled context: {error}"))
                .stage("compile")
                .at(Place::file(path.display().to_string()))
                .help("give what `deed context compile --json` printed"),
        )
    })
}
