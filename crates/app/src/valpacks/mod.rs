//! Validation packs: written, linted, listed, shown, and found beside a profile.

mod new;
mod source;

pub use new::{NewValidationPack, new};
pub(crate) use source::beside;
pub use source::{LintedPack, ListedPack, linted, listed, pack};
