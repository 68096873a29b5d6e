//! Metrics over an archive of recorded compiles: reads the recordings and the log of the registry, and aggregates them.

use super::current::wrongly_superseded;
use super::{archive, life};
use crate::error::AppError;
use crate::packs;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_context::{
    ArchiveEvidence, GateObservation, Hydrations, PackMaterial, ReplayOutcome, RollbackObservation, Statistics, Survey,
    newest_versions, observe, statistics,
};
use deed_diag::{Diagnostic, Invariant as _, Report, codes, did_you_mean, quote};
use deed_model::{AuditEvent, PackRef, RegistryEvent};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An archive, and the versions to compare.
#[derive(Debug, Clone, Default)]
pub struct StatsRequest {
    /// A folder of recorded compiles, or one of them.
    pub path: PathBuf,
    /// Two versions of one pack, the earlier one first; otherwise the two newest of every pack.
    pub compare: Option<(String, String)>,
}

/// Metrics over an archive, and the files that they leave out.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ArchiveStatistics {
    /// The number of files.
    pub files: u64,
    /// The number of recordings that were counted.
    pub recordings: u64,
    /// The files that are counted in no metric.
    pub unreadable: Vec<UncountedFile>,
    /// The recordings that were changed since they were made. They count as not deterministic, and nowhere else.
    pub tampered: Vec<String>,
    /// The packets that another one has taken the place of. They are counted in no metric.
    pub superseded: Vec<String>,
    /// Copies of a recording that is counted already: they have its seal.
    pub duplicates: Vec<DuplicateFile>,
    /// Files of the folder that are not recordings by their names.
    pub skipped: Vec<String>,
    /// The recordings that could not be compiled again. They count as not deterministic, and otherwise as recorded.
    pub not_replayed: Vec<UncountedFile>,
    /// The metrics.
    #[serde(flatten)]
    pub statistics: Statistics,
}

impl ArchiveStatistics {
    /// Returns true if a metric got worse, or a file could not be counted as it stands.
    pub fn has_findings(&self) -> bool {
        let worse = self.statistics.comparisons.iter().any(|comparison| comparison.regressions > 0);
        worse || !self.unreadable.is_empty() || !self.tampered.is_empty() || !self.not_replayed.is_empty()
    }
}

/// A file of an archive, and the first thing that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UncountedFile {
    /// The file.
    pub file: String,
    /// The code of the finding.
    pub code: String,
    /// The finding.
    pub message: String,
}

/// A copy of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DuplicateFile {
    /// The copy.
    pub file: String,
    /// The file that is counted.
    pub of: String,
}

impl UncountedFile {
    fn of(path: &Path, report: &Report) -> Self {
        let first = report.diagnostics().first().invariant("a file that is not counted has a finding");
        Self { file: path.display().to_string(), code: first.code.to_string(), message: first.message.clone() }
    }
}

/// Aggregates an archive. A file that cannot be read is listed and does not stop the others; the report has the reasons.
///
/// # Errors
/// There are no recordings, a version to compare has none, or the log of the registry cannot be read.
pub fn stats(session: &Session, request: &StatsRequest) -> Result<(ArchiveStatistics, Report), AppError> {
    let mut reading = Reading::default();
    let files = archive::found(&request.path)?;
    files.remarks().for_each(|remark| reading.report.push(remark));
    // What takes the place of a single file is not looked for.
    if request.path.is_dir() {
        reading.wrong = wrongly_superseded(&files.bundles, &reading.cache)?;
    }
    for path in &files.bundles {
        reading.add(path);
    }
    let compared = match &request.compare {
        Some((before, after)) => vec![reading.versions(before, after)?],
        None => newest_versions(reading.candidates.keys()),
    };
    reading.evidence.gates = reading.release_gates()?;
    reading.evidence.rollbacks = rollbacks_of(session)?;
    let statistics = statistics(&reading.evidence, &compared);
    let found = ArchiveStatistics {
        files: files.bundles.len() as u64,
        recordings: reading.evidence.observations.len() as u64,
        unreadable: reading.unreadable,
        tampered: reading.tampered,
        superseded: reading.superseded,
        duplicates: reading.duplicates,
        skipped: files.skipped.iter().map(|path| path.display().to_string()).collect(),
        not_replayed: reading.not_replayed,
        statistics,
    };
    Ok((found, reading.report))
}

/// An archive while it is read.
#[derive(Default)]
struct Reading {
    evidence: ArchiveEvidence,
    /// The pack of each version as its first recording has it, and the recordings that can be compiled again.
    candidates: BTreeMap<PackRef, (Option<PackMaterial>, Vec<PathBuf>)>,
    unreadable: Vec<UncountedFile>,
    tampered: Vec<String>,
    superseded: Vec<String>,
    /// The recordings whose places were taken wrongly, with the reasons.
    wrong: BTreeMap<PathBuf, Report>,
    duplicates: Vec<DuplicateFile>,
    /// The file of each seal.
    seals: BTreeMap<ContentHash, String>,
    not_replayed: Vec<UncountedFile>,
    report: Report,
    cache: Hydrations,
}

impl Reading {
    fn add(&mut self, path: &Path) {
        if let Err(failure) = self.read(path) {
            self.unreadable.push(UncountedFile::of(path, &failure.report));
            self.report.merge(failure.report);
        }
    }

    fn read(&mut self, path: &Path) -> Result<(), AppError> {
        let archived = archive::read(path)?;
        let observed = observe(&archived.bundle, &self.cache).map_err(|report| archived.refused(&report))?;
        let observation = observed.observation;
        // What was changed is shown, whatever its life or its seal says.
        if observation.replay != ReplayOutcome::Tampered {
            let file = path.display().to_string();
            if let Some(why) = self.wrong.remove(path) {
                return Err(why.into());
            }
            if life::successor(life::read_life(path, &archived.bundle)?.as_ref()).is_some() {
                self.superseded.push(file);
                return Ok(());
            }
            let seal = archived.bundle.seal.parts.get("bundle").copied();
            if let Some(of) = seal.and_then(|seal| self.seals.get(&seal)).cloned() {
                self.duplicates.push(DuplicateFile { file, of });
                return Ok(());
            }
            self.seals.extend(seal.map(|seal| (seal, file)));
        }
        let (pack, paths) = self.candidates.entry(observation.pack_ref.clone()).or_default();
        match observation.replay {
            ReplayOutcome::Equal | ReplayOutcome::Different => {
                let inputs = &archived.bundle.inputs;
                pack.get_or_insert_with(|| PackMaterial { selected: Vec::new(), ..PackMaterial::recorded(inputs) });
                paths.push(path.to_owned());
            }
            ReplayOutcome::Tampered => self.tampered.push(path.display().to_string()),
            ReplayOutcome::Failed => {
                let failure = archived.refused(&observed.report);
                self.not_replayed.push(UncountedFile::of(path, &failure.report));
                self.report.merge(failure.report);
            }
        }
        self.evidence.observations.push(observation);
        Ok(())
    }

    /// The versions to compare, by the names that the caller gave.
    fn versions(&self, before: &str, after: &str) -> Result<(PackRef, PackRef), AppError> {
        let (before, after) = (self.version(before)?, self.version(after)?);
        if before.pack_id != after.pack_id || before == after {
            let message = format!("`{before}` cannot be compared with `{after}`");
            return Err(AppError::usage(
                Diagnostic::error(codes::VERSIONS_NOT_COMPARABLE, message)
                    .stage("usage")
                    .help("name two versions of one pack, the earlier one first"),
            ));
        }
        Ok((before, after))
    }

    fn version(&self, name: &str) -> Result<PackRef, AppError> {
        let known = || self.candidates.keys().find(|pack| pack.to_string() == name).cloned();
        known().ok_or_else(|| {
            let names: Vec<String> = self.candidates.keys().map(ToString::to_string).collect();
            let listed = || match names.as_slice() {
                [] => "it has no recording that can be read".to_owned(),
                names => format!("it has recordings of `{}`", names.join("`, `")),
            };
            let message = format!("the archive has no recording of {}", quote(name));
            let help = did_you_mean(name, names.iter().map(String::as_str)).unwrap_or_else(listed);
            let diagnostic = Diagnostic::error(codes::VERSION_NOT_IN_ARCHIVE, message).stage("stats").help(help);
            AppError::usage(crate::conceal::diagnostic(diagnostic))
        })
    }

    /// Judges every version by its release gates over the recordings of the version before it in the archive.
    fn release_gates(&self) -> Result<Vec<GateObservation>, AppError> {
        let mut found = Vec::new();
        let later = self.candidates.iter().skip(1);
        for ((before, (_, recordings)), (pack_ref, (candidate, _))) in self.candidates.iter().zip(later) {
            let Some(candidate) = candidate.as_ref().filter(|_| before.pack_id == pack_ref.pack_id) else { continue };
            if recordings.is_empty() {
                continue;
            }
            let mut survey = Survey::new(candidate, &self.cache);
            for path in recordings {
                let archived = archive::read(path)?;
                survey.add(&archived.bundle).map_err(|report| archived.refused(&report))?;
            }
            found.extend(survey.finish().gates.into_iter().map(|gate| GateObservation {
                pack_ref: pack_ref.clone(),
                metric: gate.metric,
                verdict: gate.verdict,
            }));
        }
        Ok(found)
    }
}

/// The rollbacks in the log of the registry. Without a home there is none to ask, and an archive is counted all the same.
fn rollbacks_of(session: &Session) -> Result<Option<Vec<RollbackObservation>>, AppError> {
    if session.maybe_home()?.is_none() {
        return Ok(None);
    }
    let entries = packs::log(session, None, None)?;
    Ok(Some(rollbacks(entries.iter().map(|entry| &entry.event))))
}

/// Collects the rollbacks of the log, each of the version that it left, with the time that the operation took.
fn rollbacks<'e>(events: impl Iterator<Item = &'e AuditEvent>) -> Vec<RollbackObservation> {
    let rollback = |event: &'e AuditEvent| match &event.event {
        RegistryEvent::PackPinned { pack_ref, environment, replaces: Some(left), rollback: true, took_ms, .. }
            if left != pack_ref =>
        {
            let (pack_ref, environment) = (left.clone(), environment.clone());
            Some(RollbackObservation { pack_ref, environment, took_ms: *took_ms })
        }
        _ => None,
    };
    events.filter_map(rollback).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pinned(version: &str, replaces: Option<&str>, rollback: bool, took_ms: Option<u64>) -> AuditEvent {
        let mut event = json!({
            "kind": "pack_pinned", "pack_ref": format!("acme.p@{version}"), "environment": "prod", "tenant_id": "t",
            "content_hash": format!("sha256:{}", "0".repeat(64)),
            "replaces": replaces.map(|version| format!("acme.p@{version}")), "rollback": rollback,
        });
        if let Some(took_ms) = took_ms {
            event["took_ms"] = json!(took_ms);
        }
        serde_json::from_value(json!({ "format": 1, "at": "2026-05-01T00:00:00Z", "actor": "a", "event": event }))
            .unwrap()
    }

    #[test]
    fn a_rollback_has_the_time_that_it_took_and_belongs_to_the_version_that_it_left() {
        let log = [
            pinned("1.0.0", None, false, None),
            pinned("1.1.0", Some("1.0.0"), false, None),
            pinned("1.0.0", Some("1.1.0"), true, Some(41)),
            pinned("1.1.0", Some("1.0.0"), false, None),
            // From before it was measured.
            pinned("1.0.0", Some("1.1.0"), true, None),
        ];
        let found = rollbacks(log.iter());
        assert_eq!(found.iter().map(|one| one.took_ms).collect::<Vec<_>>(), [Some(41), None]);
        assert!(found.iter().all(|one| one.pack_ref.to_string() == "acme.p@1.1.0"));
    }
}
