//! `deed profile list`: the profiles that can be named.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::profiles::{self, ProfileOrigin};
use deed_model::ProfileScope;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the execution profiles that ship or are published, with their bindings.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile list")]
pub(crate) struct List {}

/// A profile that can be named.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedProfile {
    /// Its reference.
    profile_ref: String,
    /// Its hash.
    content_hash: String,
    /// Its origin.
    origin: ProfileOrigin,
    /// Its purpose; none where it is published, since its file is not read for a list.
    summary: Option<String>,
    /// Its state in the registry, such as `published`; null where it ships.
    state: Option<String>,
    /// The reason of its deprecation or revocation.
    reason: Option<String>,
    /// The scopes that it is bound to.
    bound_to: Vec<ProfileScope>,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let mut listed = Vec::new();
        for read in profiles::shipped() {
            if let (Some(reference), Some(profile)) = (read.file.profile_ref(), read.file.profile()) {
                listed.push(ListedProfile {
                    profile_ref: reference.to_string(),
                    content_hash: read.file.content_hash().map_err(AppError::internal)?.to_string(),
                    origin: read.origin,
                    summary: Some(profile.summary.clone()),
                    state: None,
                    reason: None,
                    bound_to: Vec::new(),
                });
            }
        }
        let registered = profiles::registered(&global.session())?;
        for (reference, publication) in registered.published() {
            listed.push(ListedProfile {
                profile_ref: reference.to_string(),
                content_hash: publication.content_hash.to_string(),
                origin: ProfileOrigin::Published,
                summary: None,
                state: Some(publication.endings.state().to_string()),
                reason: publication.endings.reason().map(str::to_owned),
                bound_to: registered.scopes_of(reference).into_iter().cloned().collect(),
            });
        }
        let mut text = String::new();
        for profile in &listed {
            let state = profile.state.as_deref().unwrap_or(profile.origin.as_str());
            let reason = profile.reason.iter().map(|reason| format!("({reason})"));
            let bound: Vec<String> = profile.bound_to.iter().map(|scope| format!("bound to {scope}")).collect();
            let bound = Some(bound.join(", ")).filter(|bound| !bound.is_empty());
            let about: Vec<String> = profile.summary.iter().cloned().chain(bound).chain(reason).collect();
            let _ = writeln!(text, "{:<25} {state:<10} {}", profile.profile_ref, about.join(" "));
        }
        Ok(Success::new(listed, text))
    }
}
