//! Published versions between registries, as one file each.

use super::ending;
use super::lifecycle::check_bump_of;
use super::source::of_candidate;
use crate::classified::{RestrictedCopies, of_pack};
use crate::error::{AppError, ErrorKind};
use crate::files::{self, Access, Existing};
use crate::home::Home;
use crate::registry::{error, known_ref, report_of};
use crate::session::Session;
use deed_canon::to_canonical;
use deed_context::GoldenRunner;
use deed_diag::{Diagnostic, Place, Report, Severity, codes};
use deed_model::{PackEnd, PackExport, PackRef};
use deed_pack::{Candidate, Gate, PackState, PinnedUse, Purpose, lint_with, verify_offline};
use deed_store::{Outcome, Registry};
use std::path::{Path, PathBuf};
use tracing::info_span;

/// The format that is written, and the only one that is read.
const FORMAT: &str = "deed/pack-export/v1";
/// The end of the name of an exported file in a folder.
const SUFFIX: &str = ".pack.json";

/// The copies of versions that a caller takes.
#[derive(Debug, Clone, Default)]
pub struct CopyRequest {
    /// The answer to a copy of a pack that is RESTRICTED.
    pub restricted: RestrictedCopies,
    /// The key that signs the end of a version; otherwise the first key here that is trusted to sign for its issuer.
    pub key: Option<String>,
}

/// Reads a published version with its reviews and signatures from the registry. That a version is deprecated is part of
/// it, signed by a key that is here.
///
/// # Errors
/// There is no such version, it is revoked, it does not verify, no key may sign its end, or it is RESTRICTED and that was
/// not allowed.
pub fn exported(session: &Session, reference: &str, copy: &CopyRequest) -> Result<PackExport, AppError> {
    let reference = known_ref(session, reference)?;
    let (home, registry) = session.registry()?;
    export_of(&home, &registry, &reference, Purpose::Replay, copy)
}

pub(super) fn export_of(
    home: &Home,
    registry: &Registry,
    reference: &PackRef,
    purpose: Purpose,
    copy: &CopyRequest,
) -> Result<PackExport, AppError> {
    let export = registry.export(reference, purpose).map_err(error)?;
    let candidate = &export.loaded.candidate;
    copy.restricted.check(Some(of_pack(candidate.document())?), "an export of it", &format!("`{reference}`"))?;
    Ok(PackExport {
        format: FORMAT.to_owned(),
        pack_ref: reference.clone(),
        content_hash: candidate.content_hash(),
        document: candidate.document().clone(),
        overlays: candidate.overlays().iter().map(|o| o.document().clone()).collect(),
        golden: candidate.golden().iter().map(|g| (g.name().to_owned(), g.document().clone())).collect(),
        reviews: export.reviews,
        signatures: export.signatures,
        endings: ending::signed(home, registry, candidate, copy.key.as_deref())?,
    })
}

/// Writes a published version to a file, or into a folder under its reference. The same version gives the same bytes.
///
/// # Errors
/// There is no such version, or the file cannot be written.
pub fn export(
    session: &Session,
    reference: &str,
    out: &Path,
    copy: &CopyRequest,
) -> Result<(PackExport, PathBuf), AppError> {
    let export = exported(session, reference, copy)?;
    let path = if out.is_dir() { out.join(format!("{}{SUFFIX}", export.pack_ref)) } else { out.to_owned() };
    let value = serde_json::to_value(&export).map_err(AppError::internal)?;
    let bytes = to_canonical(&value).map_err(AppError::internal)?;
    files::write(&path, &bytes, Existing::Replace, Access::Shared)?;
    Ok((export, path))
}

/// A version that was brought in.
#[derive(Debug)]
pub struct ImportedPack {
    /// The version.
    pub pack_ref: PackRef,
    /// The recorded publication.
    pub outcome: Outcome,
    /// The state in which it ended, if its issuer ended it.
    pub ended: Option<PackEnd>,
    /// Reviews and signatures that do not count here, as warnings: their keys are not trusted.
    pub report: Report,
}

/// A version that was to be brought in.
#[derive(Debug)]
pub struct ImportOutcome {
    /// The file or the entry of the layout.
    pub name: String,
    /// The version, or the refusal of it.
    pub result: Result<ImportedPack, AppError>,
}

/// An export that was read, or the reason why it cannot be.
pub(super) type ReadExport = (String, Result<PackExport, AppError>);

/// Imports a file, or every exported file of a folder, lower versions first. A version that is refused does not stop the
/// others. `pinned` is the answer to the end of a version that environments here use.
///
/// # Errors
/// There are no files, or the registry cannot be written.
pub fn import(session: &Session, from: &Path, pinned: PinnedUse) -> Result<Vec<ImportOutcome>, AppError> {
    let files = export_files(from)?;
    let exports = files.iter().map(|path| (path.display().to_string(), read_export(path))).collect();
    import_all(session, exports, pinned)
}

/// Imports exports with the names that findings show, lower versions first.
pub(super) fn import_all(
    session: &Session,
    mut exports: Vec<ReadExport>,
    pinned: PinnedUse,
) -> Result<Vec<ImportOutcome>, AppError> {
    let version = |read: &ReadExport| read.1.as_ref().ok().map(|export| export.pack_ref.clone());
    exports.sort_by_cached_key(version);
    let mut outcomes = Vec::new();
    for (name, read) in exports {
        let result = read.and_then(|export| import_one(session, &name, &export, pinned));
        match result {
            // A full disk or a busy registry is no fault of one version.
            Err(failed) if failed.kind != ErrorKind::Refused => return Err(failed),
            result => outcomes.push(ImportOutcome { name, result }),
        }
    }
    Ok(outcomes)
}

fn import_one(session: &Session, name: &str, export: &PackExport, pinned: PinnedUse) -> Result<ImportedPack, AppError> {
    let _span = info_span!("import pack").entered();
    let (_, registry) = session.registry()?;
    let golden: Vec<_> = export.golden.iter().map(|(name, case)| (name.clone(), case.clone())).collect();
    let candidate = Candidate::new(&export.document, &export.overlays)
        .and_then(|candidate| candidate.with_golden(&golden))
        .map_err(|found| AppError::from(report_of(found)))?;
    if *candidate.pack_ref() != export.pack_ref || candidate.content_hash() != export.content_hash {
        return Err(not_an_export(name, "its documents are not the ones that it names"));
    }
    proven_here(&registry, export, &golden)?;
    let endings = ending::proven(&registry, name, &export.endings, &candidate)?;
    let ended = endings.iter().map(|ending| ending.end).max();
    if ended == Some(PackEnd::Revoked) && ending::is_revoked_here(&registry, &candidate)? {
        let (pack_ref, outcome) = (export.pack_ref.clone(), Outcome::AlreadyDone);
        return Ok(ImportedPack { pack_ref, outcome, ended, report: Report::default() });
    }
    let bundle = of_candidate(&candidate)?;
    let linted = lint_with(&bundle, &Gate::ALL, &GoldenRunner);
    if !linted.passed() {
        return Err(linted.report.into());
    }
    check_bump_of(&registry, &candidate, &bundle)?;
    let stamp = session.stamp()?;
    let warnings = linted.report.count(Severity::Warning) as u64;
    registry.record_lint(&candidate, warnings, &stamp).map_err(error)?;
    let mut report = Report::default();
    for envelope in &export.reviews {
        if let Err(refused) = registry.record_review(&candidate, envelope, &stamp) {
            as_warnings(error(refused), &mut report)?;
        }
    }
    let mut signed = Err(None);
    for envelope in &export.signatures {
        match registry.record_signature(&candidate, envelope, &stamp) {
            Ok(outcome) => signed = Ok(outcome),
            Err(refused) if signed.is_ok() => as_warnings(error(refused), &mut report)?,
            Err(refused) => signed = Err(Some(error(refused))),
        }
    }
    signed.map_err(|refused| refused.unwrap_or_else(|| not_an_export(name, "it has no signature")))?;
    let mut outcome = registry.publish(&candidate, &stamp).map_err(error)?;
    for ending in &endings {
        if let recorded @ Outcome::Recorded(_) = ending::applied(&registry, ending, pinned, &stamp)? {
            outcome = recorded;
        }
    }
    Ok(ImportedPack { pack_ref: export.pack_ref.clone(), outcome, ended, report })
}

/// Verifies an export with the keys of this registry, before anything is recorded.
fn proven_here(
    registry: &Registry,
    export: &PackExport,
    golden: &[(String, serde_json::Value)],
) -> Result<(), AppError> {
    let store = registry.trust_store().map_err(error)?;
    let mut refused = Vec::new();
    for envelope in &export.signatures {
        match verify_offline(&export.document, &export.overlays, golden, envelope, &export.reviews, &store) {
            Ok(_) => return Ok(()),
            Err(found) => refused = found,
        }
    }
    if refused.is_empty() {
        return Err(not_an_export(&export.pack_ref.to_string(), "it has no signature"));
    }
    Err(report_of(refused).into())
}

/// Keeps a refusal as warnings; a fault of the environment stops the import.
fn as_warnings(refused: AppError, report: &mut Report) -> Result<(), AppError> {
    if refused.kind != ErrorKind::Refused {
        return Err(refused);
    }
    for found in refused.report.diagnostics() {
        let mut found = found.clone();
        found.severity = Severity::Warning;
        report.push(found);
    }
    Ok(())
}

/// The file itself, or the exported files of a folder in the order of their names.
fn export_files(from: &Path) -> Result<Vec<PathBuf>, AppError> {
    if !from.is_dir() {
        return Ok(vec![from.to_owned()]);
    }
    let failed = |error: std::io::Error| AppError::reading(from, &error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(SUFFIX)) {
            found.push(path);
        }
    }
    found.sort();
    match found.is_empty() {
        true => Err(not_an_export(&from.display().to_string(), "the folder has no exported pack")),
        false => Ok(found),
    }
}

fn read_export(path: &Path) -> Result<PackExport, AppError> {
    let name = path.display().to_string();
    let document = files::document_as(path, deed_diag::Format::Json)?;
    let export: PackExport =
        serde_json::from_value(document.value().clone()).map_err(|error| not_an_export(&name, &error.to_string()))?;
    match export.format == FORMAT {
        true => Ok(export),
        false => Err(not_an_export(&name, &format!("it has the format `{}`", export.format))),
    }
}

/// Envelopes that were read elsewhere.
#[derive(Debug, Default)]
pub(super) struct Envelopes {
    pub(super) reviews: Vec<deed_canon::Envelope>,
    pub(super) signatures: Vec<deed_canon::Envelope>,
    pub(super) endings: Vec<deed_canon::Envelope>,
}

/// Builds an export of documents and envelopes that were read elsewhere.
pub(super) fn assembled(
    pack_ref: PackRef,
    document: serde_json::Value,
    overlays: Vec<serde_json::Value>,
    golden: std::collections::BTreeMap<String, serde_json::Value>,
    envelopes: Envelopes,
) -> Result<PackExport, AppError> {
    let content_hash = deed_canon::hash(&deed_model::CONTEXT_PACK_TAG, &document).map_err(AppError::internal)?;
    let Envelopes { reviews, signatures, endings } = envelopes;
    Ok(PackExport {
        format: FORMAT.to_owned(),
        pack_ref,
        content_hash,
        document,
        overlays,
        golden,
        reviews,
        signatures,
        endings,
    })
}

/// Returns the published versions in order, each with its state.
pub(super) fn published(registry: &Registry) -> Result<Vec<(PackRef, PackState)>, AppError> {
    let listed = registry.list().map_err(error)?.into_iter();
    let published = listed.filter(|entry| entry.state >= PackState::Published);
    Ok(published.map(|entry| (entry.pack_ref, entry.state)).collect())
}

pub(super) fn not_an_export(name: &str, why: &str) -> AppError {
    AppError::refused(
        Diagnostic::error(codes::NOT_A_PACK_EXPORT, format!("this is not an exported pack: {why}"))
            .stage("import")
            .at(Place::file(name.to_owned()))
            .help("`deed pack export REF --out FILE` and `deed pack push DIR` write them"),
    )
}
