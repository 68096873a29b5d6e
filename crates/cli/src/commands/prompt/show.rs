//! `deed prompt show`: a prompt with its variables.

use crate::args::Global;
use crate::commands::history::told;
use crate::output::Success;
use crate::text::{lines, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::objects::{self, HistoryEntry};
use deed_app::profiles::{self, PromptOrigin};
use deed_model::{ObjectRef, PromptBinding, VariableSource};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Print a prompt with its variables, its hash and its history.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed prompt show workspace.operator.planner.system@v1")]
pub(crate) struct Show {
    /// Reference of the prompt; the newest version if it has none.
    prompt: String,
    /// Profile whose own prompts can be named too.
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
}

/// A prompt.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownPrompt {
    /// Its hash.
    hash: String,
    /// Its origin.
    origin: PromptOrigin,
    /// Its state in the registry, such as `published`; null where it is not published.
    state: Option<String>,
    /// The reason of its deprecation or revocation.
    reason: Option<String>,
    /// Its events in the audit log, in order.
    history: Vec<HistoryEntry>,
    /// The prompt.
    prompt: PromptBinding,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let entry = profiles::prompt(&session, &self.prompt, self.profile.as_deref())?;
        let (endings, history) = objects::life(&session, &ObjectRef::prompt(&entry.prompt.prompt_ref))?;
        let mut text = String::new();
        let _ = writeln!(text, "{} {}", entry.prompt.prompt_ref, entry.hash);
        for (name, variable) in &entry.prompt.variables {
            let source = match variable.source {
                VariableSource::Outside => "outside",
                VariableSource::Authored => "authored",
                VariableSource::Runtime => "runtime",
            };
            let _ = writeln!(text, "  {name:<18} {source:<9} {}", variable.description);
        }
        history.iter().for_each(|entry| text.push_str(&told(entry)));
        text.push('\n');
        text.push_str(&lines(&entry.prompt.text));
        let data = ShownPrompt {
            hash: entry.hash.to_string(),
            origin: entry.origin,
            state: endings.as_ref().map(|endings| endings.state().to_string()),
            reason: endings.as_ref().and_then(|endings| endings.reason()).map(str::to_owned),
            history,
            prompt: entry.prompt,
        };
        Ok(Success::new(data, text).document())
    }
}
