//! A client of one provider: a call is written, priced, sent through the gateway, retried where that may help, and read.
//!
//! The reservation of an attempt is made before it leaves, and every attempt is recorded before another one is made, so
//! that nothing is paid for unseen.

mod attempt;
mod limiter;
mod purse;
mod retry;

pub use limiter::Limiter;
pub use purse::{MoneyBudget, Purse};
pub use retry::RetryPolicy;

use crate::count::counted_input;
use crate::key::call_key;
use crate::pace::Pace;
use crate::price::{actual_cost, price_of, worst_case, worst_tokens};
use crate::protocols::{Streaming, WireRequest, encode};
use crate::provider::Provider;
use attempt::Landed;
use deed_canon::ContentHash;
use deed_diag::quote;
use deed_egress::{Gateway, Meter, StreamTiming};
use deed_model::{AttemptOutcome, AttemptPayment, ModelAttempt, ModelCall, ModelCost, PriceTable, ReplyOrigin};
use deed_ports::{Model, ModelAnswer, ModelError, ModelErrorKind, RawExchange, SpentCall};
use std::sync::Arc;
use tokio::runtime::Handle;

/// Records attempts.
pub trait AttemptLog: Send + Sync {
    /// Records an attempt at the call of a key. It is on disk when this returns.
    ///
    /// # Errors
    /// It cannot be recorded; no other attempt is made.
    fn record(&self, key: &ContentHash, attempt: &ModelAttempt) -> Result<(), String>;
}

/// A source of the bytes of attachments.
pub type AttachmentSource = Arc<dyn Fn(&ContentHash) -> Option<Vec<u8>> + Send + Sync>;

/// The parts of a client.
#[derive(Clone)]
pub struct ClientConfig {
    /// The provider.
    pub provider: Provider,
    /// The only way out.
    pub gateway: Gateway,
    /// Counts what leaves.
    pub meter: Arc<dyn Meter>,
    /// Time and randomness.
    pub pace: Arc<dyn Pace>,
    /// The limits of the provider.
    pub limiter: Arc<Limiter>,
    /// The rules of retries.
    pub retry: RetryPolicy,
    /// The timeouts of an attempt.
    pub timing: StreamTiming,
    /// The way in which replies arrive.
    pub streaming: Streaming,
    /// The prices.
    pub prices: Arc<PriceTable>,
    /// The money budget, if there is one. Models without a price are refused then.
    pub purse: Option<Arc<dyn Purse>>,
    /// Records attempts.
    pub attempts: Arc<dyn AttemptLog>,
    /// The bytes of attachments.
    pub attachments: AttachmentSource,
}

/// A client of one provider. A clone shares everything with it.
#[derive(Clone)]
pub struct Client {
    config: Arc<ClientConfig>,
}

/// The state of a call between attempts.
#[derive(Default)]
struct Tally {
    attempts: Vec<ModelAttempt>,
    exchanges: Vec<RawExchange>,
    reserved: u64,
    paid: u64,
}

/// A call that is ready to be sent.
struct Ready {
    key: ContentHash,
    request: WireRequest,
    /// The most that an attempt can cost; none if the model has no price.
    worst: Option<u64>,
    /// The most tokens that an attempt can take.
    worst_tokens: u64,
}

impl Client {
    /// A client.
    pub fn new(config: ClientConfig) -> Self {
        Self { config: Arc::new(config) }
    }

    /// Asks the provider.
    ///
    /// # Errors
    /// There is no reply; the attempts and their cost are part of the error.
    pub async fn ask(&self, call: &ModelCall, occurrence: u64) -> Result<ModelAnswer, ModelError> {
        let ready = self.ready(call, occurrence)?;
        let mut tally = Tally::default();
        let outcome = self.attempts(call, &ready, &mut tally).await;
        let cost = ready.worst.map(|_| self.cost(&tally));
        let Tally { attempts, exchanges, .. } = tally;
        match outcome {
            Ok(mut reply) => {
                reply.dropped = ready.request.dropped;
                let origin = ReplyOrigin::RecordedFrom(call.model.clone());
                Ok(ModelAnswer { reply: *reply, origin, attempts, cost, exchanges })
            }
            Err((kind, message)) => {
                let message = format!("{}: {message}", quote(&call.model.to_string()));
                Err(ModelError { kind, message, spent: Box::new(SpentCall { attempts, cost, exchanges }) })
            }
        }
    }

    /// Writes and prices a call, before anything leaves.
    fn ready(&self, call: &ModelCall, occurrence: u64) -> Result<Ready, ModelError> {
        let config = &self.config;
        if call.model.provider() != config.provider.name {
            let message = format!(
                "{} is no model of the provider {}",
                quote(&call.model.to_string()),
                quote(&config.provider.name)
            );
            return Err(ModelError::new(ModelErrorKind::UnknownProvider, message));
        }
        if config.provider.base_url.is_none() {
            let message =
                format!("the provider {} has no address of its own; give a base URL", quote(&config.provider.name));
            return Err(ModelError::new(ModelErrorKind::UnknownProvider, message));
        }
        let unencodable = |message: String| ModelError::new(ModelErrorKind::Unencodable, message);
        let key = call_key(call, occurrence).map_err(|error| unencodable(error.to_string()))?;
        let attachments = &*config.attachments;
        let request =
            encode(call, &config.provider, &|hash| attachments(hash), config.streaming).map_err(&unencodable)?;
        let price = price_of(&config.prices, &call.model);
        if price.is_none() && config.purse.is_some() {
            let message = format!("{} has no price, and there is a money budget", quote(&call.model.to_string()));
            return Err(ModelError::new(ModelErrorKind::NoPrice, message));
        }
        let input = counted_input(&config.provider, call).map_err(unencodable)?;
        let worst = price.map(|price| worst_case(price, call, input));
        Ok(Ready { key, request, worst, worst_tokens: worst_tokens(price, call, input) })
    }

    /// Makes attempts until one succeeds or none may follow.
    async fn attempts(
        &self,
        call: &ModelCall,
        ready: &Ready,
        tally: &mut Tally,
    ) -> Result<Box<deed_model::ModelReply>, (ModelErrorKind, String)> {
        let config = &self.config;
        let mut number = 0;
        loop {
            number += 1;
            let landed = {
                let _place = config.limiter.enter(&*config.pace).await;
                self.reserve(ready.worst, tally)?;
                let landed = self.within(call, ready, self.attempt(call, &ready.request).await);
                self.settle(call, ready.worst, &landed, tally);
                landed
            };
            let wait = self.next_wait(number, &landed, tally);
            let Landed { outcome, status, payment, request_id, exchange, result, .. } = landed;
            tally.exchanges.extend(exchange);
            let attempt = ModelAttempt { number, outcome, status, payment, request_id, wait_ms: wait };
            let recorded = config.attempts.record(&ready.key, &attempt);
            tally.attempts.push(attempt);
            recorded.map_err(|why| (ModelErrorKind::Unrecorded, format!("the attempt cannot be recorded: {why}")))?;
            match (result, wait) {
                (Err(_), Some(wait)) => config.pace.wait(wait).await,
                (result, _) => return result,
            }
        }
    }

    fn reserve(&self, worst: Option<u64>, tally: &mut Tally) -> Result<(), (ModelErrorKind, String)> {
        let Some(worst) = worst else { return Ok(()) };
        if let Some(purse) = &self.config.purse {
            purse.reserve(worst).map_err(|why| (ModelErrorKind::OverBudget, why))?;
        }
        tally.reserved = tally.reserved.saturating_add(worst);
        Ok(())
    }

    /// Refuses a reply whose usage is beyond the reservation: that is the limit of a call, whatever a provider counts.
    fn within(&self, call: &ModelCall, ready: &Ready, landed: Landed) -> Landed {
        let Some(usage) = landed.result.as_ref().ok().and_then(|reply| reply.usage) else { return landed };
        let price = price_of(&self.config.prices, &call.model);
        let cost = price.map(|price| actual_cost(price, &usage));
        let tokens = usage.total();
        let why = match (cost, ready.worst) {
            _ if tokens > ready.worst_tokens => format!("{tokens} tokens, and {} were reserved", ready.worst_tokens),
            (Some(cost), Some(worst)) if cost > worst => {
                format!("{cost} millionths of the currency, and {worst} were reserved")
            }
            _ => return landed,
        };
        let message = format!("the provider counts {why} as the worst case of the call");
        let result = Err((ModelErrorKind::BeyondReservation, message));
        Landed { outcome: AttemptOutcome::Unusable, payment: AttemptPayment::Paid, result, ..landed }
    }

    /// Commits what an attempt cost: its usage, or the whole reservation where that is not known.
    fn settle(&self, call: &ModelCall, worst: Option<u64>, landed: &Landed, tally: &mut Tally) {
        let Some(worst) = worst else { return };
        let usage = landed.result.as_ref().ok().and_then(|reply| reply.usage);
        let price = price_of(&self.config.prices, &call.model);
        let paid = match (landed.payment, usage, price) {
            (AttemptPayment::None, _, _) => 0,
            (AttemptPayment::Paid, Some(usage), Some(price)) => actual_cost(price, &usage),
            (AttemptPayment::Paid | AttemptPayment::Possible, _, _) => worst,
        };
        tally.paid = tally.paid.saturating_add(paid);
        if let Some(purse) = &self.config.purse {
            purse.settle(worst, paid);
        }
    }

    /// Returns the wait before another attempt; none if none may follow.
    fn next_wait(&self, number: u32, landed: &Landed, tally: &Tally) -> Option<u64> {
        let policy = &self.config.retry;
        if landed.result.is_ok() || !retry::may_pass(landed.outcome) || number >= policy.most_attempts {
            return None;
        }
        let before = tally.attempts.iter().filter(|attempt| attempt.payment != AttemptPayment::None).count();
        let repeated = before + usize::from(landed.payment != AttemptPayment::None);
        if repeated > usize::try_from(policy.most_paid_twice).unwrap_or(usize::MAX) {
            return None;
        }
        policy.wait(number, landed.asked_wait_ms, &*self.config.pace)
    }

    fn cost(&self, tally: &Tally) -> ModelCost {
        let PriceTable { currency, dated, .. } = &*self.config.prices;
        let (reserved_micros, actual_micros) = (tally.reserved, tally.paid);
        ModelCost { reserved_micros, actual_micros, currency: currency.clone(), dated: dated.clone() }
    }
}

/// A client for callers that block. They must not be tasks of the same runtime.
#[derive(Clone)]
pub struct BlockingClient {
    client: Client,
    runtime: Handle,
}

impl BlockingClient {
    /// A client whose connections live in a runtime.
    pub fn new(client: Client, runtime: Handle) -> Self {
        Self { client, runtime }
    }
}

impl Model for BlockingClient {
    fn ask(&self, call: &ModelCall, occurrence: u64) -> Result<ModelAnswer, ModelError> {
        self.runtime.block_on(self.client.ask(call, occurrence))
    }
}
