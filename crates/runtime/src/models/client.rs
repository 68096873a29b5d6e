//! A client for one call: the frozen endpoint, the run's own gateway, secrets, trust and budget.

use super::ModelSource;
use super::frozen::RunModels;
use super::journal::AskJournal;
use super::witness::{ByTokens, ModelWitness};
use crate::attempt::Attempt;
use deed_desk::PreparedAsk;
use deed_egress::{Gateway, GatewayConfig, Limits, Mode, Origin, StreamTiming};
use deed_llm::{BlockingClient, Client, ClientConfig, Provider, Purse, RetryPolicy, Streaming, SystemPace};
use deed_ports::{Model, ModelAnswer, ModelError, ModelErrorKind};
use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

/// The longest pause within a reply.
const IDLE: Duration = Duration::from_secs(60);
/// The size limit of an attachment, in bytes.
const LARGEST: u64 = 64 << 20;

/// Asks: a provider, or the transcript of a replay.
pub(super) fn ask(
    attempt: &Arc<Attempt>,
    models: &RunModels,
    prepared: &PreparedAsk,
    occurrence: u64,
    journal: &Arc<AskJournal>,
) -> Result<ModelAnswer, ModelError> {
    match &attempt.run.world.models {
        ModelSource::Transcript(transcript) => transcript.ask(&prepared.call, occurrence),
        ModelSource::Providers => {
            let client = client(attempt, models, prepared, journal);
            let client = client.map_err(|why| ModelError::new(ModelErrorKind::Unencodable, why))?;
            client.ask(&prepared.call, occurrence)
        }
    }
}

fn client(
    attempt: &Arc<Attempt>,
    models: &RunModels,
    prepared: &PreparedAsk,
    journal: &Arc<AskJournal>,
) -> Result<BlockingClient, String> {
    let world = &attempt.run.world;
    let provider = models.provider(&prepared.call.model)?;
    let total = Duration::from_millis(prepared.timeout_ms);
    let priced = models.price(&prepared.call.model).is_some();
    let money = attempt.run.request.grant.money_micros.is_some();
    let stored = attempt.clone();
    let config = ClientConfig {
        gateway: gateway(attempt, models, &provider)?,
        limiter: models.limiter(&provider),
        provider,
        meter: Arc::new(ByTokens),
        pace: Arc::new(SystemPace::new()),
        retry: RetryPolicy::default(),
        timing: StreamTiming { total, idle: total.min(IDLE) },
        streaming: Streaming::On,
        prices: Arc::new(models.frozen.prices.clone()),
        // With it, a model without a price is refused.
        purse: (priced || money).then(|| journal.clone() as Arc<dyn Purse>),
        attempts: journal.clone(),
        attachments: Arc::new(move |sha256| {
            let blob = stored.run.world.blobs.open(sha256).ok()?;
            let mut bytes = Vec::new();
            blob.take(LARGEST).read_to_end(&mut bytes).ok()?;
            Some(bytes)
        }),
    };
    Ok(BlockingClient::new(Client::new(config), world.reactor.clone()))
}

/// The gateway of an attempt to a provider: nothing else can be reached through it.
fn gateway(attempt: &Arc<Attempt>, models: &RunModels, provider: &Provider) -> Result<Gateway, String> {
    if let Some(known) = attempt.model_gateway(&provider.name) {
        return Ok(known);
    }
    let world = &attempt.run.world;
    let roots = world.roots.roots().map_err(|error| error.to_string())?;
    let made = Gateway::new(GatewayConfig {
        origin: Origin {
            run_id: attempt.run.request.run_id.clone(),
            step: attempt.contract.step_id.clone(),
            attempt: attempt.number,
        },
        rules: models.rules(&provider.name)?,
        mode: Mode::Enforce,
        secrets: world.secrets.clone(),
        resolver: world.resolver.clone(),
        witness: Arc::new(ModelWitness::new(attempt)),
        roots,
        reveals: crate::conceal::reveals,
        // As many long replies as calls at once: none waits for the end of another while its provider waits for it.
        limits: Limits { max_long_bodies: provider.concurrency, ..Limits::default() },
    });
    Ok(attempt.keep_model_gateway(&provider.name, made))
}
