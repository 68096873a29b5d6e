//! The prompts that ship, those of a profile, and those of the registry.

use super::source::profile;
use crate::error::AppError;
use crate::files;
use crate::objects::{self, PublishedObject};
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, Report, codes, did_you_mean, quote};
use deed_model::{ObjectKind, PromptBinding, PromptRef};
use deed_pack::ObjectCandidate;
use deed_profile::{PromptFile, PromptLibrary, prompt_hash, shipped_prompts};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// The origin of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptOrigin {
    /// It ships in the binary.
    Shipped,
    /// It is part of the profile.
    Profile,
    /// It is an object of the registry, whose signature was verified.
    Published,
}

/// A prompt with its hash.
#[derive(Debug, Clone)]
pub struct PromptEntry {
    /// The prompt.
    pub prompt: PromptBinding,
    /// Its hash.
    pub hash: ContentHash,
    /// Its origin.
    pub origin: PromptOrigin,
}

/// Lists the prompts that ship, those of a profile, and those of the registry.
///
/// # Errors
/// The profile or the registry cannot be read.
pub fn prompts(session: &Session, of_profile: Option<&str>) -> Result<Vec<PromptEntry>, AppError> {
    let read = of_profile.map(|name| profile(session, name)).transpose()?;
    let own = read.as_ref().and_then(|read| read.file.profile()).map(|profile| profile.prompts.as_slice());
    let published = published(session)?;
    let shipped = shipped_prompts().iter().map(|prompt| entry(prompt, PromptOrigin::Shipped));
    let own = own.unwrap_or_default().iter().map(|prompt| entry(prompt, PromptOrigin::Profile));
    let published = published.iter().map(|prompt| entry(prompt, PromptOrigin::Published));
    shipped.chain(own).chain(published).collect()
}

/// The prompts of the registry whose signatures are valid, whatever their state.
fn published(session: &Session) -> Result<Vec<PromptBinding>, AppError> {
    let listed = objects::listed(session, ObjectKind::Prompt)?.into_iter().filter_map(|found| found.candidate);
    listed.map(|found| serde_json::from_slice(found.bytes()).map_err(AppError::internal)).collect()
}

/// Finds a prompt; without a version the newest.
///
/// # Errors
/// There is no such prompt, or the profile or the registry cannot be read.
pub fn prompt(session: &Session, reference: &str, of_profile: Option<&str>) -> Result<PromptEntry, AppError> {
    let wanted: PromptRef = reference.parse().map_err(|error: deed_model::PromptRefError| {
        let help = "write `workspace.operator.planner.system@v1`";
        AppError::refused(Diagnostic::error(codes::BAD_PROMPT_REF, error.to_string()).stage("prompt").help(help))
    })?;
    let read = of_profile.map(|name| profile(session, name)).transpose()?;
    let published = published(session)?;
    let own = read.as_ref().and_then(|read| read.file.profile());
    let library = PromptLibrary::of(own, &published);
    let Some((_, found)) = library.find(&wanted) else {
        let known = library.references();
        let help = did_you_mean(reference, known.iter().map(String::as_str));
        let diagnostic = Diagnostic::error(codes::UNKNOWN_PROMPT, format!("unknown prompt {}", quote(reference)));
        let help = help.unwrap_or_else(|| "`deed prompt list` lists the prompts".to_owned());
        return Err(AppError::refused(diagnostic.stage("prompt").help(help)));
    };
    let is = |prompts: &[PromptBinding]| prompts.iter().any(|known| known.prompt_ref == found.prompt_ref);
    let origin = match (is(shipped_prompts()), own.is_some_and(|own| is(&own.prompts))) {
        (true, _) => PromptOrigin::Shipped,
        (false, true) => PromptOrigin::Profile,
        (false, false) => PromptOrigin::Published,
    };
    entry(found, origin)
}

/// A prompt that was linted.
#[derive(Debug, Clone)]
pub struct LintedPrompt {
    /// The file.
    pub file: PromptFile,
    /// The findings.
    pub report: Report,
}

/// Checks a prompt in a file of its own.
///
/// # Errors
/// The file cannot be read.
pub fn lint_prompt(path: &Path) -> Result<LintedPrompt, AppError> {
    let source = files::read(path)?;
    let file = PromptFile::read(&source.name, &source.bytes)?;
    Ok(LintedPrompt { report: file.lint(), file })
}

/// Signs a prompt and publishes it. The version never changes again.
///
/// # Errors
/// The prompt does not pass lint, its name is that of one that ships, its version was published with another text, or the
/// key may not sign for the issuer.
pub fn publish_prompt(
    session: &Session,
    path: &Path,
    key: &str,
    issuer: Option<&str>,
) -> Result<PublishedObject, AppError> {
    let LintedPrompt { file, mut report } = lint_prompt(path)?;
    let prompt = file.prompt().filter(|_| !report.has_errors()).ok_or_else(|| report.clone())?;
    let name = |reference: &str| reference.split_once('@').map_or(reference, |(name, _)| name).to_owned();
    if shipped_prompts().iter().any(|shipped| name(&shipped.prompt_ref) == name(&prompt.prompt_ref)) {
        let message = format!("`{}` ships with Deed", name(&prompt.prompt_ref));
        let found = Diagnostic::error(codes::PROFILE_VERSION_EXISTS, message).stage("prompt");
        let help = "publish it under a name of your own, such as `acme.operator.planner.system@v1`";
        report.push(found.at(file.document.place("/prompt_ref")).help(help));
        return Err(report.into());
    }
    objects::publish(session, |issuer| ObjectCandidate::of_prompt(prompt, issuer), (key, issuer), report)
}

fn entry(prompt: &PromptBinding, origin: PromptOrigin) -> Result<PromptEntry, AppError> {
    Ok(PromptEntry { prompt: prompt.clone(), hash: prompt_hash(prompt).map_err(AppError::internal)?, origin })
}
