//! Processes are killed at all instants of a run, and whoever comes next finishes it: the same bytes, every effect once,
//! a journal that holds, nobody left behind.
//!
//! `make crash` kills more often: `DEED_CRASH_KILLS` is how often at random, and with it set, every journal write of a
//! run of twenty steps is died at. `DEED_CRASH_SEED` chooses other instants.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod common;

#[path = "crash/dice.rs"]
mod dice;
#[path = "crash/gates.rs"]
mod gates;
#[path = "crash/held.rs"]
mod held;
#[path = "crash/kills.rs"]
mod kills;
#[path = "crash/left.rs"]
mod left;
#[path = "crash/mortal.rs"]
mod mortal;
#[path = "crash/shape.rs"]
mod shape;
#[path = "crash/signals.rs"]
mod signals;
#[path = "crash/submit.rs"]
mod submit;
#[path = "crash/writes.rs"]
mod writes;
#[path = "crash/yard.rs"]
mod yard;
