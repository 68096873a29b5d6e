//! `deed prompt show`: a prompt with its variables.

use crate::args::Global;
use crate::output::Success;
use crate::text::{lines, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::profiles::{self, PromptOrigin};
use deed_model::{PromptBinding, VariableSource};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Print a prompt with its variables and its hash.
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
    /// The prompt.
    prompt: PromptBinding,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let entry = profiles::prompt(&global.session(), &self.prompt, self.profile.as_deref())?;
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
        text.push('\n');
        text.push_str(&lines(&entry.prompt.text));
        let data = ShownPrompt { hash: entry.hash.to_string(), origin: entry.origin, prompt: entry.prompt };
        Ok(Success::new(data, text).document())
    }
}
