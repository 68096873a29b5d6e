//! One question to a model.

use super::client::{ClientSettings, bad_base_url, client};
use super::local::provider_of;
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::registry::without_secret;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes, quote};
use deed_egress::StreamTiming;
use deed_llm::{BlockingClient, Recorder, Replayer, Streaming, call_key, diagnostic, provider};
use deed_model::{
    MessagePart, MessageRole, ModelAttempt, ModelCall, ModelConsumer, ModelCost, ModelId, ModelMessage,
    ModelParameters, ModelReply, ReplyContract, ReplyOrigin, ToolChoice,
};
use deed_ports::Model;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;
use tracing::info_span;

/// The question that is asked unless another one is given.
const QUESTION: &str = "Answer with the single word: ready";

/// A question to a model.
#[derive(Debug, Clone)]
pub struct ModelTest {
    /// The model, `provider:model`.
    pub model: String,
    /// The question; a plain one if it is left out.
    pub question: Option<String>,
    /// The address of the provider, in place of its own.
    pub base_url: Option<String>,
    /// True if the address may be private or on this machine.
    pub local: bool,
    /// The name of the secret that is the key, in place of the provider's name.
    pub secret: Option<String>,
    /// True if the reply is to come as a whole.
    pub whole: bool,
    /// The maximum number of tokens of the reply.
    pub max_tokens: u32,
    /// The seconds that the reply may take.
    pub timeout_seconds: u64,
    /// PEM file with certificates to trust besides the system's.
    pub ca: Option<PathBuf>,
    /// Writes the call and the reply into a transcript.
    pub record: Option<PathBuf>,
    /// Answers from a transcript, without the provider.
    pub replay: Option<PathBuf>,
}

/// The reply to a question.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TestedModel {
    /// The model that was asked.
    pub model: ModelId,
    /// The key of the call.
    #[schemars(with = "String")]
    pub key: ContentHash,
    /// The origin of the reply.
    pub origin: ReplyOrigin,
    /// The reply.
    pub reply: ModelReply,
    /// The attempts that were made.
    pub attempts: Vec<ModelAttempt>,
    /// The cost, where the model has a price.
    pub cost: Option<ModelCost>,
}

/// Asks a model one question.
///
/// # Errors
/// The provider, the model, the key or the address is not usable, the provider does not answer, or the transcript has no
/// reply.
pub fn test(session: &Session, test: &ModelTest) -> Result<TestedModel, AppError> {
    let _span = info_span!("test model").entered();
    let call = call(test)?;
    let model = call.model.clone();
    let key = call_key(&call, 0).map_err(AppError::internal)?;
    let asked = match &test.replay {
        Some(path) => Replayer::new(&crate::transcripts::read(path)?).ask(&call, 0),
        None => ask(session, test, &call)?,
    };
    let answer = asked.map_err(|error| AppError::refused(diagnostic(&error)))?;
    Ok(TestedModel {
        model,
        key,
        origin: answer.origin,
        reply: answer.reply,
        attempts: answer.attempts,
        cost: answer.cost,
    })
}

type Asked = Result<deed_ports::ModelAnswer, deed_ports::ModelError>;

fn ask(session: &Session, test: &ModelTest, call: &ModelCall) -> Result<Asked, AppError> {
    let mut own = match &test.base_url {
        Some(base_url) => {
            let own = provider(call.model.provider()).map_err(|error| AppError::refused(diagnostic(&error)))?;
            own.at(base_url, test.local).map_err(bad_base_url)?
        }
        None => provider_of(&call.model)?,
    };
    if let Some(secret) = &test.secret {
        own = own.with_secret(without_secret("--secret", secret)?);
    }
    let total = Duration::from_secs(test.timeout_seconds);
    let extra_roots = test.ca.as_ref().map(|path| files::read(path).map(|file| file.bytes)).transpose()?;
    let settings = ClientSettings {
        provider: own,
        streaming: if test.whole { Streaming::Off } else { Streaming::On },
        timing: StreamTiming { total, idle: total.min(Duration::from_secs(60)) },
        extra_roots: extra_roots.unwrap_or_default(),
    };
    let client = client(session, settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(AppError::internal)?;
    let model = BlockingClient::new(client, runtime.handle().clone());
    let Some(path) = &test.record else { return Ok(model.ask(call, 0)) };
    // Refused before anything is paid for.
    files::can_be_made(path)?;
    let recorder = Recorder::begin(model, Vec::new()).map_err(AppError::internal)?;
    let answer = recorder.ask(call, 0);
    if answer.is_ok() {
        let bytes = recorder.finish().map_err(AppError::internal)?;
        files::write(path, &bytes, Existing::Keep, Access::Shared)?;
    }
    Ok(answer)
}

fn call(test: &ModelTest) -> Result<ModelCall, AppError> {
    let model: ModelId = test.model.parse().map_err(|error: deed_model::ModelIdError| {
        let message = format!("{} is not the name of a model: {error}", quote(&test.model));
        let help = "write `ollama:qwen2.5-coder:1.5b`; `deed models list` shows the providers";
        AppError::usage(Diagnostic::error(codes::BAD_MODEL_NAME, message).stage("model").help(help))
    })?;
    let text = test.question.clone().unwrap_or_else(|| QUESTION.to_owned());
    Ok(ModelCall {
        consumer_key: ModelConsumer::Evaluator,
        model,
        compiled_context_hash: None,
        messages: vec![ModelMessage { role: MessageRole::User, parts: vec![MessagePart::Text { text }] }],
        stable_messages: 0,
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        output: ReplyContract::Text,
        parameters: ModelParameters {
            max_tokens: test.max_tokens,
            temperature: None,
            top_p: None,
            top_k: None,
            seed: None,
            stop: Vec::new(),
            parallel_tool_calls: None,
            reasoning: None,
        },
        attachments: Vec::new(),
    })
}
