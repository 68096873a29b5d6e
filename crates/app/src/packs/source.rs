//! Reads packs from folders, files and the registry.

use crate::error::AppError;
use crate::files;
use crate::registry::{self, known_ref, report_of};
use crate::session::Session;
use deed_context::GoldenRunner;
use deed_diag::{Diagnostic, Document, Format, Report, Severity, codes, quote};
use deed_model::{PackOrigin, PackRef};
use deed_pack::{Bundle, Candidate, Gate, LintReport, Purpose, lint_gates, lint_with};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A pack as an argument names it: a version of the registry, or a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackName {
    /// A version of the registry, such as `ctxpack.support@1.0.0`.
    Version(PackRef),
    /// A folder or file, such as `./support`.
    Path(PathBuf),
}

impl PackName {
    /// Parses an argument. A path has a `/` or begins with a `.`; everything else belongs to the registry, so that a folder
    /// never takes the place of a proven version.
    ///
    /// # Errors
    /// The argument is a folder without a `/`, or not a reference with an exact version.
    pub fn parse(session: &Session, argument: &str) -> Result<Self, AppError> {
        let is_path = argument.contains('/') || (argument.starts_with('.') && !argument.contains('@'));
        if is_path {
            return Ok(Self::Path(PathBuf::from(argument)));
        }
        if !argument.contains('@') && Path::new(argument).exists() {
            return Err(bare_folder(argument));
        }
        known_ref(session, argument).map(Self::Version)
    }
}

/// The refusal of a folder that is written without a `/`.
fn bare_folder(argument: &str) -> AppError {
    let kind = if Path::new(argument).is_dir() { "folder" } else { "file" };
    let path = quote(&format!("./{argument}"));
    let message = format!("{} is a {kind} here; write {path}", quote(argument));
    let help = format!("write {path} for the {kind}, or `<pack_id>@<version>` for a version of the registry");
    AppError::refused(Diagnostic::error(codes::BARE_FOLDER_NAME, message).stage("reference").help(help))
}

/// The pack that a caller chooses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackChoice {
    /// A version of the registry, or a folder; with an environment the id of a pack.
    pub pack: String,
    /// The environment whose pinned version and overlays are used.
    pub environment: Option<String>,
}

impl PackChoice {
    /// Chooses a version of the registry, or a folder.
    pub fn of(pack: &str) -> Self {
        Self { pack: pack.to_owned(), environment: None }
    }
}

/// A pack that was read, and its origin.
#[derive(Debug)]
pub struct ReadPack {
    /// The documents.
    pub bundle: Bundle,
    /// Their origin.
    pub origin: PackOrigin,
    /// The pin that named it; none if it was named by its version or its path.
    pub pin: Option<EnvironmentPin>,
}

/// A pin of an environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentPin {
    /// The environment.
    pub environment: String,
    /// The overlays that it binds, by name.
    pub overlays: Vec<String>,
}

impl ReadPack {
    /// Returns the overlays that are bound to the environment; none without one.
    pub fn bound_overlays(&self) -> &[String] {
        self.pin.as_ref().map(|pin| pin.overlays.as_slice()).unwrap_or_default()
    }

    /// Returns the version, if it came from the registry, with the environment that named it.
    pub fn used_version(&self) -> Option<UsedVersion> {
        let draft = self.bundle.draft().filter(|_| self.origin == PackOrigin::Proven)?;
        let environment = self.pin.as_ref().map(|pin| pin.environment.clone());
        Some(UsedVersion { pack_ref: draft.pack_ref, environment })
    }
}

/// A version of the registry that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedVersion {
    /// The version.
    pub pack_ref: PackRef,
    /// The environment that named it.
    pub environment: Option<String>,
}

/// Reads a pack to inspect it: a path, or a version of the registry. A pack that holds a secret is refused, because callers
/// print parts of it.
pub fn bundle(session: &Session, argument: &str) -> Result<ReadPack, AppError> {
    let read = any_bundle(session, argument)?;
    match read.bundle.secrets() {
        Some(report) => Err(report.into()),
        None => Ok(read),
    }
}

/// Reads a pack to compile with. A reference is loaded, with its signature and reviews proven, for what it is to be
/// used for; a folder passes the schema and reference gates first, and what only publishing needs is a warning. By
/// environment, the version that it has pinned is loaded.
pub fn usable(
    session: &Session,
    choice: &PackChoice,
    purpose: Purpose,
    warnings: &mut Report,
) -> Result<ReadPack, AppError> {
    if let Some(environment) = &choice.environment {
        return pinned(session, &choice.pack, environment);
    }
    if let PackName::Version(reference) = PackName::parse(session, &choice.pack)? {
        return proven(session, &reference, purpose);
    }
    let read = bundle(session, &choice.pack)?;
    checked(&read.bundle, warnings)?;
    Ok(read)
}

/// Loads a version from the registry.
fn proven(session: &Session, reference: &PackRef, purpose: Purpose) -> Result<ReadPack, AppError> {
    let (_, registry) = session.registry()?;
    let loaded = registry.load(reference, purpose).map_err(registry::error)?;
    Ok(ReadPack { bundle: of_candidate(&loaded.candidate)?, origin: PackOrigin::Proven, pin: None })
}

/// Loads the version that an environment of the registry's tenant has pinned.
fn pinned(session: &Session, pack: &str, environment: &str) -> Result<ReadPack, AppError> {
    if pack.contains(['@', '/']) {
        let message = format!("with an environment a pack is named by its id, and {} is not one", quote(pack));
        let help = "write `--pack ctxpack.support --env prod`: the environment decides the version";
        return Err(AppError::refused(Diagnostic::error(codes::BAD_REFERENCE, message).stage("reference").help(help)));
    }
    let (home, registry) = session.registry()?;
    let loaded = registry.load_pinned(environment, pack, &home.config.tenant).map_err(registry::error)?;
    let overlays = loaded.pin.map(|pin| pin.overlays).unwrap_or_default();
    let pin = EnvironmentPin { environment: environment.to_owned(), overlays };
    Ok(ReadPack { bundle: of_candidate(&loaded.candidate)?, origin: PackOrigin::Proven, pin: Some(pin) })
}

/// Checks a folder by the schema and reference gates.
fn checked(bundle: &Bundle, warnings: &mut Report) -> Result<(), AppError> {
    let gates = lint_gates(bundle, &[Gate::Schema, Gate::References]);
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
            Ok(())
        }
    }
}

/// Evidence names that nothing satisfies: a draft can be compiled all the same.
const ONLY_FOR_PUBLISHING: [&str; 2] = ["D0305", "D0309"];

/// Reads a pack as [`bundle`] does, also where it holds a secret.
pub fn any_bundle(session: &Session, argument: &str) -> Result<ReadPack, AppError> {
    match PackName::parse(session, argument)? {
        PackName::Path(path) => {
            Ok(ReadPack { bundle: files::pack_bundle(&path)?, origin: PackOrigin::Folder, pin: None })
        }
        // For inspection: a revoked version can be shown and compared.
        PackName::Version(reference) => proven(session, &reference, Purpose::Audit),
    }
}

/// A pack to show: its documents, and the word for their origin.
#[derive(Debug)]
pub struct ShownSource {
    /// The documents.
    pub bundle: Bundle,
    /// `proven`, `folder`, or `candidate` for documents of the registry that were reviewed and not published.
    pub origin: &'static str,
}

/// Reads a pack to show it. A version that was reviewed and not published yet is shown too; nothing else can use it.
///
/// # Errors
/// There is no such pack, or it holds a secret.
pub fn shown(session: &Session, argument: &str) -> Result<ShownSource, AppError> {
    if let PackName::Version(reference) = PackName::parse(session, argument)? {
        let (_, registry) = session.registry()?;
        let history = registry.history(&reference).map_err(registry::error)?;
        if history.publication.is_none()
            && let Some(candidate) = registry.reviewed(&reference).map_err(registry::error)?
        {
            return Ok(ShownSource { bundle: of_candidate(&candidate)?, origin: "candidate" });
        }
    }
    let read = bundle(session, argument)?;
    Ok(ShownSource { bundle: read.bundle, origin: read.origin.as_str() })
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
    let golden = candidate
        .golden()
        .iter()
        .map(|case| read(&format!("{}/golden/{}.json", candidate.pack_ref(), case.name()), case.bytes()));
    let golden = golden.collect::<Result<Vec<_>, AppError>>()?;
    Ok(Bundle::new(document, overlays, golden))
}

/// A pack folder that passed lint, ready for the next step of its life.
pub fn linted(folder: &Path) -> Result<(Candidate, LintReport), AppError> {
    let bundle = files::pack_bundle(folder)?;
    let report = lint_with(&bundle, &Gate::ALL, &GoldenRunner);
    if !report.passed() {
        return Err(report.report.into());
    }
    Ok((candidate(&bundle)?, report))
}

/// The documents of a folder as the subject of reviews, signatures and publications.
pub(super) fn candidate(bundle: &Bundle) -> Result<Candidate, AppError> {
    let overlays: Vec<_> = bundle.overlays.values().map(|d| d.value().clone()).collect();
    let candidate = Candidate::new(bundle.document.value(), &overlays)
        .and_then(|candidate| candidate.with_golden(&bundle.golden_cases()));
    candidate.map_err(|found| AppError::from(report_of(found)))
}

/// Counts the warnings of a lint.
pub(super) fn warnings(report: &LintReport) -> u64 {
    report.report.count(Severity::Warning) as u64
}
