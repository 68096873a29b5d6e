//! Publishes profiles, binds them, and finds the one that a run resolves to.

use super::pinned::usable;
use super::source::{linted, profile_ref};
use crate::error::AppError;
use crate::home::Home;
use crate::keys::signing_key;
use crate::objects::LoadedObjects;
use crate::registry::error;
use crate::session::Session;
use deed_canon::{ContentHash, KeyId};
use deed_diag::{Diagnostic, Report, codes};
use deed_model::{ProfileRef, ProfileScope};
use deed_pack::{ProfileCandidate, ProfileRegistry};
use deed_profile::{ProfileFile, ResolveInputs, diff, shipped_profile};
use deed_store::{Outcome, Registry};
use std::path::Path;

/// A profile that was published.
#[derive(Debug)]
pub struct PublishedProfile {
    /// The profile.
    pub profile_ref: ProfileRef,
    /// The hash of its document.
    pub content_hash: ContentHash,
    /// The key that signed.
    pub key_id: KeyId,
    /// The recorded event.
    pub outcome: Outcome,
    /// Warnings of lint.
    pub warnings: Report,
}

/// Signs a profile for its issuer and publishes it. The version never changes again.
///
/// # Errors
/// The profile does not pass lint, its version does not fit its changes or was published with other bytes, or the key may
/// not sign for its issuer.
pub fn publish(session: &Session, path: &Path, key: &str) -> Result<PublishedProfile, AppError> {
    let (home, registry) = session.registry()?;
    let (file, lint) = linted(session, path, None)?;
    if !lint.passed() {
        return Err(lint.report.into());
    }
    let bytes = file.canonical_bytes().map_err(AppError::internal)?;
    let candidate = ProfileCandidate::from_canonical(bytes).map_err(|found| refused(&file, found))?;
    free(&file, candidate.profile_ref())?;
    whole(session, &file)?;
    fits(&registry, &file, candidate.profile_ref())?;
    let pinned = file.profile().and_then(|profile| profile.context_pack_ref.as_deref());
    usable(session, &candidate.profile_ref().to_string(), pinned)?;
    let key = signing_key(&home, key)?;
    let statement = candidate.statement().map_err(AppError::internal)?;
    let envelope = statement.sign(&key).map_err(AppError::internal)?;
    let outcome = registry.publish_profile(&candidate, &envelope, &session.stamp()?).map_err(error)?;
    Ok(PublishedProfile {
        profile_ref: candidate.profile_ref().clone(),
        content_hash: candidate.content_hash(),
        key_id: key.public().id(),
        outcome,
        warnings: lint.report,
    })
}

fn refused(file: &ProfileFile, found: Vec<Diagnostic>) -> AppError {
    let mut report = file.report();
    found.into_iter().for_each(|found| report.push(found));
    report.into()
}

/// Refuses the id of a profile that ships: its name would stand for two documents.
fn free(file: &ProfileFile, own: &ProfileRef) -> Result<(), AppError> {
    if shipped_profile(own.profile_id()).is_none() {
        return Ok(());
    }
    let message = format!("`{}` ships with Deed", own.profile_id());
    let found = Diagnostic::error(codes::PROFILE_VERSION_EXISTS, message).stage("profile");
    let found = found.at(file.document.place("/profile_id")).help("publish it under an id of your own");
    Err(refused(file, vec![found]))
}

/// Refuses a profile whose validation packs do not all ship, are part of it or are published: a file beside it is not
/// published with it.
fn whole(session: &Session, file: &ProfileFile) -> Result<(), AppError> {
    let loaded = LoadedObjects::of(session, file, &[], Vec::new())?;
    let objects = loaded.as_objects();
    let inputs = ResolveInputs { profile: file, governed: None, workspace: None, objects };
    deed_profile::resolve(&inputs)?;
    Ok(())
}

/// Checks the version number against the highest published version below it.
fn fits(registry: &Registry, file: &ProfileFile, own: &ProfileRef) -> Result<(), AppError> {
    let state = registry.profiles().map_err(error)?;
    let earlier = state.published().map(|(reference, _)| reference);
    let before = earlier.filter(|before| before.profile_id() == own.profile_id() && *before < own).max().cloned();
    let Some(before) = before else { return Ok(()) };
    let diff = diff(&loaded(registry, &before)?, file)?;
    if diff.report.has_errors() { Err(diff.report.into()) } else { Ok(()) }
}

/// Loads a published profile, after its signature was verified.
pub(super) fn loaded(registry: &Registry, reference: &ProfileRef) -> Result<ProfileFile, AppError> {
    let candidate = registry.load_profile(reference).map_err(error)?;
    Ok(ProfileFile::read(&format!("{reference}.json"), candidate.bytes())?)
}

/// A profile that was bound.
#[derive(Debug)]
pub struct BoundProfile {
    /// The profile.
    pub profile_ref: ProfileRef,
    /// The scope.
    pub scope: ProfileScope,
    /// The recorded event.
    pub outcome: Outcome,
}

/// The scope of a binding, as a caller names it.
#[derive(Debug, Clone, Default)]
pub enum BindTo {
    /// The tenant of the home.
    #[default]
    Tenant,
    /// A workspace.
    Workspace(String),
    /// A run.
    Run(String),
}

impl BindTo {
    /// Returns the scope of a workspace or a run, or else of the tenant.
    pub fn named(workspace: Option<&str>, run: Option<&str>) -> Self {
        match (workspace, run) {
            (Some(workspace), _) => Self::Workspace(workspace.to_owned()),
            (None, Some(run)) => Self::Run(run.to_owned()),
            (None, None) => Self::Tenant,
        }
    }

    /// Returns the scope in the registry of a home.
    pub(super) fn scope(&self, home: &Home) -> ProfileScope {
        match self {
            Self::Tenant => ProfileScope::Tenant { tenant_id: home.config.tenant.clone() },
            Self::Workspace(workspace) => ProfileScope::Workspace { workspace: workspace.clone() },
            Self::Run(run_id) => ProfileScope::Run { run_id: run_id.clone() },
        }
    }
}

/// Binds a published profile to a scope.
///
/// # Errors
/// The profile is not published, ended or no longer verifies, or the scope has no usable name.
pub fn bind(session: &Session, reference: &str, to: &BindTo) -> Result<BoundProfile, AppError> {
    let (home, registry) = session.registry()?;
    let profile_ref = profile_ref(reference)?;
    let scope = to.scope(&home);
    let outcome = registry.bind_profile(&profile_ref, &scope, &session.stamp()?).map_err(error)?;
    Ok(BoundProfile { profile_ref, scope, outcome })
}

/// Returns the published profiles and their bindings; none of either without a home.
///
/// # Errors
/// The registry cannot be read.
pub fn registered(session: &Session) -> Result<ProfileRegistry, AppError> {
    match session.maybe_home()? {
        None => Ok(ProfileRegistry::default()),
        Some(_) => session.registry()?.1.profiles().map_err(error),
    }
}
