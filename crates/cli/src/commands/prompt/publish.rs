//! `deed prompt publish`: sign a prompt and publish it.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, profiles};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Sign a prompt and publish it: the version never changes again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed prompt publish prompts/planner.yaml --key acme")]
pub(crate) struct Publish {
    /// File of the prompt.
    prompt: PathBuf,
    /// Key that signs: its name under .deed/keys, or a file.
    #[arg(long)]
    key: String,
    /// Issuer that the key signs for [default: the registry's tenant].
    #[arg(long)]
    issuer: Option<String>,
}

/// A prompt that was published.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PublishedPrompt {
    /// Its reference.
    prompt_ref: String,
    /// Its hash.
    content_hash: String,
    /// The issuer.
    issuer: String,
    /// The key that signed.
    key_id: String,
    /// The event in the log; null where the same was published before.
    event: Option<Recorded>,
}

impl Publish {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let published = profiles::publish_prompt(&global.session(), &self.prompt, &self.key, self.issuer.as_deref())?;
        let text = format!("{} {}\n", published.object, published.content_hash);
        let remark = format!("published: {}", published.outcome);
        let data = PublishedPrompt {
            prompt_ref: published.object.name,
            content_hash: published.content_hash.to_string(),
            issuer: published.issuer,
            key_id: published.key_id.to_string(),
            event: event(&published.outcome),
        };
        Ok(Success::new(data, text).report(published.warnings).remark(remark))
    }
}
