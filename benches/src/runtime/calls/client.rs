//! The client that is measured, over the gateway as everywhere, and one that only reads.

use super::server::{Server, request};
use deed_canon::ContentHash;
use deed_egress::{
    BeginOutcome, FetchError, Gateway, GatewayConfig, Limits, Meter, Mode, Origin, Outgoing, Roots, Stop,
    StoredResponse, StreamTiming, SystemResolver, Witness,
};
use deed_llm::{
    AttemptLog, BlockingClient, Client, ClientConfig, Limiter, Provider, RetryPolicy, Streaming, SystemPace, encode,
    provider,
};
use deed_model::{EgressDecision, ModelAttempt, ModelCall, PriceTable, RunEvent};
use deed_ports::{Secret, SecretError, Secrets};
use deed_store::RunStore;
use serde_json::json;
use std::any::Any;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;

/// A call whose messages have 8 KB.
pub(crate) fn call(number: u64) -> Result<ModelCall, Box<dyn Error>> {
    let text = |text: String| json!([{"kind": "text", "text": text}]);
    Ok(serde_json::from_value(json!({
        "consumer_key": "operator_evaluator", "model": "compatible:bench", "stable_messages": 1,
        "messages": [
            {"role": "system", "parts": text("You judge evidence by its sources. ".repeat(120))},
            {"role": "user", "parts": text(format!("Judge number {number}. {}", "The source says so, and so on. ".repeat(120)))},
        ],
        "parameters": {"max_tokens": 2000, "temperature": 0.0},
    }))?)
}

/// A journal on the disk that is measured.
pub(crate) struct Journal {
    pub(crate) store: Arc<RunStore>,
    pub(crate) run_id: String,
}

impl AttemptLog for Journal {
    fn record(&self, key: &ContentHash, attempt: &ModelAttempt) -> Result<(), String> {
        self.append(RunEvent::ModelAttempted { step: "bench".to_owned(), key: *key, attempt: attempt.clone() })
    }
}

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

/// A key, so that answers are searched for it as they are at a provider.
impl Secrets for Unkept {
    fn secret(&self, _: &str) -> Result<Secret, SecretError> {
        Ok(Secret::new("bench-0123456789abcdef0123456789"))
    }
}

/// A client, and the two threads that it runs on.
pub(crate) struct Asker {
    client: Client,
    provider: Provider,
    runtime: tokio::runtime::Runtime,
}

impl Asker {
    pub(crate) fn new(server: &Server, journal: Option<Arc<Journal>>) -> Result<Self, Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let mut provider =
            provider("compatible")?.with_secret("bench").at(&format!("http://127.0.0.1:{}", server.port), true)?;
        provider.concurrency = super::STREAMS;
        let price = json!({"model": "compatible:bench", "input": 1_000_000, "output": 2_000_000});
        let prices: PriceTable =
            serde_json::from_value(json!({"format": 1, "dated": "2026-01-01", "currency": "USD", "models": [price]}))?;
        let attempts: Arc<dyn AttemptLog> = match journal {
            Some(journal) => journal,
            None => Arc::new(Unkept),
        };
        let hour = Duration::from_secs(3600);
        let client = Client::new(ClientConfig {
            gateway: Gateway::new(GatewayConfig {
                origin: Origin::default(),
                rules: provider.rules()?,
                mode: Mode::Enforce,
                secrets: Arc::new(Unkept),
                resolver: Arc::new(SystemResolver),
                witness: Arc::new(Unkept),
                roots: Roots::native_and(&[])?,
                limits: Limits { max_long_bodies: provider.concurrency, ..Limits::default() },
                reveals: |_| false,
            }),
            meter: Arc::new(Unkept),
            pace: Arc::new(SystemPace::new()),
            limiter: Arc::new(Limiter::new(provider.concurrency, None)),
            retry: RetryPolicy::default(),
            timing: StreamTiming { total: hour, idle: hour },
            streaming: Streaming::On,
            prices: Arc::new(prices),
            purse: None,
            attempts,
            attachments: Arc::new(|_| None),
            provider: provider.clone(),
        });
        Ok(Self { client, provider, runtime })
    }

    /// The client for callers that block.
    pub(crate) fn model(&self) -> BlockingClient {
        BlockingClient::new(self.client.clone(), self.runtime.handle().clone())
    }

    /// The body of a request.
    pub(crate) fn body(&self, call: &ModelCall) -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(encode(call, &self.provider, &|_| None, Streaming::On)?.body.to_string().into_bytes())
    }

    /// Asks so many times at once. Returns the number of replies that are not the whole text.
    pub(crate) fn at_once(&self, call: &ModelCall, count: usize, text: &str) -> Result<usize, Box<dyn Error>> {
        let replies = self.runtime.block_on(async {
            let mut asked = JoinSet::new();
            for occurrence in 0..count as u64 {
                let (client, call) = (self.client.clone(), call.clone());
                asked.spawn(async move { client.ask(&call, occurrence).await.map(|answer| answer.reply.text()) });
            }
            asked.join_all().await
        });
        Ok(count - replies.iter().flatten().filter(|reply| *reply == text).count())
    }

    /// Reads so many streams at once, and does nothing with them. Returns the number of those that lack something.
    pub(crate) fn bare_at_once(&self, server: &Server, body: &[u8], count: usize) -> Result<usize, Box<dyn Error>> {
        let lengths = self.runtime.block_on(async {
            let mut asked = JoinSet::new();
            for _ in 0..count {
                let (port, request) = (server.port, request(body));
                asked.spawn(async move {
                    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await?;
                    stream.write_all(&request).await?;
                    let mut all = Vec::new();
                    stream.read_to_end(&mut all).await
                });
            }
            asked.join_all().await
        });
        Ok(count - lengths.iter().flatten().filter(|length| **length >= server.length()).count())
    }
}
