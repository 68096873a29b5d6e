//! Deed as a library: the entry points that a program outside of this repository wants, gathered from its crates.
//!
//! | Module | Entry point | It turns |
//! |---|---|---|
//! | [`context`] | [`context::compile`] | a pack, a run and a request into everything that a model sees |
//! | [`imprint`] | [`imprint::Imprint`] | a JSON Schema into a template, and a filled template into a payload |
//! | [`ladder`] | [`ladder::climb`] | a payload as a model wrote it into one that its contract accepts |
//! | [`plan`] | [`plan::lower`] | a plan into frozen, hashed step contracts |
//! | [`engine`] | [`engine::Engine`] | compiled plans into durable runs; [`engine::LocalEngine`] is the embedded one |
//! | [`app`] | [`app::Session`] | all of it into operations on a project folder, as the `deed` command offers them |
//!
//! Everything but [`engine`] and [`app`] is pure: no file, clock, network or randomness is touched.

pub mod app;
pub mod context;
pub mod engine;
pub mod imprint;
pub mod ladder;
pub mod plan;

pub use deed_diag::{Diagnostic, Document, Format, Report, Severity, Style};
