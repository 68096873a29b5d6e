//! A client for one call: the frozen endpoint, the run's own gateway, secrets, trust and budget.

use super::ModelSource;
use super::caller::Caller;
use super::frozen::RunModels;
use super::journal::AskJournal;
use super::witness::{ByTokens, ModelWitness};
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
    caller: &Arc<dyn Caller>,
    models: &RunModels,
    prepared: &PreparedAsk,
    occurrence: u64,
    journal: &Arc<AskJournal>,
) -> Result<ModelAnswer, ModelError> {
    match &caller.run().world.models {
        ModelSource::Transcript { replayer, .. } => replayer.ask(&prepared.call, occurrence),
        ModelSource::Providers => {
            let client = client(caller, models, prepared, journal);
            let client = client.map_err(|why| ModelError::new(ModelErrorKind::Unencodable, why))?;
            client.ask(&prepared.call, occurrence)
        }
    }
}

fn client(
    caller: &Arc<dyn Caller>,
    models: &RunModels,
    prepared: &PreparedAsk,
    journal: &Arc<AskJournal>,
) -> Result<BlockingClient, String> {
    let world = &caller.run().world;
    let provider = models.provider(&prepared.call.model)?;
    let total = Duration::from_millis(prepared.timeout_ms);
    let priced = models.price(&prepared.call.model).is_some();
    let money = caller.run().request.grant.money_micros.is_some();
    let stored = caller.run().clone();
    let config = ClientConfig {
        gateway: gateway(caller, models, &provider)?,
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
            let blob = stored.world.blobs.open(sha256).ok()?;
            let mut bytes = Vec::new();
            blob.take(LARGEST).read_to_end(&mut bytes).ok()?;
            Some(bytes)
        }),
    };
    Ok(BlockingClient::new(Client::new(config), world.reactor.clone()))
}

/// The gateway of a caller to a provider: nothing else can be reached through it.
fn gateway(caller: &Arc<dyn Caller>, models: &RunModels, provider: &Provider) -> Result<Gateway, String> {
    if let Some(known) = caller.model_gateway(&provider.name) {
        return Ok(known);
    }
    let world = &caller.run().world;
    let roots = world.roots.roots().map_err(|error| error.to_string())?;
    let made = Gateway::new(GatewayConfig {
        origin: Origin {
            run_id: caller.run().request.run_id.clone(),
            step: caller.step().to_owned(),
            attempt: caller.number(),
        },
        rules: models.rules(&provider.name)?,
        mode: Mode::Enforce,
        secrets: world.secrets.clone(),
        resolver: world.resolver.clone(),
        witness: Arc::new(ModelWitness::new(caller)),
        roots,
        reveals: crate::conceal::reveals,
        // As many long replies as calls at once: none waits for the end of another while its provider waits for it.
        limits: Limits { max_long_bodies: provider.concurrency, ..Limits::default() },
    });
    Ok(caller.keep_model_gateway(&provider.name, made))
}
