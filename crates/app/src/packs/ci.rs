//! The checklist of a pipeline over a pack.

use super::archives;
use super::lifecycle::published_before;
use super::policy::{needs, too_few_reviews};
use super::release::Acceptance;
use super::source::{any_bundle, candidate};
use crate::contexts::{bundles as archive_files, current, read as read_recording};
use crate::error::{AppError, ErrorKind};
use crate::registry::{error, without_secret};
use crate::session::Session;
use deed_canon::ContentHash;
use deed_context::Hydrations;
use deed_diag::{Diagnostic, Report, Severity, codes};
use deed_pack::Bundle;
use deed_release::{
    AcceptedFinding, CiAcceptance, CiInput, CiReport, Readiness, Regression, Release, Trial, TrialResult, checklist,
    compare, regressions, unreadable,
};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;
use tracing::info_span;

/// A pack to check, and what it is checked against.
#[derive(Debug, Clone, Default)]
pub struct CiRequest {
    /// A folder such as `./support`, or a version of the registry.
    pub pack: String,
    /// The version that it is compared with; otherwise the highest published one below it.
    pub base: Option<String>,
    /// Folders of recordings, besides the archives that the registry names.
    pub archives: Vec<PathBuf>,
    /// Regressions that the caller accepts in the report. Nothing is recorded in a registry.
    pub accept: Acceptance,
    /// The content hash of the only documents that they are accepted for.
    pub accept_for: Option<ContentHash>,
}

/// The report of the checklist, and its findings with the sources that show them.
#[derive(Debug)]
pub struct CheckedRelease {
    /// The report.
    pub report: CiReport,
    /// The findings of all lines, each with the name of its line as its stage.
    pub findings: Report,
}

/// Runs the eight lines of the checklist.
///
/// # Errors
/// A file or the registry cannot be read. What is wrong with the pack is in the report.
pub fn ci(session: &Session, request: &CiRequest) -> Result<CheckedRelease, AppError> {
    let _span = info_span!("pack ci").entered();
    let bundle = match any_bundle(session, &request.pack) {
        Ok(read) => read.bundle,
        // Documents that cannot be parsed are a finding of the first line.
        Err(refusal) if refusal.kind == ErrorKind::Refused && is_malformed(&refusal.report) => {
            let report = unreadable(&refusal.report);
            return Ok(CheckedRelease { report, findings: staged(refusal.report) });
        }
        Err(error) => return Err(error),
    };
    let base = base_of(session, request, &bundle)?;
    let before = base.as_ref().ok();
    let release = Release::of((&bundle, &[]), before.map(|base| (base, [].as_slice())));
    let trial = match &release {
        Some(release) => Some(tried(session, request, release)?),
        None => None,
    };
    let diff = before.filter(|_| release.is_some()).map(|before| compare(before, &bundle));
    let found = match (&release, &trial) {
        (Some(release), Some(Ok(result))) => {
            let diff = diff.as_ref().and_then(|diff| diff.as_ref().ok()).map(|(diff, _)| diff);
            regressions(release, result, diff).map_err(AppError::internal)?
        }
        _ => Vec::new(),
    };
    let (readiness, mut accepted) = readiness(session, &bundle)?;
    let acceptance = accept(session, request, &bundle, &found, &accepted)?;
    accepted.extend(acceptance.accepted.iter().map(|own| own.finding));
    let report = checklist(CiInput {
        candidate: &bundle,
        release: release.as_ref(),
        no_base: base.as_ref().err().cloned(),
        trial,
        regressions: found,
        accepted,
        acceptance,
        diff,
        readiness,
    });
    let mut findings = bundle.report();
    if let Some(before) = before {
        findings.merge(before.report());
    }
    report.findings().for_each(|found| findings.push(found.clone()));
    Ok(CheckedRelease { report, findings })
}

/// Returns true if documents were read and cannot be parsed, which is about the pack and not about the command.
fn is_malformed(report: &Report) -> bool {
    report.diagnostics().iter().any(|d| d.severity == Severity::Error && d.code.as_str().starts_with("D01"))
}

fn staged(report: Report) -> Report {
    report.map(|found| found.stage("schema"))
}

/// Returns the base, or the reason why there is none.
fn base_of(session: &Session, request: &CiRequest, bundle: &Bundle) -> Result<Result<Bundle, String>, AppError> {
    if let Some(base) = &request.base {
        return Ok(Ok(any_bundle(session, base)?.bundle));
    }
    let Some(draft) = bundle.draft() else { return Ok(Err("the document is not a pack".to_owned())) };
    if session.maybe_home()?.is_none() {
        return Ok(Err("there is no registry here; name a base with `--base REF|DIR`".to_owned()));
    }
    let (_, registry) = session.registry()?;
    let before = published_before(&registry, &draft.pack_ref)?;
    Ok(before.ok_or_else(|| format!("no version below {} is published; `--base REF|DIR` names one", draft.pack_ref)))
}

/// Tries the release. A recording that cannot be compiled, or that was superseded wrongly, is a finding of the fifth line.
fn tried(
    session: &Session,
    request: &CiRequest,
    release: &Release<'_>,
) -> Result<Result<TrialResult, Report>, AppError> {
    let cache = Hydrations::new();
    let began = Instant::now();
    let stopwatch = || began.elapsed();
    let mut trial = Trial::new(release, &cache, &stopwatch);
    let golden = match trial.golden() {
        Ok(golden) => golden,
        Err(report) => return Ok(Err(report)),
    };
    let mut archives: Vec<(String, Vec<PathBuf>)> = Vec::new();
    for folder in &request.archives {
        archives.push((folder.display().to_string(), archive_files(folder)?));
    }
    if let Some(home) = session.maybe_home()? {
        let (_, registry) = session.registry()?;
        for archive in archives::named(&home, &registry)? {
            match archive.checked_files() {
                Ok(files) => archives.push((archive.name, files)),
                Err(refusal) if refusal.kind == ErrorKind::Refused => return Ok(Err(refusal.report)),
                Err(error) => return Err(error),
            }
        }
    }
    let all: Vec<PathBuf> = archives.iter().flat_map(|(_, files)| files).cloned().collect();
    let judged: BTreeSet<PathBuf> = match current(&all) {
        Ok(judged) => judged.into_iter().collect(),
        Err(refusal) if refusal.kind == ErrorKind::Refused => return Ok(Err(refusal.report)),
        Err(error) => return Err(error),
    };
    for (name, files) in archives {
        for path in files.into_iter().filter(|path| judged.contains(path)) {
            let recording = match read_recording(&path) {
                Ok(recording) => recording,
                Err(refusal) if refusal.kind == ErrorKind::Refused => return Ok(Err(refusal.report)),
                Err(error) => return Err(error),
            };
            if let Err(report) = trial.add(&name, &recording.bundle) {
                return Ok(Err(recording.refused(&report).report));
            }
        }
    }
    Ok(Ok(trial.finish(golden)))
}

/// Returns what the caller accepts of the regressions that were found, each with its hash, and what of it covers nothing.
fn accept(
    session: &Session,
    request: &CiRequest,
    bundle: &Bundle,
    found: &[Regression],
    before: &BTreeSet<ContentHash>,
) -> Result<CiAcceptance, AppError> {
    let Acceptance { metrics, role, reason } = &request.accept;
    let mut acceptance = CiAcceptance::default();
    if metrics.is_empty() {
        return Ok(acceptance);
    }
    let reason = without_secret("--reason", reason)?;
    let Some(role) = role else {
        return Err(AppError::usage(unaccepted("a role has to accept a regression".to_owned())));
    };
    if reason.trim().is_empty() {
        return Err(AppError::usage(unaccepted("a regression is accepted for a reason".to_owned())));
    }
    let content_hash = bundle.content_hash().map_err(AppError::internal)?;
    if let Some(other) = request.accept_for.filter(|wanted| *wanted != content_hash) {
        let message = format!("what is accepted is accepted for {other}, and the documents are {content_hash}");
        acceptance.unused.push(stale(message));
        return Ok(acceptance);
    }
    let by = session.stamp()?.actor;
    for metric in metrics {
        let own = found.iter().filter(|own| own.metric == *metric && !before.contains(&own.finding));
        let known = acceptance.accepted.len();
        acceptance.accepted.extend(own.map(|own| AcceptedFinding {
            metric: *metric,
            finding: own.finding,
            what: own.diagnostic.message.clone(),
            role: *role,
            by: by.clone(),
            reason: reason.to_owned(),
        }));
        if acceptance.accepted.len() == known {
            acceptance.unused.push(stale(format!("there is no regression of `{metric}` to accept")));
        }
    }
    Ok(acceptance)
}

fn unaccepted(message: String) -> Diagnostic {
    Diagnostic::error(codes::NOTHING_TO_ACCEPT, message).stage("release").help("add `--as ROLE --reason TEXT`")
}

/// A pipeline keeps its options while the pack moves on, so that accepting nothing is no error here.
fn stale(message: String) -> Diagnostic {
    Diagnostic::warning(codes::NOTHING_TO_ACCEPT, message).help("take `--accept` out: it covers nothing any more")
}

/// Asks the registry, if there is one, whether the pack could be published, and what was accepted.
fn readiness(session: &Session, bundle: &Bundle) -> Result<(Readiness, BTreeSet<ContentHash>), AppError> {
    let none = |why: &str| Ok((Readiness::NotChecked { why: why.to_owned() }, BTreeSet::new()));
    let Some(home) = session.maybe_home()? else { return none("there is no registry here: only the pack was checked") };
    let Some(draft) = bundle.draft() else { return none("the document is not a pack") };
    let (_, registry) = session.registry()?;
    let history = registry.history(&draft.pack_ref).map_err(error)?;
    let own = history.accepted.iter().filter(|a| a.content_hash == draft.content_hash);
    let accepted = own.map(|a| a.finding).collect();
    let mut findings = Vec::new();
    let version = || bundle.document.place("/pack_meta/pack_version");
    match &history.publication {
        Some(publication) if publication.content_hash != draft.content_hash => findings.push(
            Diagnostic::error(
                codes::VERSION_EXISTS,
                format!("`{}` is already published, as other bytes", draft.pack_ref),
            )
            .at(version())
            .help("raise `pack_meta.pack_version`"),
        ),
        Some(_) => {}
        None => {
            match candidate(bundle) {
                Ok(candidate) => {
                    findings.extend(too_few_reviews(&registry, &candidate)?.into_iter().map(|mut found| {
                        found.severity = Severity::Error;
                        found.place = Some(bundle.document.place("/policy_layer/review_policy"));
                        found
                    }))
                }
                // Its publication would be refused for the same reason.
                Err(refusal) => findings.extend(refusal.report.diagnostics().iter().cloned()),
            }
        }
    }
    let meta = &draft.pack.pack_meta;
    if meta.tenant.tenant_id != home.config.tenant && !meta.shared {
        let message = format!(
            "this registry is for tenant `{}`: a pack of `{}` cannot be pinned in it",
            home.config.tenant, meta.tenant.tenant_id
        );
        let place = bundle.document.place("/pack_meta/tenant/tenant_id");
        findings.push(Diagnostic::warning(codes::FOREIGN_TENANT, message).at(place));
    }
    let left = needs(session, bundle)?.iter().map(|need| need.what.to_string()).collect();
    Ok((Readiness::Checked { findings, left }, accepted))
}
