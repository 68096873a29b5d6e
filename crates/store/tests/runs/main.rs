//! The journal of runs under use, rivals, faults, crashes and tampering.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::string_slice,
    reason = "tests"
)]

mod anchor;
mod blobs;
mod concurrency;
mod crash;
mod fault;
mod fixture;
mod hold;
mod index;
mod journal;
mod kill;
mod opening;
mod tamper;
