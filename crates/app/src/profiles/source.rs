//! Reads profiles from files and from the binary.

use super::prices::priced_models;
use super::publish::loaded;
use crate::error::AppError;
use crate::files;
use crate::objects::LoadedObjects;
use crate::registry::error;
use crate::session::Session;
use crate::valpacks;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{ProfileRef, RefError};
use deed_profile::{ProfileFacts, ProfileFile, ProfileLint, lint, shipped_profile, shipped_profiles};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// The origin of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProfileOrigin {
    /// It ships in the binary.
    Shipped,
    /// It is a version of the registry, whose signature was verified.
    Published,
    /// It is a file, which is not signed.
    File,
}

impl ProfileOrigin {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shipped => "shipped",
            Self::Published => "published",
            Self::File => "file",
        }
    }
}

/// A profile that was read.
#[derive(Debug, Clone)]
pub struct ReadProfile {
    /// The document.
    pub file: ProfileFile,
    /// Its origin.
    pub origin: ProfileOrigin,
}

/// Returns the profiles that ship in the binary.
pub fn shipped() -> Vec<ReadProfile> {
    shipped_profiles().iter().map(|file| ReadProfile { file: file.clone(), origin: ProfileOrigin::Shipped }).collect()
}

/// Reads a profile to show it, or to resolve it: a shipped one by its id, a version of the registry, or a file. Files have a `/` in their name, begin
/// with a `.`, or end as documents do. A profile that holds a secret is refused, because callers print parts of it.
///
/// # Errors
/// There is no such profile, or it cannot be read or shown.
pub fn profile(session: &Session, argument: &str) -> Result<ReadProfile, AppError> {
    if !is_path(argument) {
        return match shipped_profile(argument) {
            Some(found) => Ok(ReadProfile { file: found.clone(), origin: ProfileOrigin::Shipped }),
            None => published(session, argument),
        };
    }
    let file = read(Path::new(argument))?;
    let checked = lint(&file, &ProfileFacts::default());
    let is_secret = |found: &&Diagnostic| found.code == codes::SECRET_IN_PROFILE;
    let mut report = file.report();
    checked.report.diagnostics().iter().filter(is_secret).for_each(|found| report.push(found.clone()));
    match report.has_errors() {
        true => Err(report.into()),
        false => Ok(ReadProfile { file, origin: ProfileOrigin::File }),
    }
}

/// Loads a version of the registry.
fn published(session: &Session, argument: &str) -> Result<ReadProfile, AppError> {
    if !argument.contains('@') || session.maybe_home()?.is_none() {
        return Err(unknown(argument));
    }
    let reference = profile_ref(argument)?;
    let (_, registry) = session.registry()?;
    if registry.profiles().map_err(error)?.publication(&reference).is_none() {
        return Err(unknown(argument));
    }
    Ok(ReadProfile { file: loaded(&registry, &reference)?, origin: ProfileOrigin::Published })
}

/// Parses a reference with an exact version.
pub(super) fn profile_ref(argument: &str) -> Result<ProfileRef, AppError> {
    argument.parse().map_err(|error: RefError| {
        let diagnostic = Diagnostic::error(codes::BAD_REFERENCE, error.to_string()).stage("reference");
        AppError::refused(diagnostic.help("write `<profile_id>@<version>`, such as `team-default@1.0.0`"))
    })
}

pub(super) fn is_path(argument: &str) -> bool {
    let ends = || [".yaml", ".yml", ".json"].iter().any(|ending| argument.ends_with(ending));
    argument.contains('/') || argument.starts_with('.') || (!argument.contains('@') && ends())
}

fn read(path: &Path) -> Result<ProfileFile, AppError> {
    let source = files::read(path)?;
    Ok(ProfileFile::read(&source.name, &source.bytes)?)
}

fn unknown(argument: &str) -> AppError {
    let ids = shipped_profiles().iter().filter_map(|file| Some(file.profile()?.profile_id.as_str()));
    let known: Vec<&str> = ids.collect();
    let id = argument.split_once('@').map_or(argument, |(id, _)| id);
    let help = did_you_mean(id, known.iter().copied())
        .unwrap_or_else(|| format!("shipped are {}; a file is written with a `/`", known.join(" and ")));
    let message = format!("unknown profile {}", quote(argument));
    AppError::refused(Diagnostic::error(codes::PROFILE_NOT_FOUND, message).stage("profile").help(help))
}

/// Checks a profile through all gates.
///
/// # Errors
/// A file cannot be read.
pub fn linted(session: &Session, path: &Path, prices: Option<&Path>) -> Result<(ProfileFile, ProfileLint), AppError> {
    let file = read(path)?;
    let priced = prices.map(priced_models).transpose()?;
    let objects = LoadedObjects::of(session, &file, &[], valpacks::beside(path)?)?;
    let report = lint(&file, &ProfileFacts { priced: priced.as_ref(), objects: Some(objects.as_objects()) });
    Ok((file, report))
}
