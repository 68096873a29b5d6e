//! The integration tests of this crate, in one program.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

mod archives;
mod common;
mod declared;
mod golden;
mod hostile;
#[cfg(feature = "parquet")]
mod parquet;
mod roundtrip;
