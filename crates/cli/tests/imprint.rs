//! `deed imprint` at the shell: schemas become templates, filled templates become payloads, and bad input gets its code,
//! its place and its exit code.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

mod common;
#[path = "common/console.rs"]
mod console;

#[path = "imprint/api.rs"]
mod api;
#[path = "imprint/audit.rs"]
mod audit;
#[path = "imprint/bad_files.rs"]
mod bad_files;
#[path = "imprint/choices.rs"]
mod choices;
#[path = "imprint/contract.rs"]
mod contract;
#[path = "imprint/corpus.rs"]
mod corpus;
#[path = "imprint/example.rs"]
mod example;
#[path = "imprint/fill.rs"]
mod fill;
#[path = "imprint/large.rs"]
mod large;
#[path = "imprint/lower.rs"]
mod lower;
#[path = "imprint/page.rs"]
mod page;
#[path = "imprint/refused.rs"]
mod refused;
#[path = "imprint/sections.rs"]
mod sections;
#[path = "imprint/supplied.rs"]
mod supplied;
#[path = "imprint/template.rs"]
mod template;
#[path = "imprint/usage.rs"]
mod usage;
#[path = "imprint/written.rs"]
mod written;
