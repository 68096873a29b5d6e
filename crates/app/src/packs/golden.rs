//! Golden cases of packs: examined, accepted, made from recordings.

use super::source::any_bundle;
use crate::contexts;
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::registry::without_secret;
use crate::session::Session;
use deed_context::{
    ExaminedCase, GoldenMove, Hydrations, PackMaterial, StageDifference, accepted, examine, make_case, replay_against,
};
use deed_diag::{Diagnostic, Document, Format, Report, Severity, codes, did_you_mean, quote};
use deed_model::{ContextPack, Stage};
use deed_pack::{Bundle, sensitive_parts};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A golden case, and how it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GoldenResult {
    /// The name: the stem of the file.
    pub name: String,
    /// The file.
    pub file: String,
    /// A sentence about what the case shows.
    pub description: String,
    /// True if it was compiled and its expectations hold.
    pub passed: bool,
    /// The first stage that moved.
    pub stage: Option<Stage>,
    /// The expectations that do not hold, in the order of stages.
    pub moved: Vec<GoldenMove>,
    /// The first difference in what the stages read and decided, compared with the base.
    pub rederived: Option<StageDifference>,
}

impl GoldenResult {
    fn of(case: &ExaminedCase) -> Self {
        Self {
            name: case.name.clone(),
            file: case.file.clone(),
            description: case.description.clone(),
            passed: case.passes(),
            stage: case.stage(),
            moved: case.moved.clone(),
            rederived: case.rederived.clone(),
        }
    }
}

/// Golden cases that were examined.
#[derive(Debug)]
pub struct ExaminedCases {
    /// Each case.
    pub cases: Vec<GoldenResult>,
    /// Their findings, with the places in their files.
    pub report: Report,
}

/// Compiles the golden cases of a folder, or of a version of the registry: all, or those that are named. With a base, the
/// stages of each failing case are compared with those of another version.
///
/// # Errors
/// A pack cannot be read, or there is no case of a name.
pub fn golden(session: &Session, pack: &str, names: &[String], base: Option<&str>) -> Result<ExaminedCases, AppError> {
    let bundle = read(session, pack)?;
    let (cases, report) = examined(session, &bundle, names, base)?;
    Ok(ExaminedCases { cases: cases.iter().map(GoldenResult::of).collect(), report })
}

/// Reads a pack by name: a path has a `/`, anything else is a version of the registry.
fn read(session: &Session, pack: &str) -> Result<Bundle, AppError> {
    let bundle = any_bundle(session, pack)?.bundle;
    match bundle.secrets() {
        Some(report) => Err(report.into()),
        None => Ok(bundle),
    }
}

fn examined(
    session: &Session,
    bundle: &Bundle,
    names: &[String],
    base: Option<&str>,
) -> Result<(Vec<ExaminedCase>, Report), AppError> {
    let typed = typed(bundle)?;
    let base = base.map(|base| read(session, base)).transpose()?;
    let base = base.map(|bundle| PackMaterial::of_bundle(&bundle, &[]));
    let mut cases = examine(bundle, &typed, base.as_ref());
    let known: BTreeSet<String> = cases.iter().map(|case| case.name.clone()).collect();
    let mut report = bundle.report();
    for name in names.iter().filter(|name| !known.contains(*name)) {
        let help = did_you_mean(name, known.iter().map(String::as_str));
        let message = format!("there is no golden case {}", quote(name));
        let help = help.unwrap_or_else(|| "`deed golden list` lists them".to_owned());
        report.push(Diagnostic::error(codes::UNKNOWN_GOLDEN_CASE, message).stage("golden").help(help));
    }
    if report.has_errors() {
        return Err(report.into());
    }
    cases.retain(|case| names.is_empty() || names.contains(&case.name));
    let findings = cases.iter().flat_map(|case| case.findings.iter().cloned());
    findings.for_each(|finding| report.push(finding.stage("golden")));
    Ok((cases, report))
}

fn typed(bundle: &Bundle) -> Result<ContextPack, AppError> {
    bundle.typed().ok_or_else(|| {
        let mut report = bundle.report();
        let message = "the document cannot be read as a pack";
        let diagnostic = Diagnostic::error(codes::GOLDEN_CASE_UNREADABLE_PACK, message).stage("golden");
        report.push(diagnostic.at(bundle.document.place("")).help("run `deed pack lint` for details"));
        report.into()
    })
}

/// Whether what moved is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoldenAcceptance {
    /// It is only shown.
    Shown,
    /// The cases are rewritten.
    Accepted,
}

/// What moved in golden cases, and whether it was accepted.
#[derive(Debug)]
pub struct AcceptedCases {
    /// The cases that fail and can be rewritten.
    pub moved: Vec<GoldenResult>,
    /// The files that were rewritten.
    pub written: Vec<PathBuf>,
    /// Findings of cases that cannot be rewritten.
    pub report: Report,
}

/// Rewrites what failing golden cases expect, in the text of their author. Cases that pass are left alone. Each file is
/// replaced as a whole, after all of them were found to pass as they would read.
///
/// # Errors
/// The pack cannot be read, there is no case of a name, or a case cannot be edited.
pub fn accept_golden(
    session: &Session,
    folder: &Path,
    names: &[String],
    base: Option<&str>,
    acceptance: GoldenAcceptance,
) -> Result<AcceptedCases, AppError> {
    let bundle = files::pack_bundle(folder)?;
    if let Some(report) = bundle.secrets() {
        return Err(report.into());
    }
    let (cases, _) = examined(session, &bundle, names, base)?;
    let failing: Vec<&ExaminedCase> = cases.iter().filter(|case| !case.passes()).collect();
    let mut report = bundle.report();
    let hopeless = failing.iter().filter(|case| case.expectation.is_none()).flat_map(|case| &case.findings);
    hopeless.for_each(|finding| report.push(finding.clone().stage("golden")));
    let movable: Vec<&ExaminedCase> = failing.into_iter().filter(|case| case.expectation.is_some()).collect();
    let moved = movable.iter().map(|case| GoldenResult::of(case)).collect();
    let edited = movable.iter().map(|case| edited(&bundle, case)).collect::<Result<Vec<_>, _>>()?;
    would_pass(&bundle, &edited)?;
    let mut written = Vec::new();
    if acceptance == GoldenAcceptance::Accepted {
        for (path, text) in edited {
            // A link is followed: the file that it leads to is replaced, not the link.
            let path = std::fs::canonicalize(&path).map_err(|error| AppError::writing(&path, &error))?;
            files::write(&path, text.as_bytes(), Existing::Replace, Access::Shared)?;
            written.push(path);
        }
    }
    Ok(AcceptedCases { moved, written, report })
}

/// Returns the file of a case and its text with the expectation that holds now.
fn edited(bundle: &Bundle, case: &ExaminedCase) -> Result<(PathBuf, String), AppError> {
    let document = bundle.golden.iter().find(|document| document.source().name() == case.file);
    let (Some(document), Some(expect)) = (document, &case.expectation) else {
        return Err(AppError::internal("a case that was examined is in the bundle"));
    };
    let text = accepted(document, expect).map_err(|fault| {
        let mut report = bundle.report();
        let diagnostic = Diagnostic::error(codes::GOLDEN_CASE_NOT_EDITABLE, fault.to_string()).stage("golden");
        report.push(diagnostic.at(document.place("/expect")).help("write `expect` with one field a line"));
        AppError::from(report)
    })?;
    Ok((PathBuf::from(&case.file), text))
}

/// Compiles the edited cases as they would read. One that still failed would be a defect of the editor.
fn would_pass(bundle: &Bundle, edited: &[(PathBuf, String)]) -> Result<(), AppError> {
    let mut documents = Vec::new();
    for (path, text) in edited {
        let name = path.display().to_string();
        documents.push(Document::read(&name, text.as_bytes(), Format::of_name(&name))?);
    }
    let again = Bundle::new(bundle.document.clone(), bundle.overlays.clone(), documents);
    let typed = typed(&again)?;
    let mut report = again.report();
    let still = examine(&again, &typed, None).into_iter().filter(|case| !case.passes());
    still.flat_map(|case| case.findings).for_each(|finding| report.push(finding.stage("golden")));
    if report.has_errors() { Err(report.into()) } else { Ok(()) }
}

/// A recording that becomes a golden case.
#[derive(Debug, Clone, Default)]
pub struct CaseFromRecording {
    /// The recording.
    pub recording: PathBuf,
    /// The folder of the pack.
    pub pack: PathBuf,
    /// The name of the case.
    pub name: String,
    /// A sentence about what the case shows; the reason of a correction, or the id of the packet otherwise.
    pub description: Option<String>,
}

/// A golden case that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WrittenCase {
    /// The file.
    pub file: PathBuf,
    /// The packet that it was made from.
    pub packet_id: String,
    /// What it expects, as JSON.
    #[schemars(with = "deed_model::GoldenExpectation")]
    pub expect: serde_json::Value,
}

/// The parts of a recording that a golden case has.
const PARTS: [&str; 4] = ["/inputs/request", "/inputs/run", "/inputs/evidence", "/inputs/memory"];

/// Makes a golden case of a recording and writes it beside the pack.
///
/// # Errors
/// The recording holds a secret or personal data, the pack does not compile it as it should, there is a case of that name, or
/// a file cannot be read or written.
pub fn golden_from_recording(from: &CaseFromRecording) -> Result<WrittenCase, AppError> {
    let name = checked_name(&from.name)?;
    let archived = contexts::read(&from.recording)?;
    let sensitive = sensitive_parts(archived.document(), &PARTS, codes::SENSITIVE_DATA_IN_CASE);
    if !sensitive.is_empty() {
        let mut report = Report::default();
        report.add_source(archived.document().source().clone());
        let help = "a golden case is part of a signed pack: record the request again with made-up values";
        sensitive.into_iter().for_each(|found| report.push(found.stage("golden").help(help)));
        return Err(report.into());
    }
    let bundle = files::pack_bundle(&from.pack)?;
    if let Some(report) = bundle.secrets() {
        return Err(report.into());
    }
    let typed = typed(&bundle)?;
    let packet = &archived.bundle.packet;
    let reason = packet.correction.as_ref().map(|correction| correction.reason.clone());
    let description = match &from.description {
        Some(text) => without_secret("--description", text)?.to_owned(),
        None => reason.unwrap_or_else(|| format!("As recorded in {}.", packet.packet_id)),
    };
    let folder = if from.pack.is_dir() { from.pack.as_path() } else { from.pack.parent().unwrap_or(Path::new("")) };
    let file = folder.join("golden").join(format!("{name}.yaml"));
    let material = PackMaterial::of_bundle(&bundle, &[]);
    let cache = Hydrations::new();
    let replayed = replay_against(&archived.bundle, &material, &cache).map_err(|report| archived.refused(&report))?;
    let shown = file.display().to_string();
    let case = make_case(&archived.bundle, &replayed, (&bundle, &typed), &shown, &description)
        .map_err(|report| archived.refused(&report))?;
    unhidden(&case.document, &bundle)?;
    files::write(&file, case.text.as_bytes(), Existing::Keep, Access::Shared)?;
    let expect = serde_json::to_value(&case.expect).map_err(AppError::internal)?;
    Ok(WrittenCase { file, packet_id: packet.packet_id.clone(), expect })
}

/// Refuses a case that lint would refuse for what it holds: secrets and hidden characters.
fn unhidden(case: &Document, bundle: &Bundle) -> Result<(), AppError> {
    let alone = Bundle::new(bundle.document.clone(), bundle.overlays.clone(), vec![case.clone()]);
    let gates = deed_pack::lint_gates(&alone, &[deed_pack::Gate::Security]).report;
    let mut report = alone.report();
    let own = |finding: &&Diagnostic| finding.place.as_ref().is_some_and(|place| place.source == case.source().name());
    let errors = gates.diagnostics().iter().filter(own).filter(|finding| finding.severity == Severity::Error);
    errors.for_each(|finding| report.push(finding.clone()));
    if report.has_errors() { Err(report.into()) } else { Ok(()) }
}

fn checked_name(name: &str) -> Result<&str, AppError> {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_');
    let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    if starts_well && name.len() <= 100 && name.bytes().all(allowed) {
        return Ok(name);
    }
    let message = format!("{} is not a name for a golden case", quote(name));
    let diagnostic = Diagnostic::error(codes::BAD_GOLDEN_NAME, message).stage("golden");
    Err(AppError::usage(diagnostic.help("a name has lowercase letters, digits, `-` and `_`")))
}
