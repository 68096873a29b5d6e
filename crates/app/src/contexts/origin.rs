//! The origin of a recording: files and options that a packet is made of besides the inputs of its compile.

use super::archive::{self, Archived};
use super::life;
use crate::error::AppError;
use crate::files;
use crate::session::Session;
use deed_context::RecordingOrigin;
use deed_diag::{Code, Diagnostic, Document, Place, Report, codes, quote};
use deed_model::{
    Correction, GoldenExpectation, PacketLife, ReplayBundle, SideEffectPolicy, TranscriptEntry, schema_for,
};
use deed_schema::Shape;
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

/// What is known of the origin of a recording, as a front end names it.
#[derive(Debug, Clone, Default)]
pub struct OriginSources {
    /// A file with the `reason` and the `expect` of an operator's correction.
    pub correction: Option<PathBuf>,
    /// A list of tool calls with their answers.
    pub transcript: Option<PathBuf>,
    /// The trace.
    pub trace_id: Option<String>,
    /// Sessions besides those that run and request name.
    pub session_ids: Vec<String>,
    /// The snapshot of the graph, if the run pins none.
    pub snapshot_ref: Option<String>,
    /// The side effects that a replay may have; from the transcript, if it is left out.
    pub side_effect_policy: Option<SideEffectPolicy>,
    /// The run, decision or episode; run and request, if it is left out.
    pub source_ref: Option<String>,
    /// The recording whose place the new one takes.
    pub supersedes: Option<PathBuf>,
}

/// The origin of a recording, read and checked.
#[derive(Debug, Default)]
pub struct LoadedOrigin {
    pub(super) origin: RecordingOrigin,
    correction: Option<Document>,
    transcript: Option<Document>,
    superseded: Option<(PathBuf, Archived)>,
}

/// A correction as a file has it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CorrectionFile {
    /// The result that the request should have had.
    expect: GoldenExpectation,
    /// The reason.
    #[schemars(length(min = 1))]
    reason: String,
}

impl OriginSources {
    /// Reads the files.
    ///
    /// # Errors
    /// A file cannot be read, or is not what it should be; or the recording to supersede is superseded.
    pub fn load(&self, session: &Session) -> Result<LoadedOrigin, AppError> {
        let correction = self.correction.as_deref().map(files::document).transpose()?;
        let transcript = self.transcript.as_deref().map(files::document).transpose()?;
        let superseded = match &self.supersedes {
            Some(path) => Some((path.clone(), archive::read(path)?)),
            None => None,
        };
        let stated = correction.as_ref().map(|document| stated(document, session)).transpose()?;
        let calls: Option<Vec<TranscriptEntry>> = transcript
            .as_ref()
            .map(|document| {
                let help = "write `- call: { tool: adapter.capability, arguments: {…} }` and `answer: …` for each call";
                shaped(document, codes::TRANSCRIPT_NOT_READABLE, "transcript", help)
            })
            .transpose()?;
        let origin = RecordingOrigin {
            correction: stated,
            session_ids: self.session_ids.clone(),
            side_effect_policy: self.side_effect_policy,
            snapshot_ref: self.snapshot_ref.clone(),
            source_ref: self.source_ref.clone(),
            supersedes: superseded.as_ref().map(|(_, archived)| archived.bundle.packet.packet_id.clone()),
            trace_id: self.trace_id.clone(),
            transcript: calls.unwrap_or_default(),
        };
        Ok(LoadedOrigin { origin, correction, transcript, superseded })
    }
}

impl LoadedOrigin {
    /// The documents behind it, by the names that findings use.
    pub(super) fn documents(&self) -> Vec<(&'static str, &Document)> {
        let both = [("correction", &self.correction), ("transcript", &self.transcript)];
        both.into_iter().filter_map(|(name, document)| Some((name, document.as_ref()?))).collect()
    }

    /// Refuses a recording that would take its own place, or that of one which a third has taken.
    pub(super) fn may_supersede(&self, bundle: &ReplayBundle) -> Result<(), AppError> {
        match &self.superseded {
            Some((path, older)) => life::may_supersede(path, older, bundle).map(drop),
            None => Ok(()),
        }
    }

    /// Ends the life of the superseded recording, if there is one. Call it when the new recording is on disk: a crash
    /// between the two leaves a recording that names another, and `supersede` completes it.
    ///
    /// # Errors
    /// The life cannot be written.
    pub fn supersede(&self, session: &Session, bundle: &ReplayBundle) -> Result<Option<PacketLife>, AppError> {
        let Some((path, older)) = &self.superseded else { return Ok(None) };
        life::supersede(session, path, older, bundle).map(Some)
    }
}

/// Reads a correction. Who states it, and when, is the session's.
fn stated(document: &Document, session: &Session) -> Result<Correction, AppError> {
    let help = "write the `reason` in a sentence, and under `expect` what should have happened, as in a golden case";
    let file: CorrectionFile = shaped(document, codes::CORRECTION_NOT_READABLE, "correction", help)?;
    let stamp = session.stamp()?;
    Ok(Correction { at: stamp.at, by: stamp.actor, expect: file.expect, reason: file.reason })
}

/// Converts a document, or reports every finding about its shape.
fn shaped<T: DeserializeOwned + JsonSchema>(
    document: &Document,
    code: Code,
    what: &str,
    help: &str,
) -> Result<T, AppError> {
    let mut report = Report::default();
    report.add_source(document.source().clone());
    let faults = Shape::new(schema_for::<T>()).findings(document);
    if !faults.is_empty() {
        faults.into_iter().for_each(|fault| report.push(Diagnostic { code, ..fault }.stage("record")));
        return Err(report.into());
    }
    T::deserialize(document.value()).map_err(|error| {
        let message = format!("this is not a {what}: {error}");
        report.push(Diagnostic::error(code, message).stage("record").at(document.place("")).help(help));
        report.into()
    })
}

/// The refusal of a packet that cannot take the place of another.
pub(super) fn cannot_supersede(path: &Path, why: &str, packet: &str) -> AppError {
    let message = format!("{} cannot take its place: {why}", quote(packet));
    AppError::refused(
        Diagnostic::error(codes::CANNOT_SUPERSEDE, message)
            .stage("packet")
            .at(Place::file(path.display().to_string()))
            .help("name another recording"),
    )
}
