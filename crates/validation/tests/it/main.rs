//! Validation packs: lint, patterns, verdicts.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests"
)]

mod gates;
mod judged;
mod patterns;
mod shipped;
