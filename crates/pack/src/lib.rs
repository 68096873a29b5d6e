//! Context Packs from draft to pinned: load, lint through eight gates, overlay, diff, lifecycle.
//!
//! The crate is pure: documents come in as bytes, time and keys as arguments, and everything it has to say
//! comes back as values with their places.

mod bundle;
mod context_types;
mod diff;
mod endpoint;
mod gates;
mod lifecycle;
mod lint;
mod overlay;
mod pointer;
mod policies;
mod recheck;
mod scaffold;
mod sensitive;

pub use bundle::{Bundle, Draft, PackFiles, SourceFile, conceal_secrets};
pub use diff::*;
pub use gates::Gate;
pub use lifecycle::*;
pub use lint::{GateOutcome, LintReport, lint, lint_gates};
pub use overlay::*;
pub use recheck::Trigger;
pub use scaffold::{ScaffoldFile, ScaffoldOptions, scaffold};
