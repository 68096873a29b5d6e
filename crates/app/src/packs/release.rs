//! The release gates before a publication, a pin or a promotion.

use super::archives;
use super::source::of_candidate;
use crate::contexts::{current, read as read_recording};
use crate::error::AppError;
use crate::home::Home;
use crate::registry::{error, without_secret};
use crate::session::Session;
use deed_context::Hydrations;
use deed_diag::{Diagnostic, Place, Report, codes};
use deed_model::{RegressionMetric, ReviewRole};
use deed_pack::{AcceptedRegression, Bundle, PinRecord, Purpose};
use deed_release::{Regression, Release, Trial, TrialResult, compare, regressions};
use deed_store::Registry;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

/// Regressions that a caller accepts on the record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Acceptance {
    /// The metrics whose regressions are accepted.
    pub metrics: Vec<RegressionMetric>,
    /// The role that accepts them.
    pub role: Option<ReviewRole>,
    /// The reason.
    pub reason: String,
}

/// What a release was tried on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gated {
    /// The number of requests that were compared.
    pub requests: usize,
    /// The archives, each with the number of its recordings.
    pub archives: Vec<(String, usize)>,
    /// The regressions that are accepted, now or before.
    pub accepted: Vec<String>,
}

/// A registry with the session that uses it.
pub(super) struct Registered<'s> {
    pub(super) session: &'s Session,
    pub(super) home: &'s Home,
    pub(super) registry: &'s Registry,
}

/// A version of a pack with the overlays that are applied.
type Overlaid<'b> = (&'b Bundle, &'b [String]);

impl Registered<'_> {
    /// Tries a version against the one that an environment had pinned.
    pub(super) fn gate_since(
        &self,
        pin: &PinRecord,
        candidate: (&Bundle, &[String]),
        accept: &Acceptance,
    ) -> Result<Gated, AppError> {
        let loaded = self.registry.load(&pin.pack_ref, Purpose::Audit).map_err(error)?;
        let base = of_candidate(&loaded.candidate)?;
        self.gate(candidate, Some((&base, &pin.overlays)), accept)
    }

    /// Tries a version on its golden requests, on those of the base, and on the named archives.
    ///
    /// # Errors
    /// A regression that is not accepted, a changed archive, or a recording that cannot be compiled.
    pub(super) fn gate(
        &self,
        candidate: Overlaid<'_>,
        base: Option<Overlaid<'_>>,
        accept: &Acceptance,
    ) -> Result<Gated, AppError> {
        let Some(release) = Release::of(candidate, base) else {
            return Err(AppError::internal("a version that passed lint is not a pack"));
        };
        let result = self.tried(&release)?;
        let diff = match base {
            Some((before, _)) => Some(compare(before, candidate.0)?.0),
            None => None,
        };
        let found = regressions(&release, &result, diff.as_ref()).map_err(AppError::internal)?;
        let accepted = self.settle(candidate.0, found, accept)?;
        Ok(Gated { requests: result.what_if.requests, archives: result.archives, accepted })
    }

    fn tried(&self, release: &Release<'_>) -> Result<TrialResult, AppError> {
        let cache = Hydrations::new();
        let began = Instant::now();
        let stopwatch = || began.elapsed();
        let mut trial = Trial::new(release, &cache, &stopwatch);
        let golden = trial.golden()?;
        let mut archives = Vec::new();
        for archive in archives::named(self.home, self.registry)? {
            archives.push((archive.checked_files()?, archive));
        }
        let all: Vec<PathBuf> = archives.iter().flat_map(|(files, _)| files).cloned().collect();
        let judged: BTreeSet<PathBuf> = current(&all)?.into_iter().collect();
        for (files, archive) in archives {
            for path in files.into_iter().filter(|path| judged.contains(path)) {
                let recording = read_recording(&path)?;
                trial.add(&archive.name, &recording.bundle).map_err(|report| recording.refused(&report))?;
            }
        }
        Ok(trial.finish(golden))
    }

    /// Records what the caller accepts, and refuses what the caller did not accept.
    fn settle(&self, candidate: &Bundle, found: Vec<Regression>, accept: &Acceptance) -> Result<Vec<String>, AppError> {
        let Some(draft) = candidate.draft() else {
            return Err(AppError::internal("a version that passed lint has no reference"));
        };
        let history = self.registry.history(&draft.pack_ref).map_err(error)?;
        let (settled, open): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|r| history.accepts(&draft.content_hash, &r.finding));
        for metric in &accept.metrics {
            if !open.iter().any(|regression| regression.metric == *metric) {
                let message = format!("there is no regression of `{metric}` to accept");
                return Err(AppError::refused(nothing_to_accept(candidate, message)));
            }
        }
        let (accepted, left): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|regression| accept.metrics.contains(&regression.metric));
        if !left.is_empty() {
            return Err(refused(candidate, left));
        }
        let reason = without_secret("--reason", &accept.reason)?;
        let stamp = self.session.stamp()?;
        for regression in &accepted {
            let Some(role) = accept.role else {
                let message = "a role has to accept a regression".to_owned();
                return Err(AppError::usage(
                    nothing_to_accept(candidate, message).help("add `--as ROLE --reason TEXT`"),
                ));
            };
            let record = AcceptedRegression {
                seq: 0,
                content_hash: draft.content_hash,
                metric: regression.metric,
                finding: regression.finding,
                what: regression.diagnostic.message.clone(),
                role,
                reason: reason.to_owned(),
            };
            self.registry.accept_regression(&draft.pack_ref, &record, &stamp).map_err(error)?;
        }
        Ok(settled.into_iter().chain(accepted).map(|regression| regression.diagnostic.message).collect())
    }
}

fn nothing_to_accept(candidate: &Bundle, message: String) -> Diagnostic {
    Diagnostic::error(codes::NOTHING_TO_ACCEPT, message)
        .stage("release")
        .at(Place::file(candidate.document.source().name()))
        .help("leave `--accept` out, or see which regressions there are: `deed pack ci`")
}

/// The refusal of regressions that are not accepted, with how they could be.
fn refused(candidate: &Bundle, left: Vec<Regression>) -> AppError {
    let mut report: Report = candidate.report();
    for regression in left {
        let Regression { metric, diagnostic, .. } = regression;
        let how = format!("if it is intended: `--accept {metric} --as ROLE --reason TEXT`");
        let help = match &diagnostic.help {
            Some(help) => format!("{help}; {how}"),
            None => how,
        };
        report.push(diagnostic.stage("release").help(help));
    }
    report.into()
}
