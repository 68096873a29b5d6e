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
                    bound_to: Vec::new(),
                });
            }
        }
        let registered = profiles::registered(&global.session())?;
        for (reference, publication) in registered.published() {
            let bound = registered.bindings().filter(|(_, record)| record.profile_ref == *reference);
            listed.push(ListedProfile {
                profile_ref: reference.to_string(),
                content_hash: publication.content_hash.to_string(),
                origin: ProfileOrigin::Published,
                summary: None,
                bound_to: bound.map(|(scope, _)| scope.clone()).collect(),
            });
        }
        let mut text = String::new();
        for profile in &listed {
            let origin = profile.origin.as_str();
            let bound: Vec<String> = profile.bound_to.iter().map(|scope| format!("bound to {scope}")).collect();
            let about = profile.summary.clone().unwrap_or_else(|| bound.join(", "));
            let _ = writeln!(text, "{:<25} {origin:<10} {about}", profile.profile_ref);
        }
        Ok(Success::new(listed, text))
    }
}
