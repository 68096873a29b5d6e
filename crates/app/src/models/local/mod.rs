//! Local models: small models that can be had by the names of packages, served on the loopback by a prebuilt engine.
//!
//! Everything is held to a hash before it is used. Nothing here is a default: a model is asked only where `local:NAME` is
//! written, and only if a server of that very model runs.

mod catalog;
mod engine;
mod fetch;
mod process;
mod progress;
mod python;
mod serve;
mod server;
mod status;
mod stop;
mod store;
mod weights;

pub use fetch::{LocalFetch, LocalFetched, fetch};
pub use progress::{LocalProgress, ProgressSink};
pub use serve::{LocalServe, Missing, serve};
pub use server::{LocalServer, LocalServerStatus};
pub(super) use status::url_of;
pub use status::{ListedLocalModel, LocalModelStatus, LocalModels, list_local, provider_of};
pub use stop::{LocalStopped, stop};
