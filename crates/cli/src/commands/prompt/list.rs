//! `deed prompt list`: the prompts that profiles can bind.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::objects;
use deed_app::profiles::{self, PromptOrigin};
use deed_model::ObjectKind;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the prompts that ship or are published, and those of a profile.
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
    /// Its state in the registry, such as `published`; null where it is not published.
    state: Option<String>,
    /// The reason why it may not be used: it ended, or its signature is no longer valid.
    reason: Option<String>,
    /// Its purpose.
    description: String,
    /// The names of its variables.
    variables: Vec<String>,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let published = objects::listed(&session, ObjectKind::Prompt)?;
        let entries = profiles::prompts(&session, self.profile.as_deref())?;
        let mut data = Vec::new();
        for entry in entries {
            let known = published.iter().find(|known| known.object.name == entry.prompt.prompt_ref);
            let known = known.filter(|_| entry.origin != PromptOrigin::Shipped);
            data.push(ListedPrompt {
                hash: entry.hash.to_string(),
                origin: entry.origin,
                state: known.map(|known| known.state.to_string()),
                reason: known.and_then(|known| known.reason.clone()),
                variables: entry.prompt.variables.keys().cloned().collect(),
                prompt_ref: entry.prompt.prompt_ref,
                description: entry.prompt.description,
            });
        }
        // What cannot be proven has no text to read.
        let unproven = published.into_iter().filter(|known| known.candidate.is_none());
        data.extend(unproven.map(|known| ListedPrompt {
            prompt_ref: known.object.name,
            hash: known.content_hash.to_string(),
            origin: PromptOrigin::Published,
            state: Some(known.state.to_string()),
            reason: known.reason,
            description: String::new(),
            variables: Vec::new(),
        }));
        let mut text = String::new();
        for listed in &data {
            let state = listed.state.iter().map(|state| format!(" {state}:"));
            let reason = listed.reason.iter().map(|reason| format!(" {reason}"));
            let about: String = state.chain(reason).collect();
            let line = format!("{:<56}{about} {}", listed.prompt_ref, listed.description);
            let _ = writeln!(text, "{}", line.trim_end());
        }
        Ok(Success::new(data, text))
    }
}
