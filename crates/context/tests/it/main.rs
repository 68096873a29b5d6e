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

mod attribution;
mod bad_sizes;
mod cache;
mod calls;
mod common;
mod determinism;
mod endpoints;
mod explain;
mod fields;
mod fine_points;
mod golden;
mod golden_edits;
mod no_privilege;
mod nothing_silent;
mod packets;
mod policy_semantics;
mod prompt_texts;
mod recalled;
mod regressions;
mod replay;
mod stats;
mod sufficiency;
mod verify;
mod whatif;
