//! A client for one question: a gateway of its own, a journal in memory.

use crate::error::AppError;
use crate::runs::ProjectSecrets;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes};
use deed_egress::{
    BeginOutcome, FetchError, Gateway, GatewayConfig, Limits, Meter, Mode, Origin, Outgoing, Stop, StoredResponse,
    SystemResolver, Witness,
};
use deed_llm::{AttemptLog, Client, ClientConfig, Limiter, Provider, RetryPolicy, Streaming, SystemPace};
use deed_model::{EgressDecision, ModelAttempt};
use std::any::Any;
use std::sync::Arc;

/// The journal of a question outside of any run: its attempts are part of the result.
struct Unjournaled;

impl Witness for Unjournaled {
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

impl Meter for Unjournaled {
    fn leaving(&self, _: u64) -> Result<(), Stop> {
        Ok(())
    }

    fn stayed(&self, _: u64) {}
}

impl AttemptLog for Unjournaled {
    fn record(&self, _: &ContentHash, _: &ModelAttempt) -> Result<(), String> {
        Ok(())
    }
}

/// The settings of a client.
pub(super) struct ClientSettings {
    pub(super) provider: Provider,
    pub(super) streaming: Streaming,
    pub(super) timing: deed_egress::StreamTiming,
    pub(super) extra_roots: Vec<u8>,
}

/// Makes a client that reaches the provider and nothing else.
pub(super) fn client(session: &Session, settings: ClientSettings) -> Result<Client, AppError> {
    let ClientSettings { provider, streaming, timing, extra_roots } = settings;
    let rules = provider.rules().map_err(bad_base_url)?;
    let roots = deed_egress::Roots::native_and(&extra_roots).map_err(AppError::internal)?;
    let limiter = Limiter::new(provider.concurrency, provider.requests_per_minute);
    let gateway = Gateway::new(GatewayConfig {
        origin: Origin::default(),
        rules,
        mode: Mode::Enforce,
        secrets: Arc::new(ProjectSecrets::of(session)?),
        resolver: Arc::new(SystemResolver),
        witness: Arc::new(Unjournaled),
        roots,
        limits: Limits { max_long_bodies: provider.concurrency, ..Limits::default() },
        reveals: |text| !deed_detect::SecretScanner::standard().scan(text).is_empty(),
    });
    Ok(Client::new(ClientConfig {
        provider,
        gateway,
        meter: Arc::new(Unjournaled),
        pace: Arc::new(SystemPace::new()),
        limiter: Arc::new(limiter),
        retry: RetryPolicy::default(),
        timing,
        streaming,
        prices: Arc::new(deed_llm::builtin_prices()),
        purse: None,
        attempts: Arc::new(Unjournaled),
        attachments: Arc::new(|_| None),
    }))
}

/// Reports a base URL that cannot be used.
pub(super) fn bad_base_url(why: String) -> AppError {
    let help = "write `--base-url https://models.acme.example/v1`, and name the key by `--secret NAME`";
    AppError::refused(Diagnostic::error(codes::BAD_BASE_URL, why).stage("model").help(help))
}
