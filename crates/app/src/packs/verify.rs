//! Verifies versions, pins, the whole registry, and files alone.

use crate::error::AppError;
use crate::files;
use crate::registry::{error, known_ref, report_of};
use crate::session::Session;
use deed_canon::{ContentHash, Envelope};
use deed_diag::{Diagnostic, Place, Report, codes};
use deed_model::TrustStore;
use deed_pack::{OfflineProof, Purpose, read_envelope, verify_offline};
use deed_store::{LoadedPack, Verification};
use std::path::{Path, PathBuf};

/// A published version whose bytes, hashes, signature and reviews hold.
#[derive(Debug)]
pub struct VerifiedVersion {
    /// The version, with its proof.
    pub loaded: LoadedPack,
    /// The reason of its deprecation, if it is deprecated: then it is for replay only.
    pub deprecated: Option<String>,
}

/// Verifies a published version.
///
/// # Errors
/// There is no such version, or something about it does not hold.
pub fn verify_version(session: &Session, reference: &str) -> Result<VerifiedVersion, AppError> {
    let reference = known_ref(session, reference)?;
    let (_, registry) = session.registry()?;
    let loaded = registry.load(&reference, Purpose::Replay).map_err(error)?;
    let history = registry.history(&reference).map_err(error)?;
    Ok(VerifiedVersion { loaded, deprecated: history.deprecation.map(|ending| ending.reason) })
}

/// Verifies the version that an environment has pinned. Without a tenant it is an environment of the registry's own.
///
/// # Errors
/// Nothing is pinned there, or something about the version does not hold.
pub fn verify_pinned(
    session: &Session,
    pack_id: &str,
    environment: &str,
    tenant: Option<&str>,
) -> Result<LoadedPack, AppError> {
    let (home, registry) = session.registry()?;
    let tenant = tenant.unwrap_or(&home.config.tenant);
    registry.load_pinned(environment, pack_id, tenant).map_err(error)
}

/// Verifies the whole registry: every event and every version. The findings that are left are warnings.
///
/// # Errors
/// Something does not hold. `head` is the end of the log as it was kept earlier: a log without it was truncated or
/// rewritten.
pub fn verify_registry(session: &Session, head: Option<ContentHash>) -> Result<(Verification, Report), AppError> {
    let (_, registry) = session.registry()?;
    let mut verification = registry.verify(head).map_err(error)?;
    let report = report_of(std::mem::take(&mut verification.findings));
    if report.has_errors() { Err(report.into()) } else { Ok((verification, report)) }
}

/// Files that are verified without a registry.
#[derive(Debug, Clone, Default)]
pub struct OfflineFiles {
    /// The folder of the pack.
    pub pack: PathBuf,
    /// The signed envelope of the issuer.
    pub envelope: PathBuf,
    /// The trust store, as `deed keys list --export` prints it.
    pub trust: PathBuf,
    /// Signed envelopes of reviewers, or folders of `*.review.json`.
    pub reviews: Vec<PathBuf>,
    /// The handling of signatures of retired keys.
    pub retired_keys: RetiredKeys,
}

/// The handling of signatures of retired keys. Files alone do not prove that such a key signed before it retired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RetiredKeys {
    /// Refuse them.
    #[default]
    Refused,
    /// Accept them.
    Accepted,
}

/// Verifies files without a registry.
///
/// # Errors
/// A file cannot be read, or something about the pack does not hold.
pub fn verify_files(source: &OfflineFiles) -> Result<OfflineProof, AppError> {
    let bundle = files::pack_bundle(&source.pack)?;
    let store = trust_store(&source.trust)?;
    let signed = envelope_file(&source.envelope)?;
    let mut reviews = Vec::new();
    for path in &source.reviews {
        for file in review_files(path)? {
            reviews.push(envelope_file(&file)?);
        }
    }
    let overlays: Vec<_> = bundle.overlays.values().map(|d| d.value().clone()).collect();
    let proof = verify_offline(bundle.document.value(), &overlays, &bundle.golden_cases(), &signed, &reviews, &store)
        .map_err(|found| AppError::from(report_of(found)))?;
    match proof.retired.first() {
        Some(key) if source.retired_keys == RetiredKeys::Refused => Err(AppError::refused(
            Diagnostic::error(
                codes::SIGNED_BY_RETIRED_KEY,
                format!("`{key}` is retired; the files do not prove that it signed before that"),
            )
            .stage("verify")
            .at(Place::file(source.pack.display().to_string()))
            .help("ask the registry with `deed pack verify REF`, or accept it with `--accept-retired`"),
        )),
        _ => Ok(proof),
    }
}

/// The file itself, or the reviews in a folder in the order of their names.
pub(super) fn review_files(path: &Path) -> Result<Vec<PathBuf>, AppError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let failed = |error: std::io::Error| AppError::reading(path, &error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(".review.json")) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

pub(super) fn envelope_file(path: &Path) -> Result<Envelope, AppError> {
    let file = files::read(path)?;
    read_envelope(&file.bytes).map_err(|why| {
        AppError::refused(
            Diagnostic::error(codes::BAD_ENVELOPE, format!("this is not a signed envelope: {why}"))
                .stage("verify")
                .at(Place::file(file.name.clone()))
                .help("`deed pack sign --out FILE` and `deed pack review --out DIR` write them"),
        )
    })
}

fn trust_store(path: &Path) -> Result<TrustStore, AppError> {
    let document = files::document(path)?;
    serde_json::from_value(document.value().clone()).map_err(|error| {
        AppError::refused(
            Diagnostic::error(codes::BAD_TRUST_STORE, format!("this is not a trust store: {error}"))
                .stage("verify")
                .at(Place::file(path.display().to_string()))
                .help("`deed keys list --export` writes one"),
        )
    })
}
