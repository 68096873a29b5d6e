//! Deprecates and revokes profiles, ends bindings, and refuses what may govern no new run.

use super::publish::{BindTo, registered};
use super::source::{is_path, profile_ref};
use crate::error::AppError;
use crate::registry::{error, without_secret};
use crate::runs;
use crate::session::Session;
use crate::workspaces;
use deed_diag::Place;
use deed_model::{ProfileRef, ProfileScope};
use deed_pack::{EndOfUse, Endings, PinnedUse, Purpose};
use deed_profile::shipped_profile;
use deed_store::Outcome;

/// A profile that was deprecated or revoked.
#[derive(Debug)]
pub struct EndedProfile {
    /// The profile.
    pub profile_ref: ProfileRef,
    /// The recorded event.
    pub outcome: Outcome,
    /// The runs under way that go on under their frozen snapshots of it.
    pub under_way: Vec<String>,
}

/// Ends a published profile: it governs no new run.
///
/// # Errors
/// It is not published, something is bound to it and is not to be stopped, or the reason is empty or holds a secret.
pub fn end(
    session: &Session,
    reference: &str,
    (how, reason): (EndOfUse, &str),
    in_use: PinnedUse,
) -> Result<EndedProfile, AppError> {
    let profile_ref = profile_ref(reference)?;
    let (_, registry) = session.registry()?;
    let reason = without_secret("--reason", reason)?;
    let elsewhere = defaults_of(session, &profile_ref)?;
    let stamp = session.stamp()?;
    let outcome = registry.end_profile(&profile_ref, (how, reason), &elsewhere, in_use, &stamp).map_err(error)?;
    Ok(EndedProfile { under_way: runs::under_way(session, &profile_ref)?, profile_ref, outcome })
}

/// Returns the workspaces whose default a profile is.
fn defaults_of(session: &Session, profile_ref: &ProfileRef) -> Result<Vec<String>, AppError> {
    let named = workspaces::defaults(session)?.into_iter();
    let own = named.filter(|(_, profile)| *profile == profile_ref.to_string());
    Ok(own.map(|(workspace, _)| format!("workspace {workspace} by default")).collect())
}

/// A binding that was ended.
#[derive(Debug)]
pub struct UnboundProfile {
    /// The scope.
    pub scope: ProfileScope,
    /// The recorded event.
    pub outcome: Outcome,
}

/// Ends the binding of a scope.
///
/// # Errors
/// Nothing was bound there, or the reason is empty or holds a secret.
pub fn unbind(session: &Session, from: &BindTo, reason: &str) -> Result<UnboundProfile, AppError> {
    let (home, registry) = session.registry()?;
    let scope = from.scope(&home);
    let reason = without_secret("--reason", reason)?;
    let outcome = registry.unbind_profile(&scope, reason, &session.stamp()?).map_err(error)?;
    Ok(UnboundProfile { scope, outcome })
}

/// Returns how the life of a published profile ended, if the name is that of one.
///
/// # Errors
/// The registry cannot be read.
pub fn endings(session: &Session, name: &str) -> Result<Option<Endings>, AppError> {
    let named = name.parse::<ProfileRef>().ok().filter(|_| !is_path(name) && shipped_profile(name).is_none());
    let state = named.is_some().then(|| registered(session)).transpose()?;
    let found = state.as_ref().zip(named.as_ref()).and_then(|(state, named)| state.publication(named));
    Ok(found.map(|published| published.endings.clone()))
}

/// Refuses a published profile that is deprecated or revoked. What shows or compares profiles reads it all the same.
///
/// # Errors
/// It may govern no new run.
pub(crate) fn may_govern(session: &Session, name: &str) -> Result<(), AppError> {
    let place = Place::file(format!("profile:{name}"));
    let refusal = endings(session, name)?.and_then(|endings| endings.refusal(name, Purpose::NewWork, place));
    refusal.map_or(Ok(()), |refusal| Err(AppError::refused(refusal)))
}
