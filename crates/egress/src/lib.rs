//! Egress of steps: a gateway, a fetching tool and a proxy.
//!
//! Rules, URLs and addresses are decided in `deed-reach`. A [`Gateway`] acts on the decisions: it resolves a name once, adds
//! credentials, sends, conceals, and calls a [`Witness`] before and after. `http.fetch`, the [`Proxy`] and the clients of
//! models use it, so that there is one egress. What no rule allows is denied.
#![allow(clippy::disallowed_methods, reason = "egress reads the system's certificates")]

mod ca;
mod caught;
mod effect;
mod error;
mod fetch;
mod gateway;
mod headers;
mod limits;
mod note;
mod proxy;
mod resolve;
mod room;
mod roots;
mod stored;
mod witness;

pub use ca::{CaError, RunCa};
pub use effect::{EffectIdentity, address};
pub use error::FetchError;
pub use fetch::{FetchAnswer, FetchRequest, Redirects, written_host};
pub use gateway::{Gateway, GatewayConfig, Mode, Origin, StreamTiming, unfit_secret};
pub use limits::Limits;
pub use note::{Dropped, Note};
pub use proxy::Proxy;
pub use resolve::{Resolver, Resolving, SystemResolver};
pub use roots::{Roots, RootsError};
pub use stored::StoredResponse;
pub use witness::{BeginOutcome, Meter, Outgoing, Stop, StopClass, Witness};
