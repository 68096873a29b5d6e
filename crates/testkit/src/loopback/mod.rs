//! Servers on the loopback, for tests alone: what they answer is scripted, and what they were asked is remembered.
//!
//! A server lives in the runtime that it is started in, and as long as that. Nothing here is built into `deed`.

mod authority;
mod effects;
mod server;

pub use authority::Authority;
pub use effects::{Book, Effects, Held, sent_again};
pub use server::{Answer, Seen, Server, json, redirect, text};
