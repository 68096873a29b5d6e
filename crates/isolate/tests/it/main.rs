//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests"
)]

mod anything;
mod builtins;
mod common;
mod contract;
mod determinism;
mod hostile;
mod inspect;
mod stuck;
