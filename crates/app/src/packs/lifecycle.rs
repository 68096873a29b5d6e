//! The life of a pack until its publication: linted, reviewed, signed, published.

use super::policy::{lone_reviewer, too_few_reviews};
use super::release::{Acceptance, Gated, Registered};
use super::source::{candidate, linted, of_candidate, warnings};
use super::verify::{envelope_file, review_files};
use crate::error::{AppError, ErrorKind};
use crate::files;
use crate::keys::signing_key;
use crate::registry::{error, without_secret};
use crate::session::Session;
use deed_canon::{Envelope, KeyId};
use deed_context::{GoldenBase, GoldenRunner, PackMaterial};
use deed_diag::{Diagnostic, Report, codes};
use deed_model::{PackRef, ReviewRole};
use deed_pack::{
    Bundle, Candidate, Diff, Gate, LintReport, PackState, Purpose, lint_with, review_statement, signature_statement,
};
use deed_store::{Outcome, Registry};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tracing::info_span;

/// The result of linting a pack.
#[derive(Debug)]
pub struct LintOutcome {
    /// The findings of the gates.
    pub report: LintReport,
    /// The recorded event; none if the pack did not pass, there is no registry, or the caller did not ask to record it.
    pub recorded: Option<Outcome>,
    /// The reason why the registry could not record it.
    pub unrecorded: Option<AppError>,
}

/// Checks a pack through all gates and records in the registry, if there is one, that it passed.
///
/// # Errors
/// A file cannot be read, or the registry cannot be used.
pub fn lint(session: &Session, folder: &Path, record: bool) -> Result<LintOutcome, AppError> {
    let _span = info_span!("lint pack").entered();
    let bundle = files::pack_bundle(folder)?;
    let mut report = lint_with(&bundle, &Gate::ALL, &GoldenRunner);
    if let Some(base) = failing_base(session, &bundle, &report)? {
        report = lint_with(&bundle, &Gate::ALL, &base);
    }
    let mut recorded = None;
    let mut unrecorded = None;
    if report.passed() && record {
        match record_lint(session, &bundle, &report) {
            Ok(outcome) => recorded = outcome,
            // The gates are reported all the same; the registry's refusal is added.
            Err(refusal) if refusal.kind == ErrorKind::Refused => report.report.merge(refusal.report),
            // A registry that cannot be written does not keep the gates from being reported.
            Err(fault) if fault.kind == ErrorKind::Environment => unrecorded = Some(fault),
            Err(error) => return Err(error),
        }
    }
    if let Some(home) = session.maybe_home()? {
        if let Some(warning) = foreign_tenant(&bundle, &home.config.tenant) {
            report.report.push(warning);
            let tenancy = report.gates.iter_mut().filter(|gate| gate.gate == Gate::Tenancy && gate.ran);
            tenancy.for_each(|gate| gate.warnings += 1);
        }
        if let (Ok(registry), Ok(candidate)) = (Registry::open(&home.registry()), candidate(&bundle)) {
            too_few_reviews(&registry, &candidate)?.into_iter().for_each(|warning| report.report.push(warning));
        }
    }
    Ok(LintOutcome { report, recorded, unrecorded })
}

/// The newest published version of a pack whose golden cases fail: what its stages decided tells what moved.
fn failing_base(session: &Session, bundle: &Bundle, report: &LintReport) -> Result<Option<GoldenBase>, AppError> {
    let fails = report.gates.iter().any(|gate| gate.gate == Gate::Replay && gate.errors > 0);
    let (Some(draft), Some(home), true) = (&report.draft, session.maybe_home()?, fails) else { return Ok(None) };
    let Ok(registry) = Registry::open(&home.registry()) else { return Ok(None) };
    let listed = registry.list().map_err(error)?.into_iter();
    let published =
        listed.filter(|pack| pack.state >= PackState::Published && pack.pack_ref.pack_id == draft.pack_ref.pack_id);
    let Some(newest) = published.map(|pack| pack.pack_ref).max() else { return Ok(None) };
    let loaded = registry.load(&newest, Purpose::Audit).map_err(error)?;
    let base = PackMaterial::of_bundle(&of_candidate(&loaded.candidate)?, &[]);
    // A draft that is not the published one is compared with it; the same one tells nothing.
    Ok((base.pack != *bundle.document.value()).then_some(GoldenBase(base)))
}

/// Warns of a pack that cannot be pinned in this registry: pinning comes last, after publishing, which is final.
fn foreign_tenant(bundle: &Bundle, registry: &str) -> Option<Diagnostic> {
    let meta = bundle.document.value().get("pack_meta")?;
    let owner = meta.pointer("/tenant/tenant_id").and_then(Value::as_str)?;
    if owner == registry || meta.get("shared") == Some(&Value::Bool(true)) {
        return None;
    }
    let message = format!("this registry is for tenant `{registry}`: a pack of `{owner}` cannot be pinned in it");
    let help =
        format!("make a registry for its tenant with `deed init --tenant {owner}`, or set `pack_meta.shared: true`");
    let place = bundle.document.place("/pack_meta/tenant/tenant_id");
    Some(Diagnostic::warning(codes::FOREIGN_TENANT, message).stage("lifecycle").at(place).help(help))
}

fn record_lint(session: &Session, bundle: &Bundle, report: &LintReport) -> Result<Option<Outcome>, AppError> {
    let Some(home) = session.maybe_home()? else { return Ok(None) };
    let candidate = candidate(bundle)?;
    let registry = Registry::open(&home.registry()).map_err(error)?;
    registry.record_lint(&candidate, warnings(report), &session.stamp()?).map(Some).map_err(error)
}

/// A review that was made elsewhere and brought in.
#[derive(Debug)]
pub struct ImportedReview {
    /// The pack.
    pub candidate: Candidate,
    /// The file.
    pub file: PathBuf,
    /// The recorded event.
    pub outcome: Outcome,
}

/// Records reviews that were signed elsewhere: files, or folders of `*.review.json`. Their keys are judged by the trust of
/// this registry.
///
/// # Errors
/// The pack does not pass lint, a file is not a review of it, or its key is not trusted here.
pub fn import_review(session: &Session, folder: &Path, from: &[PathBuf]) -> Result<Vec<ImportedReview>, AppError> {
    let (_, registry) = session.registry()?;
    let (candidate, _) = linted(folder)?;
    let stamp = session.stamp()?;
    let mut imported = Vec::new();
    for path in from {
        for file in review_files(path)? {
            let envelope = envelope_file(&file)?;
            let outcome = registry.record_review(&candidate, &envelope, &stamp).map_err(error)?;
            imported.push(ImportedReview { candidate: candidate.clone(), file, outcome });
        }
    }
    Ok(imported)
}

/// A pack that was reviewed.
#[derive(Debug)]
pub struct ReviewedPack {
    /// The pack.
    pub candidate: Candidate,
    /// The key that signed.
    pub key_id: KeyId,
    /// The signed statement of each role, with the recorded event.
    pub reviews: Vec<(ReviewRole, Envelope, Outcome)>,
    /// A warning if the signature will be refused as it stands.
    pub warnings: Report,
}

/// Signs off on a pack in one or more roles.
///
/// # Errors
/// The pack does not pass lint, the key cannot be used, or the registry refuses. Roles are recorded one by one: the error
/// says which of them were.
pub fn review(
    session: &Session,
    folder: &Path,
    roles: &[ReviewRole],
    key: &str,
    note: Option<&str>,
) -> Result<ReviewedPack, AppError> {
    let (home, registry) = session.registry()?;
    let (candidate, _) = linted(folder)?;
    let key = signing_key(&home, key)?;
    let stamp = session.stamp()?;
    let note = note.map(|note| without_secret("--note", note)).transpose()?;
    let mut reviews: Vec<(ReviewRole, Envelope, Outcome)> = Vec::new();
    for role in roles {
        let statement = review_statement(&candidate, *role, note.map(str::to_owned)).map_err(AppError::internal)?;
        let envelope = statement.sign(&key).map_err(AppError::internal)?;
        let outcome = registry.record_review(&candidate, &envelope, &stamp).map_err(|refused| {
            let mut refused = error(refused);
            if !reviews.is_empty() {
                let done: Vec<String> = reviews.iter().map(|(role, _, outcome)| format!("{role}: {outcome}")).collect();
                refused
                    .report
                    .push(Diagnostic::info(codes::ROLES_PARTLY_RECORDED, format!("before that: {}", done.join("; "))));
            }
            refused
        })?;
        reviews.push((*role, envelope, outcome));
    }
    let warnings = lone_reviewer(&registry, &candidate)?;
    Ok(ReviewedPack { candidate, key_id: key.public().id(), reviews, warnings })
}

/// A pack that was signed.
#[derive(Debug)]
pub struct SignedPack {
    /// The pack.
    pub candidate: Candidate,
    /// The key that signed.
    pub key_id: KeyId,
    /// The signed statement.
    pub envelope: Envelope,
    /// The recorded event.
    pub outcome: Outcome,
}

/// Signs a reviewed pack for its issuer.
///
/// # Errors
/// The pack does not pass lint, lacks a review, or the key cannot be used.
pub fn sign(session: &Session, folder: &Path, key: &str) -> Result<SignedPack, AppError> {
    let _span = info_span!("sign pack").entered();
    let (home, registry) = session.registry()?;
    let (candidate, _) = linted(folder)?;
    let key = signing_key(&home, key)?;
    let statement = signature_statement(&candidate).map_err(AppError::internal)?;
    let envelope = statement.sign(&key).map_err(AppError::internal)?;
    let outcome = registry.record_signature(&candidate, &envelope, &session.stamp()?).map_err(error)?;
    Ok(SignedPack { candidate, key_id: key.public().id(), envelope, outcome })
}

/// A pack that was published.
#[derive(Debug)]
pub struct PublishedPack {
    /// The pack.
    pub candidate: Candidate,
    /// The recorded event.
    pub outcome: Outcome,
    /// What it was tried on before.
    pub gated: Gated,
}

/// Publishes a signed pack, after the release gates held. The version never changes again.
///
/// # Errors
/// The pack is not signed, its version number says too little about what changed, or it is worse than the version before
/// and that is not accepted.
pub fn publish(session: &Session, folder: &Path, accept: &Acceptance) -> Result<PublishedPack, AppError> {
    let _span = info_span!("publish pack").entered();
    let (home, registry) = session.registry()?;
    let (candidate, _) = linted(folder)?;
    let bundle = files::pack_bundle(folder)?;
    let base = published_before(&registry, candidate.pack_ref())?;
    if let Some(base) = &base {
        check_bump(base, &bundle)?;
    }
    let registered = Registered { session, home: &home, registry: &registry };
    let gated = registered.gate((&bundle, &[]), base.as_ref().map(|base| (base, [].as_slice())), accept)?;
    let outcome = registry.publish(&candidate, &session.stamp()?).map_err(error)?;
    Ok(PublishedPack { candidate, outcome, gated })
}

/// Compares with the highest published version below: its users must learn from the number what changed.
pub(super) fn check_bump_of(registry: &Registry, candidate: &Candidate, after: &Bundle) -> Result<(), AppError> {
    match published_before(registry, candidate.pack_ref())? {
        Some(before) => check_bump(&before, after),
        None => Ok(()),
    }
}

fn check_bump(before: &Bundle, after: &Bundle) -> Result<(), AppError> {
    let (_, report) = compare(before, after)?;
    if report.has_errors() { Err(report.into()) } else { Ok(()) }
}

/// Loads the highest published version below another one.
pub(super) fn published_before(registry: &Registry, own: &PackRef) -> Result<Option<Bundle>, AppError> {
    let listed = registry.list().map_err(error)?.into_iter();
    let earlier = listed.filter(|pack| {
        pack.state >= PackState::Published && pack.pack_ref.pack_id == own.pack_id && pack.pack_ref < *own
    });
    let Some(before) = earlier.map(|pack| pack.pack_ref).max() else { return Ok(None) };
    let loaded = registry.load(&before, Purpose::Audit).map_err(error)?;
    of_candidate(&loaded.candidate).map(Some)
}

/// Compares two versions of a pack. The report has the objections to the newer one.
///
/// # Errors
/// One of them cannot be read as a pack.
pub fn compare(before: &Bundle, after: &Bundle) -> Result<(Diff, Report), AppError> {
    Ok(deed_release::compare(before, after)?)
}
