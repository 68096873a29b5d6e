//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests"
)]

mod diff;
mod egress;
mod endpoints;
mod entities;
mod examples;
mod explain;
mod graph;
mod laws;
mod packs;
mod ranks;
mod sets;
