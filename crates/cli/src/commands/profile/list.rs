//! `deed profile list`: the profiles that can be named.

use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::profiles::{self, ProfileOrigin};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the execution profiles that ship with Deed.
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
    /// Its purpose.
    summary: String,
}

impl List {
    #[expect(clippy::unused_self, reason = "commands are run alike")]
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let mut listed = Vec::new();
        for read in profiles::shipped() {
            if let (Some(reference), Some(profile)) = (read.file.profile_ref(), read.file.profile()) {
                listed.push(ListedProfile {
                    profile_ref: reference.to_string(),
                    content_hash: read.file.content_hash().map_err(AppError::internal)?.to_string(),
                    origin: read.origin,
                    summary: profile.summary.clone(),
                });
            }
        }
        let mut text = String::new();
        for profile in &listed {
            let origin = profile.origin.as_str();
            let _ = writeln!(text, "{:<25} {origin:<8} {}", profile.profile_ref, profile.summary);
        }
        Ok(Success::new(listed, text))
    }
}
