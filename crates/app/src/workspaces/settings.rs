//! Changes of the settings of a workspace.

use super::choice::WorkspaceChoice;
use super::create::nothing_to_change;
use super::open::chosen;
use super::refused;
use super::secrets::{named_secret, secret_name_of};
use crate::error::AppError;
use crate::files;
use crate::packs::PackChoice;
use crate::plans;
use crate::profiles;
use crate::registry::{self, without_secret};
use crate::session::Session;
use deed_diag::codes;
use deed_model::{DefaultPack, WorkspaceSettings};
use deed_profile::SettingsFile;
use deed_store::Outcome;
use std::path::PathBuf;

/// Settings to change; what is none stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsRequest {
    /// The profile of runs that name none: a shipped one, or a published version.
    pub profile: Option<String>,
    /// The pack of runs that name none: a published version, or with an environment an id.
    pub pack: Option<DefaultPack>,
    /// A file with settings of models and limits.
    pub settings: Option<PathBuf>,
    /// Secrets with their sources: `NAME`, `NAME=project`, `NAME=file:NAME` or `NAME=env:VARIABLE`.
    pub secrets: Vec<String>,
    /// The quota of bytes.
    pub quota_bytes: Option<u64>,
    /// The quota of versions.
    pub quota_versions: Option<u64>,
    /// Settings to take away.
    pub unset: Vec<Unset>,
}

/// A setting that is taken away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unset {
    /// The profile.
    Profile,
    /// The pack.
    Pack,
    /// The settings of models, and the limits.
    Settings,
    /// A secret.
    Secret(String),
}

/// Changes settings of a workspace. Runs that were submitted keep theirs.
///
/// # Errors
/// The actor is no owner, or a setting cannot be used. Nothing was changed then.
pub fn change_settings(
    session: &Session,
    choice: &WorkspaceChoice,
    request: &SettingsRequest,
) -> Result<(String, WorkspaceSettings, Outcome), AppError> {
    if *request == SettingsRequest::default() {
        return Err(nothing_to_change());
    }
    let opened = chosen(session, choice)?;
    let stamp = session.stamp()?;
    let before = opened.state()?.settings.clone();
    let settings = changed(session, &before, request)?;
    let change = |state: &deed_workspace::WorkspaceState| {
        // Another process may have changed them since they were read: these changes are made to what is there now.
        let merged = merge(&state.settings, &before, &settings);
        deed_workspace::change_settings(state, &merged, &stamp.actor)
    };
    let outcome = opened.store.append(&stamp, change).map_err(registry::error)?;
    let settings = opened.state()?.settings.clone();
    Ok((opened.name, settings, outcome))
}

/// Applies the difference between two settings to others.
fn merge(now: &WorkspaceSettings, before: &WorkspaceSettings, after: &WorkspaceSettings) -> WorkspaceSettings {
    let mut merged = now.clone();
    if before.default_profile != after.default_profile {
        merged.default_profile.clone_from(&after.default_profile);
    }
    if before.default_pack != after.default_pack {
        merged.default_pack.clone_from(&after.default_pack);
    }
    if before.model_settings != after.model_settings {
        merged.model_settings.clone_from(&after.model_settings);
    }
    let gone = before.secrets.keys().filter(|name| !after.secrets.contains_key(*name));
    gone.for_each(|name| drop(merged.secrets.remove(name)));
    let put = after.secrets.iter().filter(|(name, source)| before.secrets.get(*name) != Some(source));
    merged.secrets.extend(put.map(|(name, source)| (name.clone(), source.clone())));
    if before.quota.bytes != after.quota.bytes {
        merged.quota.bytes = after.quota.bytes;
    }
    if before.quota.versions != after.quota.versions {
        merged.quota.versions = after.quota.versions;
    }
    merged
}

/// Returns settings after changes. Everything that is named is loaded once, so that a mistake is found now and not in a run.
pub(super) fn changed(
    session: &Session,
    before: &WorkspaceSettings,
    request: &SettingsRequest,
) -> Result<WorkspaceSettings, AppError> {
    let mut settings = before.clone();
    for unset in &request.unset {
        match unset {
            Unset::Profile => settings.default_profile = None,
            Unset::Pack => settings.default_pack = None,
            Unset::Settings => settings.model_settings = None,
            Unset::Secret(name) => {
                let name = secret_name_of(name)?;
                if settings.secrets.remove(name).is_none() {
                    let message = format!("the workspace names no secret `{name}`");
                    return Err(refused(codes::BAD_SECRET_SOURCE, message, "`deed workspace show` lists its secrets"));
                }
            }
        }
    }
    if let Some(profile) = &request.profile {
        settings.default_profile = Some(default_profile(session, profile)?);
    }
    if let Some(pack) = &request.pack {
        settings.default_pack = Some(default_pack(session, pack)?);
    }
    if let Some(path) = &request.settings {
        let source = files::read(path)?;
        without_secret("--settings", &String::from_utf8_lossy(&source.bytes))?;
        settings.model_settings = Some(Box::new(SettingsFile::read(&source.name, &source.bytes)?.settings));
    }
    for secret in &request.secrets {
        let (name, source) = named_secret(secret)?;
        settings.secrets.insert(name, source);
    }
    settings.quota.bytes = request.quota_bytes.unwrap_or(settings.quota.bytes);
    settings.quota.versions = request.quota_versions.unwrap_or(settings.quota.versions);
    Ok(settings)
}

fn default_profile(session: &Session, name: &str) -> Result<String, AppError> {
    let read = profiles::profile(session, name)?;
    if read.origin == profiles::ProfileOrigin::File {
        let message = format!("{} is a file, which can change unnoticed", deed_diag::quote(name));
        let help = "publish it with `deed profile publish`, and name the version; `deed run --profile` takes files";
        return Err(refused(codes::PROFILE_NOT_FOUND, message, help));
    }
    profiles::may_govern(session, name)?;
    Ok(name.to_owned())
}

fn default_pack(session: &Session, pack: &DefaultPack) -> Result<DefaultPack, AppError> {
    if pack.environment.is_none() && !pack.pack.contains('@') {
        let message = format!("{} names no version", deed_diag::quote(&pack.pack));
        let help = "write a published version such as `ctxpack.support@1.0.0`, or an id with `--env NAME`";
        return Err(refused(codes::UNPINNED_REFERENCE, message, help));
    }
    let choice = PackChoice { pack: pack.pack.clone(), environment: pack.environment.clone() };
    plans::gates(session, Some(&choice))?;
    Ok(pack.clone())
}
