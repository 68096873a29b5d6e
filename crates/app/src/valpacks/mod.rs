//! Validation packs: written, linted, listed, shown, published, and found beside a profile.

mod new;
mod publish;
mod source;

pub use new::{NewValidationPack, new};
pub use publish::publish;
pub(crate) use source::beside;
pub use source::{LintedPack, ListedPack, linted, listed, pack};
