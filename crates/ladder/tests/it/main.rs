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

mod bad_input;
mod embed;
mod guard;
mod guided;
mod held;
mod laws;
mod model_answers;
mod modes;
mod notations;
mod order;
mod proposals;
mod regressions;
mod repair_laws;
mod translate;
