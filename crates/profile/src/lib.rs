//! Execution profiles: read, linted, resolved through five levels and frozen.
//!
//! A profile says which model does what, with which prompt, parameters, budget and validation. Values follow a chain of
//! five levels in which the profile has the last word; power (egress, skills, amounts) only shrinks on the way. The
//! result is a snapshot that governs a run and is named by its hash.
//!
//! The crate is pure: documents come in as bytes, prices and settings as arguments.

mod chain;
mod diff;
mod document;
mod explain;
mod filter;
mod gates;
mod lint;
mod narrow;
mod objects;
mod prompts;
mod provider;
mod resolve;
mod scaffold;
mod settings;
mod shipped;

pub use chain::{EffectiveValue, Level, Origin};
pub use diff::{ProfileChange, ProfileChangeClass, ProfileDiff, diff};
pub use document::ProfileFile;
pub use explain::{ExplainedRow, explain, table};
pub use filter::{Filtered, filter};
pub use gates::{ProfileFacts, ProfileGate};
pub use lint::{ProfileGateOutcome, ProfileLint, lint};
pub use narrow::{Narrowed, NarrowingLevel, narrow};
pub use objects::{Objects, RefusedObject};
pub use prompts::{PromptFile, PromptLibrary, PromptTemplate, prompt_hash, render, shipped_prompts};
pub use provider::{PROVIDERS, Provider, ProviderFamily, provider};
pub use resolve::{ResolveInputs, Resolved, resolve, snapshot_hash};
pub use scaffold::scaffold;
pub use settings::SettingsFile;
pub use shipped::{shipped_profile, shipped_profiles};
