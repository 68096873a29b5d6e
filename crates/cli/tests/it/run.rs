//! Runs at the shell: `deed run` and what looks at what ran. Bad input gets its code and its exit code, and whatever is
//! tampered with afterwards is found.

mod adapters;
mod again;
mod artifacts;
mod bad_input;
mod billing;
mod cancel;
mod columns;
mod correct;
mod deaf;
mod distill;
pub(crate) mod egress;
mod events;
pub(crate) mod example;
mod flow;
mod frozen;
mod gates;
mod keys;
mod log;
pub(crate) mod models;
mod network;
mod page;
mod planted;
mod private;
mod profile;
mod receipts;
mod rollback;
mod sandbox;
mod scaffold;
mod secrets;
mod sets;
mod standing;
pub(crate) mod tamper;
mod traceback;
mod usage;
mod validation;
mod width;
