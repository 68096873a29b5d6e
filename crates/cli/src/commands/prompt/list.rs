//! `deed prompt list`: the prompts that profiles can bind.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::profiles::{self, PromptOrigin};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the prompts that ship with Deed, and those of a profile.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed prompt list
  deed prompt list --profile ./team.yaml")]
pub(crate) struct List {
    /// Profile whose own prompts are listed too.
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
}

/// A prompt that can be bound.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedPrompt {
    /// Its reference.
    prompt_ref: String,
    /// Its hash.
    hash: String,
    /// Its origin.
    origin: PromptOrigin,
    /// Its purpose.
    description: String,
    /// The names of its variables.
    variables: Vec<String>,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let entries = profiles::prompts(&global.session(), self.profile.as_deref())?;
        let mut text = String::new();
        for entry in &entries {
            let _ = writeln!(text, "{:<56} {}", entry.prompt.prompt_ref, entry.prompt.description);
        }
        let listed = entries.into_iter().map(|entry| ListedPrompt {
            hash: entry.hash.to_string(),
            origin: entry.origin,
            variables: entry.prompt.variables.keys().cloned().collect(),
            prompt_ref: entry.prompt.prompt_ref,
            description: entry.prompt.description,
        });
        Ok(Success::new(listed.collect::<Vec<_>>(), text))
    }
}
