//! The gateway: the only egress of a step. One is made for each attempt.
//!
//! A request passes these stages, each in a file of its name: the rules **admit** it or not; the witness **brackets**
//! the rest; its name is **pinned** and checked; a **credential** is added; it is **sent**; secrets that the answer
//! repeats are **concealed**. Each request has a connection of its own, which is never used again: on a reused
//! connection, a request that was not read cannot be told from one whose answer was lost.

mod admit;
mod bracket;
mod conceal;
mod credential;
mod pin;
mod request;
mod send;
mod spelled;
mod tap;

pub use credential::unfit_secret;
pub use tap::StreamTiming;

use crate::caught::Panic;
use crate::limits::Limits;
use crate::resolve::Resolver;
use crate::room::{Place, Room};
use crate::roots::Roots;
use crate::witness::{Stop, StopClass, Witness};
use conceal::Concealed;
use deed_ports::Secrets;
use deed_reach::Rules;
use pin::Pins;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use tokio::sync::watch;
use tokio::task::JoinError;
use tracing::{Span, debug_span, error};

pub(crate) use admit::{Admission, decision as refused, tunnel, unread};
pub(crate) use bracket::HeldAnswer;
pub(crate) use request::{GatewayRequest, size};
pub(crate) use tap::Tap;

/// The treatment of requests that no rule allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It is denied.
    Enforce,
    /// It is sent and recorded as learned, unless it leads to an address that is not public.
    Learn,
}

/// The attempt that a gateway serves, for its spans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The run.
    pub run_id: String,
    /// The step.
    pub step: String,
    /// The attempt, from 1.
    pub attempt: u32,
}

/// The parts of a gateway.
#[derive(Clone)]
pub struct GatewayConfig {
    /// The attempt that it serves.
    pub origin: Origin,
    /// The rules.
    pub rules: Rules,
    /// The treatment of requests that no rule allows.
    pub mode: Mode,
    /// The source of credentials.
    pub secrets: Arc<dyn Secrets>,
    /// The resolver of host names.
    pub resolver: Arc<dyn Resolver>,
    /// The witness, which records what is decided and sent.
    pub witness: Arc<dyn Witness>,
    /// The certificate authorities that servers must be vouched for by.
    pub roots: Roots,
    /// Returns whether a text holds a secret. Methods and hosts are asked about as they were written: in other cases, what was
    /// normalised is not recognised any more.
    pub reveals: fn(&str) -> bool,
    /// Limits of time and size.
    pub limits: Limits,
}

/// The only egress of an attempt. A clone is the same gateway.
#[derive(Clone)]
pub struct Gateway {
    inner: Arc<Inner>,
}

struct Inner {
    config: GatewayConfig,
    pins: Pins,
    /// The secrets that were sent so far; none of them may come back in any answer.
    sent: Mutex<Vec<Arc<Concealed>>>,
    open: watch::Sender<usize>,
    /// True once all requests are cut.
    cut: watch::Sender<bool>,
    /// Room for requests and for answers.
    rooms: (Room, Room),
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let config = &self.inner.config;
        f.debug_struct("Gateway").field("mode", &config.mode).field("limits", &config.limits).finish_non_exhaustive()
    }
}

impl Gateway {
    /// A gateway that has resolved nothing yet.
    pub fn new(config: GatewayConfig) -> Self {
        let pins = Pins::new(config.resolver.clone());
        let rooms = (Room::new(config.limits.max_long_bodies), Room::new(config.limits.max_long_bodies));
        let (open, cut) = (watch::Sender::new(0), watch::Sender::new(false));
        Self { inner: Arc::new(Inner { config, pins, sent: Mutex::default(), open, cut, rooms }) }
    }

    /// Cuts every request, now and from now on: each gets its end, and no answer.
    pub fn cut(&self) {
        self.inner.cut.send_replace(true);
    }

    /// Waits until everything that was begun has its end, also requests whose client has gone.
    pub async fn settled(&self) {
        // It fails only if the sender is gone, and that is held here.
        let _ = self.inner.open.subscribe().wait_for(|open| *open == 0).await;
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.config.limits
    }

    /// The span of a request. Neither the path nor the query is a field: both may hold a secret.
    pub(crate) fn span(&self, ask: &GatewayRequest) -> Span {
        let Origin { run_id, step, attempt } = &self.inner.config.origin;
        let (method, host) = (ask.method.as_str(), ask.location.host.plain());
        debug_span!("egress", run = run_id, step, attempt, channel = ?ask.channel, method, host, port = ask.location.port)
    }

    /// Room for the body of a request.
    pub(crate) fn place_for_request(&self) -> Place {
        self.inner.rooms.0.place()
    }

    /// Returns whether a method or a host, as it was written, holds a secret.
    pub(crate) fn reveals(&self, text: &str) -> bool {
        (self.inner.config.reveals)(text)
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.inner.config.rules
    }

    /// Calls the witness on a thread for blocking work.
    async fn witness<T: Send + 'static>(
        &self,
        call: impl FnOnce(&dyn Witness) -> Result<T, Stop> + Send + 'static,
    ) -> Result<T, Stop> {
        let witness = self.inner.config.witness.clone();
        let span = Span::current();
        let called = tokio::task::spawn_blocking(move || span.in_scope(|| call(&*witness))).await;
        called.unwrap_or_else(|ended| {
            self.ended(ended);
            Err(Stop { class: StopClass::Cancelled, message: "the journal broke".to_owned() })
        })
    }

    /// Handles the end of a task without a result: it panicked, or the runtime shuts down.
    pub(crate) fn ended(&self, ended: JoinError) {
        if let Ok(panic) = ended.try_into_panic() {
            self.broke(panic);
        }
    }

    /// Reports a panic to the witness, which fails the attempt.
    pub(crate) fn broke(&self, panic: Panic) {
        let Origin { run_id, step, attempt } = &self.inner.config.origin;
        error!(run = run_id, step, attempt, "panicked");
        let witness = &self.inner.config.witness;
        // The witness itself may panic. A second panic must not end the task that reports the first.
        let _ = catch_unwind(AssertUnwindSafe(move || witness.broke(&*panic)));
    }
}
