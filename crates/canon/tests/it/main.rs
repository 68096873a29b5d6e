//! The integration tests of this crate, in one program.
#![allow(clippy::disallowed_methods, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

mod laws;
mod strict_reader;
mod typed;
mod vectors;
