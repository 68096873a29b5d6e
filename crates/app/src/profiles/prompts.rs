//! The prompts that ship, and those of a profile.

use super::source::profile;
use crate::error::AppError;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{PromptBinding, PromptRef};
use deed_profile::{PromptLibrary, prompt_hash, shipped_prompts};
use schemars::JsonSchema;
use serde::Serialize;

/// The origin of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptOrigin {
    /// It ships in the binary.
    Shipped,
    /// It is part of the profile.
    Profile,
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

/// Lists the prompts that ship, and those of a profile.
///
/// # Errors
/// The profile cannot be read.
pub fn prompts(session: &Session, of_profile: Option<&str>) -> Result<Vec<PromptEntry>, AppError> {
    let read = of_profile.map(|name| profile(session, name)).transpose()?;
    let own = read.as_ref().and_then(|read| read.file.profile()).map(|profile| profile.prompts.as_slice());
    let shipped = shipped_prompts().iter().map(|prompt| entry(prompt, PromptOrigin::Shipped));
    let own = own.unwrap_or_default().iter().map(|prompt| entry(prompt, PromptOrigin::Profile));
    shipped.chain(own).collect()
}

/// Finds a prompt; without a version the newest.
///
/// # Errors
/// There is no such prompt, or the profile cannot be read.
pub fn prompt(session: &Session, reference: &str, of_profile: Option<&str>) -> Result<PromptEntry, AppError> {
    let wanted: PromptRef = reference.parse().map_err(|error: deed_model::PromptRefError| {
        let help = "write `workspace.operator.planner.system@v1`";
        AppError::refused(Diagnostic::error(codes::BAD_PROMPT_REF, error.to_string()).stage("prompt").help(help))
    })?;
    let read = of_profile.map(|name| profile(session, name)).transpose()?;
    let library = PromptLibrary::of(read.as_ref().and_then(|read| read.file.profile()));
    let Some((_, found)) = library.find(&wanted) else {
        let known = library.references();
        let help = did_you_mean(reference, known.iter().map(String::as_str));
        let diagnostic = Diagnostic::error(codes::UNKNOWN_PROMPT, format!("unknown prompt {}", quote(reference)));
        let help = help.unwrap_or_else(|| "`deed prompt list` lists the prompts".to_owned());
        return Err(AppError::refused(diagnostic.stage("prompt").help(help)));
    };
    let is_shipped = shipped_prompts().iter().any(|shipped| shipped.prompt_ref == found.prompt_ref);
    entry(found, if is_shipped { PromptOrigin::Shipped } else { PromptOrigin::Profile })
}

fn entry(prompt: &PromptBinding, origin: PromptOrigin) -> Result<PromptEntry, AppError> {
    Ok(PromptEntry { prompt: prompt.clone(), hash: prompt_hash(prompt).map_err(AppError::internal)?, origin })
}
