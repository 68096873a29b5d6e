//! A client in front of a scripted provider, with a clock that nothing waits for.

use deed_canon::ContentHash;
use deed_egress::{
    BeginOutcome, FetchError, Gateway, GatewayConfig, Limits, Meter, Mode, Origin, Outgoing, Roots, Stop,
    StoredResponse, StreamTiming, SystemResolver, Witness,
};
use deed_llm::{
    AttemptLog, Client, ClientConfig, Limiter, Pace, Provider, Purse, RetryPolicy, Streaming, Waiting, provider,
};
use deed_model::{EgressDecision, ModelAttempt, ModelCall, ModelMessage, PriceTable};
use deed_model::{MessagePart, MessageRole};
use deed_ports::{Secret, SecretError, Secrets};
use deed_testkit::loopback::Authority;
use deed_testkit::loopback::provider::{Dialect, ProviderServer, Turn};
use serde_json::{Value, json};
use std::any::Any;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub const KEY: &str = "key-0123456789abcdef";
pub const IMAGE: &[u8] = b"\x89PNG not really";

/// A clock that jumps over every wait and remembers it.
#[derive(Default)]
pub struct Jumping {
    pub waits: Mutex<Vec<u64>>,
    now: Mutex<u64>,
}

impl Pace for Jumping {
    fn now_ms(&self) -> u64 {
        *self.now.lock().unwrap()
    }

    fn unix_ms(&self) -> i64 {
        0
    }

    fn wait(&self, ms: u64) -> Waiting<'_> {
        self.waits.lock().unwrap().push(ms);
        *self.now.lock().unwrap() += ms;
        Box::pin(std::future::ready(()))
    }

    fn draw(&self, most: u64) -> u64 {
        most / 2
    }
}

/// A log of attempts that can be made to fail.
#[derive(Default)]
pub struct Log {
    pub attempts: Mutex<Vec<ModelAttempt>>,
    pub fails: bool,
}

impl AttemptLog for Log {
    fn record(&self, _key: &ContentHash, attempt: &ModelAttempt) -> Result<(), String> {
        self.attempts.lock().unwrap().push(attempt.clone());
        if self.fails { Err("the disk is full".to_owned()) } else { Ok(()) }
    }
}

pub struct Keys;

impl Secrets for Keys {
    fn secret(&self, name: &str) -> Result<Secret, SecretError> {
        if name == "absent" { Err(SecretError::Unknown(name.to_owned())) } else { Ok(Secret::new(KEY)) }
    }
}

#[derive(Default)]
pub struct Book(pub Mutex<Vec<String>>);

impl Witness for Book {
    fn decided(&self, decision: &EgressDecision) -> Result<(), Stop> {
        self.0.lock().unwrap().push(format!("{:?}", decision.verdict));
        Ok(())
    }

    fn begin(&self, _: &Outgoing) -> Result<BeginOutcome, Stop> {
        Ok(BeginOutcome::Go { idempotency_key: "key-1".to_owned() })
    }

    fn end(&self, _: &str, _: &Result<StoredResponse, FetchError>) -> Result<(), Stop> {
        Ok(())
    }

    fn broke(&self, _: &(dyn Any + Send)) {}
}

pub struct Unmetered;

impl Meter for Unmetered {
    fn leaving(&self, _: u64) -> Result<(), Stop> {
        Ok(())
    }

    fn stayed(&self, _: u64) {}
}

/// The provider of the table that speaks a protocol.
pub fn named(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Anthropic => "anthropic",
        Dialect::Chat => "openai-chat",
        Dialect::Responses => "openai",
        Dialect::Gemini => "gemini",
        Dialect::Ollama => "ollama",
    }
}

pub struct World {
    pub server: ProviderServer,
    pub client: Client,
    pub pace: Arc<Jumping>,
    pub log: Arc<Log>,
}

/// The parts of a world; change what matters.
pub struct Setup {
    pub provider: Provider,
    pub streaming: Streaming,
    pub retry: RetryPolicy,
    pub timing: StreamTiming,
    pub max_response_bytes: usize,
    pub prices: PriceTable,
    pub purse: Option<Arc<dyn Purse>>,
    pub log: Log,
    pub server: ProviderServer,
    /// Takes the address of the provider away, once its rules are known.
    pub without_address: bool,
}

impl Setup {
    pub fn new<T: Into<Turn>>(dialect: Dialect, streaming: Streaming, turns: Vec<T>) -> Self {
        Self::of(named(dialect), dialect, streaming, turns)
    }

    /// A client of a provider of the table, in front of a server that speaks its protocol.
    pub fn of<T: Into<Turn>>(name: &str, dialect: Dialect, streaming: Streaming, turns: Vec<T>) -> Self {
        let server = ProviderServer::start(dialect, turns.into_iter().map(Into::into).collect());
        let provider = provider(name).unwrap().at(&server.url(), true).unwrap();
        let prices =
            PriceTable { format: 1, dated: "2026-01-01".to_owned(), currency: "USD".to_owned(), models: Vec::new() };
        let timing = StreamTiming { total: Duration::from_secs(20), idle: Duration::from_secs(20) };
        let (retry, log) = (RetryPolicy::default(), Log::default());
        Self {
            provider,
            streaming,
            retry,
            timing,
            max_response_bytes: 64 << 20,
            prices,
            purse: None,
            log,
            server,
            without_address: false,
        }
    }

    pub fn build(mut self) -> World {
        let (pace, log) = (Arc::new(Jumping::default()), Arc::new(self.log));
        let gateway = Gateway::new(GatewayConfig {
            origin: Origin::default(),
            rules: self.provider.rules().unwrap(),
            mode: Mode::Enforce,
            secrets: Arc::new(Keys),
            resolver: Arc::new(SystemResolver),
            witness: Arc::new(Book::default()),
            roots: Roots::of_pem(Authority::new().pem.as_bytes()).unwrap(),
            limits: Limits { max_response_bytes: self.max_response_bytes, ..Limits::default() },
            reveals: |_| false,
        });
        if self.without_address {
            self.provider.base_url = None;
        }
        let limiter = Limiter::new(self.provider.concurrency, self.provider.requests_per_minute);
        let client = Client::new(ClientConfig {
            provider: self.provider,
            gateway,
            meter: Arc::new(Unmetered),
            pace: pace.clone(),
            limiter: Arc::new(limiter),
            retry: self.retry,
            timing: self.timing,
            streaming: self.streaming,
            prices: Arc::new(self.prices),
            purse: self.purse,
            attempts: log.clone(),
            attachments: Arc::new(|hash| (*hash == ContentHash::of_bytes(IMAGE)).then(|| IMAGE.to_vec())),
        });
        World { server: self.server, client, pace, log }
    }
}

/// A call with one message of the system and one of the user.
pub fn call(dialect: Dialect) -> ModelCall {
    call_of(named(dialect))
}

/// The same, of a provider of the table.
pub fn call_of(name: &str) -> ModelCall {
    serde_json::from_value(json!({
        "consumer_key": "operator_evaluator",
        "model": format!("{name}:scripted-1"),
        "stable_messages": 1,
        "messages": [
            {"role": "system", "parts": [{"kind": "text", "text": "You judge."}]},
            {"role": "user", "parts": [{"kind": "text", "text": "What is the answer?"}]},
        ],
        "parameters": {"max_tokens": 2000},
    }))
    .unwrap()
}

/// The same call with a tool.
pub fn with_tool(mut call: ModelCall) -> ModelCall {
    let schema = json!({"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]});
    call.tools =
        serde_json::from_value(json!([{"name": "lookup", "description": "Looks up.", "input_schema": schema}]))
            .unwrap();
    call
}

/// The same call with an image.
pub fn with_image(mut call: ModelCall) -> ModelCall {
    let sha256 = ContentHash::of_bytes(IMAGE);
    let image = json!({"sha256": sha256, "media_type": "image/png", "bytes": IMAGE.len()});
    call.attachments = vec![serde_json::from_value(image).unwrap()];
    call.messages.push(ModelMessage { role: MessageRole::User, parts: vec![MessagePart::Image { sha256 }] });
    call
}

/// The same call with a schema for its reply.
pub fn with_schema(mut call: ModelCall) -> ModelCall {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 10}}, "required": ["a"], "additionalProperties": false});
    call.output = serde_json::from_value(json!({"kind": "json_schema", "name": "answer", "schema": schema})).unwrap();
    call
}

/// The part of a request at a pointer.
pub fn at<'v>(body: &'v Value, pointer: &str) -> &'v Value {
    body.pointer(pointer).unwrap_or(&Value::Null)
}
