//! Servers on the loopback, for tests alone: their answers are scripted, and requests are recorded.
//!
//! A server lives in the runtime that it is started in, and as long as that. Nothing here is built into `deed`.

mod authority;
mod effects;
pub mod provider;
mod server;

pub use authority::Authority;
pub use effects::{Book, Effects, HeldRequest, sent_again};
pub use server::{Answer, ReceivedRequest, Server, json, redirect, text};
