//! One diagnostic value, its codes and renderers, and sources that keep their spans.
//!
//! Every refusal and finding in Deed is a [`Diagnostic`]: a stable code, a severity, the stage that found it, a place,
//! a message and help. The same value is rendered for people with the source underlined, as plain lines and as JSON.
//! Documents that are read here keep the span of each of their parts.

mod code;
mod conceal;
mod diagnostic;
mod document;
mod render;
mod report;
mod source;
mod suggest;
mod yaml;

pub use code::{Code, Page, codes, explain, pages};
pub use deed_canon::{Invariant, broken, invariant};
pub use diagnostic::{Diagnostic, Place, Related, Severity};
pub use document::{Document, Format, MAX_DOCUMENT_BYTES};
pub use render::Style;
pub use report::Report;
pub use source::{LineColumn, Source};
pub use suggest::{did_you_mean, nearest, quote, visible};
