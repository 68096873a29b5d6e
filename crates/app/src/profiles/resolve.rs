//! Resolves a profile through the five levels.

use super::source::{ProfileOrigin, profile};
use crate::error::AppError;
use crate::files;
use crate::objects::LoadedObjects;
use crate::session::Session;
use crate::valpacks;
use deed_profile::{ExplainedRow, ProfileFacts, ResolveInputs, Resolved, SettingsFile, lint};
use std::path::{Path, PathBuf};

/// What is resolved.
#[derive(Debug, Clone, Default)]
pub struct ExplainRequest {
    /// The profile: a shipped one by its id, or a file.
    pub profile: String,
    /// The governed settings of all runs; otherwise `settings.yaml` of the home, if it is there.
    pub settings: Option<PathBuf>,
    /// The settings of the workspace.
    pub workspace: Option<PathBuf>,
    /// The settings of the workspace of a run, in place of a file.
    pub run_workspace: Option<SettingsFile>,
}

/// A resolved profile with every effective value.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The resolved profile, with warnings of lint and of resolving.
    pub resolved: Resolved,
    /// Every effective value, by key.
    pub rows: Vec<ExplainedRow>,
}

/// Resolves a profile and explains every value. A profile that does not pass lint is refused.
///
/// # Errors
/// A file cannot be read, or the profile or the settings cannot be used.
pub fn explain(session: &Session, request: &ExplainRequest) -> Result<Explained, AppError> {
    let read = profile(session, &request.profile)?;
    let of_home = session.maybe_home()?.map(|home| home.settings()).filter(|path| path.exists());
    let governed = request.settings.clone().or(of_home).as_deref().map(settings).transpose()?;
    let of_file = request.workspace.as_deref().map(settings).transpose()?;
    let workspace = of_file.or_else(|| request.run_workspace.clone());
    let beside = match read.origin {
        ProfileOrigin::File => valpacks::beside(Path::new(&request.profile))?,
        ProfileOrigin::Shipped | ProfileOrigin::Published => Vec::new(),
    };
    let loaded = LoadedObjects::of(session, &read.file, &[governed.as_ref(), workspace.as_ref()], beside)?;
    let objects = loaded.as_objects();
    let linted = lint(&read.file, &ProfileFacts { objects: Some(objects), ..ProfileFacts::default() });
    if !linted.passed() {
        return Err(linted.report.into());
    }
    let inputs =
        ResolveInputs { profile: &read.file, governed: governed.as_ref(), workspace: workspace.as_ref(), objects };
    let mut resolved = deed_profile::resolve(&inputs)?;
    let rows = deed_profile::explain(&inputs, &resolved);
    resolved.report.merge(linted.report);
    Ok(Explained { resolved, rows })
}

fn settings(path: &Path) -> Result<SettingsFile, AppError> {
    let source = files::read(path)?;
    Ok(SettingsFile::read(&source.name, &source.bytes)?)
}
