//! The runtime, tested through the whole engine: a real store, the real sandbox, real code.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod common;

mod adapters;
mod backends;
mod bridge;
mod consumers;
mod disk;
mod egress;
mod engine;
mod evaluate;
mod forks;
mod gates;
mod inputs;
mod limits;
mod models;
mod outputs;
mod panics;
mod repair;
mod replay;
mod sets;
mod strict;
mod verify;
