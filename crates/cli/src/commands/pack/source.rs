//! Where a pack comes from: a folder or file, or a pinned reference into the registry.

use crate::args::Global;
use crate::commands::registry::{self, pack_ref, report_of};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use deed_diag::{Document, Format, Severity};
use deed_pack::{Bundle, Candidate, LintReport, Purpose, lint};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a pack to look at: from a path, or from the registry where no such path is there. A pack that holds
/// a secret is refused, since what follows prints parts of it.
pub(super) fn bundle(argument: &str, global: &Global) -> Result<Bundle, Failure> {
    let bundle = any_bundle(argument, global)?;
    match bundle.secrets() {
        Some(report) => Err(report.into()),
        None => Ok(bundle),
    }
}

/// The same, whatever it holds.
pub(super) fn any_bundle(argument: &str, global: &Global) -> Result<Bundle, Failure> {
    let path = Path::new(argument);
    if path.exists() || looks_like_path(argument) {
        return files::pack_bundle(path);
    }
    let reference = pack_ref(argument)?;
    let (_, registry) = registry::open(global)?;
    // Looking is not running: a revoked version can be shown and compared.
    let loaded = registry.load(&reference, Purpose::Audit).map_err(registry::failure)?;
    of_candidate(&loaded.candidate)
}

fn looks_like_path(argument: &str) -> bool {
    argument.contains(['/', '\\'])
        || argument.ends_with(".yaml")
        || argument.ends_with(".json")
        || argument.starts_with('.')
}

/// The documents of a published version, named by their references.
pub(super) fn of_candidate(candidate: &Candidate) -> Result<Bundle, Failure> {
    let read = |name: &str, bytes: &[u8]| Document::read(name, bytes, Format::Json).map_err(Failure::from);
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
pub(super) fn linted(folder: &Path) -> Result<(Candidate, LintReport), Failure> {
    let bundle = files::pack_bundle(folder)?;
    let report = lint(&bundle);
    if !report.passed() {
        return Err(Failure { exit: Exit::Findings, report: report.report });
    }
    let overlays: Vec<_> = bundle.overlays.values().map(|d| d.value().clone()).collect();
    let candidate = Candidate::new(bundle.document.value(), &overlays)
        .map_err(|found| Failure { exit: Exit::Findings, report: report_of(found) })?;
    Ok((candidate, report))
}

/// How many warnings a lint left.
pub(super) fn warnings(report: &LintReport) -> u64 {
    report.report.count(Severity::Warning) as u64
}
