//! `deed prompt lint`: the findings about a prompt in a file of its own.

use crate::output::Success;
use clap::Args;
use deed_app::{AppError, profiles};
use deed_diag::Severity;
use deed_profile::prompt_hash;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Check a prompt: its reference, its variables, and that it holds no secret.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed prompt lint prompts/planner.yaml")]
pub(crate) struct Lint {
    /// File of the prompt.
    prompt: PathBuf,
    /// End with 1 on warnings too.
    #[arg(long)]
    deny_warnings: bool,
}

/// The result of linting a prompt.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LintedPrompt {
    /// The file, as it was named.
    prompt: String,
    /// Its reference; null where the document is not a prompt.
    prompt_ref: Option<String>,
    /// Its hash; null where the document is not a prompt.
    hash: Option<String>,
    /// True where there is no error.
    passed: bool,
}

impl Lint {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let linted = profiles::lint_prompt(&self.prompt)?;
        let passed = !linted.report.has_errors();
        let found = !passed || (self.deny_warnings && linted.report.count(Severity::Warning) > 0);
        let prompt = linted.file.prompt();
        let hash = prompt.and_then(|prompt| prompt_hash(prompt).ok()).map(|hash| hash.to_string());
        let prompt_ref = prompt.map(|prompt| prompt.prompt_ref.clone());
        let text = match (&prompt_ref, &hash) {
            (Some(reference), Some(hash)) => format!("{reference} {hash}\n"),
            (_, _) => String::new(),
        };
        let data = LintedPrompt { prompt: self.prompt.display().to_string(), prompt_ref, hash, passed };
        let remark = if passed { "passed" } else { "refused: no profile can name the prompt as it stands" };
        Ok(Success { found, ..Success::new(data, text).report(linted.report).remark(remark) })
    }
}
