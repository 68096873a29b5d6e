//! The registry under use, faults, crashes, rivals and tampering.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::string_slice,
    reason = "tests"
)]

mod concurrency;
mod crash;
mod fault;
mod fixture;
mod kill;
mod load;
mod model;
mod opening;
mod refusals;
mod tamper;
mod verifying;
