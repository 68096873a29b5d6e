//! Runs at the shell: `deed run` and what looks at what ran. Bad input gets its code and its exit code, and whatever is
//! tampered with afterwards is found.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

#[path = "common/billing.rs"]
mod billing_system;
mod common;
#[path = "common/console.rs"]
#[allow(dead_code, reason = "pages of runs are walked through, with files between the commands")]
mod console;

#[path = "run/adapters.rs"]
mod adapters;
#[path = "run/again.rs"]
mod again;
#[path = "run/artifacts.rs"]
mod artifacts;
#[path = "run/bad_input.rs"]
mod bad_input;
#[path = "run/billing.rs"]
mod billing;
#[path = "run/cancel.rs"]
mod cancel;
#[path = "run/columns.rs"]
mod columns;
#[path = "run/deaf.rs"]
mod deaf;
#[path = "run/egress.rs"]
mod egress;
#[path = "run/events.rs"]
mod events;
#[path = "run/example.rs"]
mod example;
#[path = "run/flow.rs"]
mod flow;
#[path = "run/frozen.rs"]
mod frozen;
#[path = "run/gates.rs"]
mod gates;
#[path = "run/keys.rs"]
mod keys;
#[path = "run/network.rs"]
mod network;
#[path = "run/page.rs"]
mod page;
#[path = "run/planted.rs"]
mod planted;
#[path = "run/private.rs"]
mod private;
#[path = "run/receipts.rs"]
mod receipts;
#[path = "run/rollback.rs"]
mod rollback;
#[path = "run/sandbox.rs"]
mod sandbox;
#[path = "run/secrets.rs"]
mod secrets;
#[path = "run/sets.rs"]
mod sets;
#[path = "run/standing.rs"]
mod standing;
#[path = "run/tamper.rs"]
mod tamper;
#[path = "run/usage.rs"]
mod usage;
