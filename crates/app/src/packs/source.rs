//! Reads packs from folders, files and the registry.

use crate::error::AppError;
use crate::files;
use crate::registry::{self, pack_ref, report_of};
use crate::session::Session;
use deed_context::GoldenRunner;
use deed_diag::{Diagnostic, Document, Format, Report, Severity};
use deed_pack::{Bundle, Candidate, Gate, LintReport, Purpose, lint_gates, lint_with};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a pack to inspect it: from a path, or from the registry if there is no such path. A pack that holds a secret is
/// refused, because callers print parts of it.
pub fn bundle(session: &Session, argument: &str) -> Result<Bundle, AppError> {
    let bundle = any_bundle(session, argument)?;
    match bundle.secrets() {
        Some(report) => Err(report.into()),
        None => Ok(bundle),
    }
}

/// Reads a pack to compile with. A reference is loaded, with its signature and reviews proven, for what it is to be
/// used for; a folder passes the schema and reference gates first, and what only publishing needs is a warning.
pub fn usable(session: &Session, argument: &str, purpose: Purpose, warnings: &mut Report) -> Result<Bundle, AppError> {
    let path = Path::new(argument);
    if !path.exists() && !looks_like_path(argument) {
        let reference = pack_ref(argument)?;
        let (_, registry) = session.registry()?;
        let loaded = registry.load(&reference, purpose).map_err(registry::error)?;
        return of_candidate(&loaded.candidate);
    }
    let bundle = bundle(session, argument)?;
    let gates = lint_gates(&bundle, &[Gate::Schema, Gate::References]);
    let mut report = bundle.report();
    // Overlays are judged when they are applied; those that are not selected do not matter here.
    let concerns_overlays = |finding: &&Diagnostic| finding.code.as_str().starts_with("D10");
    for finding in gates.report.diagnostics().iter().filter(|finding| !concerns_overlays(finding)) {
        let mut finding = finding.clone();
        if ONLY_FOR_PUBLISHING.contains(&finding.code.as_str()) {
            finding.severity = Severity::Warning;
        }
        report.push(finding);
    }
    match report.has_errors() {
        true => Err(report.into()),
        false => {
            warnings.merge(report);
            Ok(bundle)
        }
    }
}

/// Evidence names that nothing satisfies: a draft can be compiled all the same.
const ONLY_FOR_PUBLISHING: [&str; 2] = ["D0305", "D0309"];

/// Reads a pack as [`bundle`] does, also where it holds a secret.
pub fn any_bundle(session: &Session, argument: &str) -> Result<Bundle, AppError> {
    let path = Path::new(argument);
    if path.exists() || looks_like_path(argument) {
        return files::pack_bundle(path);
    }
    let reference = pack_ref(argument)?;
    let (_, registry) = session.registry()?;
    // For inspection: a revoked version can be shown and compared.
    let loaded = registry.load(&reference, Purpose::Audit).map_err(registry::error)?;
    of_candidate(&loaded.candidate)
}

fn looks_like_path(argument: &str) -> bool {
    argument.contains(['/', '\\'])
        || argument.ends_with(".yaml")
        || argument.ends_with(".json")
        || argument.starts_with('.')
}

/// The documents of a published version, named by their references.
pub fn of_candidate(candidate: &Candidate) -> Result<Bundle, AppError> {
    let read = |name: &str, bytes: &[u8]| Document::read(name, bytes, Format::Json).map_err(AppError::from);
    let document = read(&candidate.pack_ref().to_string(), candidate.bytes())?;
    let mut overlays = BTreeMap::new();
    for overlay in candidate.overlays() {
        let reference = overlay.overlay_ref();
        let name = reference.name_in(&candidate.pack_ref().pack_id).unwrap_or(&reference.id).to_owned();
        overlays.insert(name, read(&reference.to_string(), overlay.bytes())?);
    }
    Ok(Bundle::new(document, overlays, Vec::new()))
}

/// A pack folder that passed lint, ready for the next step of its life.
pub fn linted(folder: &Path) -> Result<(Candidate, LintReport), AppError> {
    let bundle = files::pack_bundle(folder)?;
    let report = lint_with(&bundle, &Gate::ALL, &GoldenRunner);
    if !report.passed() {
        return Err(report.report.into());
    }
    let overlays: Vec<_> = bundle.overlays.values().map(|d| d.value().clone()).collect();
    let candidate =
        Candidate::new(bundle.document.value(), &overlays).map_err(|found| AppError::from(report_of(found)))?;
    Ok((candidate, report))
}

/// Counts the warnings of a lint.
pub(super) fn warnings(report: &LintReport) -> u64 {
    report.report.count(Severity::Warning) as u64
}
