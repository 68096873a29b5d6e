//! A client of the server, over the gateway as everywhere.

use deed_canon::ContentHash;
use deed_egress::{
    BeginOutcome, FetchError, Gateway, GatewayConfig, Limits, Meter, Mode, Origin, Outgoing, Roots, Stop,
    StoredResponse, StreamTiming, SystemResolver, Witness,
};
use deed_llm::{
    AttemptLog, Client, ClientConfig, Limiter, RetryPolicy, Streaming, SystemPace, builtin_prices, provider,
};
use deed_model::{EgressDecision, ModelAttempt, ModelCall, ModelReply};
use deed_ports::{ModelError, Secret, SecretError, Secrets};
use serde_json::{Value, json};
use std::any::Any;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// Nothing is kept and nothing is counted.
struct Unkept;

impl Witness for Unkept {
    fn decided(&self, _: &EgressDecision) -> Result<(), Stop> {
        Ok(())
    }

    fn begin(&self, call: &Outgoing) -> Result<BeginOutcome, Stop> {
        Ok(BeginOutcome::Go { idempotency_key: call.body_sha256.hex() })
    }

    fn end(&self, _: &str, _: &Result<StoredResponse, FetchError>) -> Result<(), Stop> {
        Ok(())
    }

    fn broke(&self, _: &(dyn Any + Send)) {}
}

impl Meter for Unkept {
    fn leaving(&self, _: u64) -> Result<(), Stop> {
        Ok(())
    }

    fn stayed(&self, _: u64) {}
}

impl AttemptLog for Unkept {
    fn record(&self, _: &ContentHash, _: &ModelAttempt) -> Result<(), String> {
        Ok(())
    }
}

impl Secrets for Unkept {
    fn secret(&self, name: &str) -> Result<Secret, SecretError> {
        Err(SecretError::Unknown(name.to_owned()))
    }
}

/// Asks the model, in both ways in which a reply may arrive.
pub(crate) struct Asker {
    model: String,
    streamed: Client,
    whole: Client,
    runtime: tokio::runtime::Runtime,
}

impl Asker {
    pub(crate) fn new(url: &str, model: &str) -> Result<Self, Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = |streaming| client(url, streaming);
        Ok(Self { model: model.to_owned(), streamed: client(Streaming::On)?, whole: client(Streaming::Off)?, runtime })
    }

    /// Asks, and receives a stream.
    pub(crate) fn ask(&self, call: &ModelCall) -> Result<ModelReply, ModelError> {
        self.runtime.block_on(self.streamed.ask(call, 0)).map(|answer| answer.reply)
    }

    /// Asks, and receives the whole answer at once.
    pub(crate) fn ask_whole(&self, call: &ModelCall) -> Result<ModelReply, ModelError> {
        self.runtime.block_on(self.whole.ask(call, 0)).map(|answer| answer.reply)
    }

    /// A call with one message of the user, greedy and with a seed.
    pub(crate) fn call(&self, text: &str, max_tokens: u32) -> Result<ModelCall, Box<dyn Error>> {
        let value = json!({
            "consumer_key": "operator_evaluator",
            "model": format!("local:{}", self.model),
            "messages": [{"role": "user", "parts": [{"kind": "text", "text": text}]}],
            "parameters": {"max_tokens": max_tokens, "temperature": 0.0, "seed": 1},
        });
        Ok(serde_json::from_value(value)?)
    }

    /// The same, with a schema for the reply.
    pub(crate) fn bound(&self, text: &str, max_tokens: u32, schema: &Value) -> Result<ModelCall, Box<dyn Error>> {
        let mut call = self.call(text, max_tokens)?;
        call.output = serde_json::from_value(json!({"kind": "json_schema", "name": "reply", "schema": schema}))?;
        Ok(call)
    }
}

fn client(url: &str, streaming: Streaming) -> Result<Client, Box<dyn Error>> {
    let provider = provider("local")?.at(url, true)?;
    let gateway = Gateway::new(GatewayConfig {
        origin: Origin::default(),
        rules: provider.rules()?,
        mode: Mode::Enforce,
        secrets: Arc::new(Unkept),
        resolver: Arc::new(SystemResolver),
        witness: Arc::new(Unkept),
        roots: Roots::native_and(&[])?,
        limits: Limits::default(),
        reveals: |_| false,
    });
    let limiter = Limiter::new(provider.concurrency, provider.requests_per_minute);
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    Ok(Client::new(ClientConfig {
        provider,
        gateway,
        meter: Arc::new(Unkept),
        pace: Arc::new(SystemPace::new()),
        limiter: Arc::new(limiter),
        retry: RetryPolicy::default(),
        // A loaded machine reads a prompt slowly, and nothing arrives meanwhile.
        timing: StreamTiming { total: minutes(10), idle: minutes(10) },
        streaming,
        prices: Arc::new(builtin_prices()),
        purse: None,
        attempts: Arc::new(Unkept),
        attachments: Arc::new(|_| None),
    }))
}
