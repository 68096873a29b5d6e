//! `deed models test`: one question to a model.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::models::{ModelTest, TestedModel, test};
use std::path::PathBuf;

/// Ask a model one question, to see that provider, key and address work.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed models test ollama:qwen2.5-coder:1.5b
  deed models test anthropic:claude-sonnet-4-20250514 \\
    --secret my_key --record ready.transcript
  deed models test compatible:my-model --local \\
    --base-url http://127.0.0.1:8080/v1")]
pub(crate) struct Test {
    /// Model, provider:model.
    #[arg(value_name = "MODEL")]
    model: String,
    /// Question [default: a plain one].
    #[arg(long, value_name = "TEXT")]
    question: Option<String>,
    /// Address of the provider, in place of its own.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Accept an address that is private or on this machine.
    #[arg(long)]
    local: bool,
    /// Name of the secret that is the key, never the key itself [default: the provider's name].
    #[arg(long, value_name = "NAME")]
    secret: Option<String>,
    /// Ask for the reply as a whole, not as a stream.
    #[arg(long)]
    whole: bool,
    /// Maximum number of tokens of the reply.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: u32,
    /// How long the reply may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// PEM file with certificates to trust besides the system's.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Write the call and its reply into a new transcript.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Answer from a transcript, without asking the provider.
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    replay: Option<PathBuf>,
}

impl Test {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let asked = ModelTest {
            model: self.model.clone(),
            question: self.question.clone(),
            base_url: self.base_url.clone(),
            local: self.local,
            secret: self.secret.clone(),
            whole: self.whole,
            max_tokens: self.max_tokens,
            timeout_seconds: self.timeout,
            ca: self.ca.clone(),
            record: self.record.clone(),
            replay: self.replay.clone(),
        };
        let tested = test(&global.session(), &asked)?;
        let (text, remark) = (format!("{}\n", tested.reply.text()), summary(&tested));
        Ok(Success::new(tested, text).document().remark(remark))
    }
}

/// The end, the tokens, the cost and the attempts in one line.
fn summary(tested: &TestedModel) -> String {
    let mut parts = vec![format!("{} {}", tested.model, tested.reply.stop.as_str())];
    parts.push(match &tested.reply.usage {
        Some(usage) => format!("{} tokens", usage.total()),
        None => "no usage reported".to_owned(),
    });
    parts.push(match &tested.cost {
        Some(cost) => format!("{} millionths {}", cost.actual_micros, cost.currency),
        None => "no price known".to_owned(),
    });
    parts.push(match tested.attempts.len() {
        0 => "from the transcript".to_owned(),
        1 => "1 attempt".to_owned(),
        more => format!("{more} attempts"),
    });
    parts.join(", ")
}
