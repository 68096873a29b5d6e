//! The bridge: the calls of sandboxed code. Each call is decided, paid for, approved where a gate asks for it,
//! made, proved and recorded; a script that is run again is served its earlier answers.

mod call;
mod client;
mod earlier;
mod error;
mod kept;
mod key;
mod server;
mod tools;
mod witness;

pub(crate) use client::{NODE_HOOK, PYTHON_RUNNER, write_clients};
pub use earlier::OPERATOR;
pub(crate) use server::Bridge;
pub use tools::implements;
pub(crate) use tools::{JudgedItem, Tool, read_progress, write_progress};
pub(crate) use witness::{AttemptWitness, PROXY, denial, denial_help};
