//! `deed profile publish`: sign a profile for its issuer, and publish it.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, profiles};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Sign a profile for its issuer and publish it: the version never changes again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile publish team-default.profile.yaml --key acme")]
pub(crate) struct Publish {
    /// File of the profile.
    profile: PathBuf,
    /// Key that signs: its name under .deed/keys, or a file.
    #[arg(long)]
    key: String,
}

/// A profile that was published.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PublishedProfile {
    /// Its reference.
    profile_ref: String,
    /// Its hash.
    content_hash: String,
    /// The key that signed.
    key_id: String,
    /// True where an event was recorded; false where the same was published before.
    recorded: bool,
}

impl Publish {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let published = profiles::publish(&global.session(), &self.profile, &self.key)?;
        let recorded = published.outcome != deed_store::Outcome::AlreadyDone;
        let text = format!("{} {}\n", published.profile_ref, published.content_hash);
        let remark = format!("published: {}", published.outcome);
        let data = PublishedProfile {
            profile_ref: published.profile_ref.to_string(),
            content_hash: published.content_hash.to_string(),
            key_id: published.key_id.to_string(),
            recorded,
        };
        Ok(Success::new(data, text).report(published.warnings).remark(remark))
    }
}
