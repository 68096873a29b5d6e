//! Published versions in environments: pinned, rolled back, unpinned, observed, promoted; and their end.

use super::release::{Acceptance, Gated, Registered};
use super::source::{UsedVersion, of_candidate};
use crate::error::AppError;
use crate::registry::{error, known_ref, without_secret};
use crate::session::Session;
use deed_context::GoldenRunner;
use deed_diag::{Report, Severity};
use deed_model::{PackRef, PackUse};
use deed_pack::{Bundle, EnvironmentKey, Gate, PinnedUse, Purpose, lint_with, may_pin, roll_back_target};
use deed_store::{Outcome, Registry, Stamp};
use std::time::{Duration, Instant};
use tracing::info_span;

/// A version to pin.
#[derive(Debug, Clone, Default)]
pub struct PinRequest {
    /// The version.
    pub reference: String,
    /// The environment.
    pub environment: String,
    /// The tenant of the environment; otherwise the registry's own.
    pub tenant: Option<String>,
    /// The overlays that the environment applies from now on, by name.
    pub overlays: Vec<String>,
    /// The regressions that are accepted with it.
    pub accept: Acceptance,
}

/// A pack that was pinned.
#[derive(Debug)]
pub struct PinnedPack {
    /// The version.
    pub pack_ref: PackRef,
    /// The version that the environment used before.
    pub before: Option<PackRef>,
    /// True if the pin led back to an earlier one of the environment.
    rollback: bool,
    /// The tenant whose environment it is.
    pub tenant: String,
    /// The overlays that the pin binds.
    pub overlays: Vec<String>,
    /// The golden cases that ran before.
    pub replayed: GoldenReplay,
    /// What it was tried on before; nothing for a rollback, and where nothing was pinned.
    pub gated: Gated,
    /// The time that the whole operation took.
    pub took: Duration,
    /// The recorded event.
    pub outcome: Outcome,
}

impl PinnedPack {
    /// Returns true if the pin led back to an earlier one of the environment.
    pub fn is_rollback(&self) -> bool {
        self.rollback
    }
}

/// Golden cases of a version that were replayed. None failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoldenReplay {
    /// The number of cases.
    pub cases: usize,
    /// The time that they took.
    pub took: Duration,
}

/// Pins a published version in an environment. A lower version that was pinned there before, with the same overlays, is a
/// rollback; any other passes the release gates.
///
/// # Errors
/// The version is not published, or not for the tenant; one of its golden cases fails; it has no such overlay; or it is
/// worse than what is pinned now and that is not accepted.
pub fn pin(session: &Session, request: &PinRequest) -> Result<PinnedPack, AppError> {
    let _span = info_span!("pin pack").entered();
    let began = Instant::now();
    let pack_ref = known_ref(session, &request.reference)?;
    let (home, registry) = session.registry()?;
    let tenant = request.tenant.as_deref().unwrap_or(&home.config.tenant).to_owned();
    let (bundle, replayed) = replay_golden(&registry, &pack_ref)?;
    let key = key(&tenant, &request.environment, &pack_ref.pack_id);
    let state = registry.environment(key.clone()).map_err(error)?;
    let before = state.current().map(|pin| pin.pack_ref.clone());
    let registered = Registered { session, home: &home, registry: &registry };
    // What could not be pinned in any case is not tried.
    let history = registry.history(&pack_ref).map_err(error)?;
    may_pin(&history, &state, &request.overlays).map_err(|found| error(found.into()))?;
    let rollback = state.leads_back_to(&pack_ref, &request.overlays);
    let gated = match state.base() {
        // A rollback has to be possible at any time: its version passed the gates when it was pinned here before.
        Some(_) if rollback => Gated::default(),
        Some(pin) => registered.gate_since(pin, (&bundle, &request.overlays), &request.accept)?,
        None => registered.gate((&bundle, &request.overlays), None, &request.accept)?,
    };
    let stamp = timed(session, began)?;
    let outcome = registry.pin(&pack_ref, &request.environment, &tenant, &request.overlays, &stamp).map_err(error)?;
    let now = registry.environment(key).map_err(error)?;
    let overlays = now.current().map(|pin| pin.overlays.clone()).unwrap_or_default();
    Ok(PinnedPack { pack_ref, before, rollback, tenant, overlays, replayed, gated, took: began.elapsed(), outcome })
}

/// Pins the version and the overlays that an environment had before, after its golden cases were replayed.
///
/// # Errors
/// There is no version before, it may not be used, or one of its golden cases fails.
pub fn roll_back(
    session: &Session,
    pack_id: &str,
    environment: &str,
    tenant: Option<&str>,
) -> Result<PinnedPack, AppError> {
    let _span = info_span!("roll back").entered();
    let began = Instant::now();
    let (home, registry) = session.registry()?;
    let tenant = tenant.unwrap_or(&home.config.tenant).to_owned();
    let key = key(&tenant, environment, pack_id);
    let state = registry.environment(key.clone()).map_err(error)?;
    let target = roll_back_target(&state).map_err(|found| error(found.into()))?.clone();
    let before = state.current().map(|pin| pin.pack_ref.clone());
    let (_, replayed) = replay_golden(&registry, &target.pack_ref)?;
    let stamp = timed(session, began)?;
    let outcome = registry.roll_back(&key, &target.pack_ref, &stamp).map_err(error)?;
    Ok(PinnedPack {
        pack_ref: target.pack_ref,
        before,
        rollback: true,
        tenant,
        overlays: target.overlays,
        replayed,
        gated: Gated::default(),
        took: began.elapsed(),
        outcome,
    })
}

/// Returns the stamp of an operation that is measured, unless the time is set: then the log repeats byte for byte.
fn timed(session: &Session, began: Instant) -> Result<Stamp, AppError> {
    Ok(Stamp { began: session.now.is_none().then_some(began), ..session.stamp()? })
}

/// Runs the golden cases that were published with a version.
fn replay_golden(registry: &Registry, pack_ref: &PackRef) -> Result<(Bundle, GoldenReplay), AppError> {
    let loaded = registry.load(pack_ref, Purpose::NewWork).map_err(error)?;
    let bundle = of_candidate(&loaded.candidate)?;
    let began = Instant::now();
    failing(&bundle)?;
    let replayed = GoldenReplay { cases: bundle.golden.len(), took: began.elapsed() };
    Ok((bundle, replayed))
}

fn failing(bundle: &Bundle) -> Result<(), AppError> {
    let found = lint_with(bundle, &[Gate::Replay], &GoldenRunner).report;
    if !found.has_errors() {
        return Ok(());
    }
    let mut report = bundle.report();
    found.diagnostics().iter().filter(|d| d.severity == Severity::Error).for_each(|d| report.push(d.clone()));
    Err(report.into())
}

/// Ends the use of a pack in an environment.
///
/// # Errors
/// Nothing is pinned there, or the reason holds a secret.
pub fn unpin(
    session: &Session,
    pack_id: &str,
    environment: &str,
    tenant: Option<&str>,
    reason: &str,
) -> Result<Outcome, AppError> {
    let (home, registry) = session.registry()?;
    let reason = without_secret("--reason", reason)?;
    let key = key(tenant.unwrap_or(&home.config.tenant), environment, pack_id);
    registry.unpin(&key, reason, &session.stamp()?).map_err(error)
}

/// Promotes a version in an environment that has it pinned, after a run or a recording used it there.
///
/// # Errors
/// It is not pinned there, was not used there, or is worse than the version that was pinned there before and that is not
/// accepted.
pub fn promote(
    session: &Session,
    reference: &str,
    environment: &str,
    tenant: Option<&str>,
    accept: &Acceptance,
) -> Result<(PackRef, Outcome), AppError> {
    let pack_ref = known_ref(session, reference)?;
    let (home, registry) = session.registry()?;
    let tenant = tenant.unwrap_or(&home.config.tenant);
    let state = registry.environment(key(tenant, environment, &pack_ref.pack_id)).map_err(error)?;
    if let Some(pin) = state.current().filter(|pin| pin.pack_ref == pack_ref) {
        let loaded = registry.load(&pack_ref, Purpose::NewWork).map_err(error)?;
        let bundle = of_candidate(&loaded.candidate)?;
        let registered = Registered { session, home: &home, registry: &registry };
        match state.previous().filter(|_| !pin.rollback) {
            Some(before) => registered.gate_since(before, (&bundle, &pin.overlays), accept)?,
            None => registered.gate((&bundle, &pin.overlays), None, accept)?,
        };
    }
    let outcome = registry.promote(&pack_ref, environment, tenant, &session.stamp()?).map_err(error)?;
    Ok((pack_ref, outcome))
}

/// Records that a run or a recording used a version, once for each environment. A registry that cannot record it does not
/// stop the use: the report has warnings then.
///
/// # Errors
/// The session's time or actor cannot be used.
pub fn observe(session: &Session, used: &UsedVersion, by: &PackUse) -> Result<Report, AppError> {
    let stamp = session.stamp()?;
    let record = || {
        let (home, registry) = session.registry()?;
        let environment = used.environment.as_deref();
        registry.observe(&used.pack_ref, environment, &home.config.tenant, by, &stamp).map_err(error)
    };
    let mut report = Report::default();
    if let Err(failed) = record() {
        for found in failed.report.diagnostics() {
            let mut found = found.clone();
            found.severity = Severity::Warning;
            report.push(found);
        }
    }
    Ok(report)
}

/// Keeps a version for replay only.
///
/// # Errors
/// There is no such version, environments would go down, or the reason holds a secret.
pub fn deprecate(
    session: &Session,
    reference: &str,
    reason: &str,
    pinned: PinnedUse,
) -> Result<(PackRef, Outcome), AppError> {
    let pack_ref = known_ref(session, reference)?;
    let (_, registry) = session.registry()?;
    let reason = without_secret("--reason", reason)?;
    let outcome = registry.deprecate(&pack_ref, reason, pinned, &session.stamp()?).map_err(error)?;
    Ok((pack_ref, outcome))
}

/// Blocks a version. It is kept for audit.
///
/// # Errors
/// There is no such version, environments would go down, or the reason holds a secret.
pub fn revoke(
    session: &Session,
    reference: &str,
    reason: &str,
    pinned: PinnedUse,
) -> Result<(PackRef, Outcome), AppError> {
    let pack_ref = known_ref(session, reference)?;
    let (_, registry) = session.registry()?;
    let reason = without_secret("--reason", reason)?;
    let outcome = registry.revoke(&pack_ref, reason, pinned, &session.stamp()?).map_err(error)?;
    Ok((pack_ref, outcome))
}

fn key(tenant: &str, environment: &str, pack_id: &str) -> EnvironmentKey {
    EnvironmentKey { tenant_id: tenant.to_owned(), environment: environment.to_owned(), pack_id: pack_id.to_owned() }
}
