//! Turns a schema into a template that a model fills, and the filled template into a payload.
//!
//! [`Imprint::new`] walks a schema and writes the template: every place with its own accepted values, its own
//! constraints and a few words, right where a model reads it. [`Imprint::lower`] turns the filled template into a
//! payload, or says all that is wrong with it. The law between them: whatever is valid under the schema, filled
//! in with [`Imprint::fill`] and lowered, comes back byte for byte.
//!
//! The crate is pure: no files, no clock, nothing is fetched.

mod audit;
mod build;
mod expected;
mod fill;
mod grammar;
mod imprint;
mod lower;
mod meaning;
mod path;
mod reach;
mod sections;
mod template;

pub use audit::{Audit, Case, Instance, Spread, Verdict};
pub use expected::{Expected, ExpectedKey, ValueKind};
pub use fill::Filled;
pub use grammar::TemplateError;
pub use imprint::{FromTextError, Imprint};
pub use lower::{Finding, Lowered, Supplied};
pub use sections::{JoinError, Section, Sections, join};
pub use template::Unshown;
