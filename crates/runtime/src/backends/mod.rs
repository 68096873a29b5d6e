//! The backends that steps run on, one file each.

mod inspect;
mod isolate;
mod native;
mod sandbox;

pub use inspect::{CodeFinding, CodeFindingKind, inspect_isolated};
pub(crate) use isolate::isolate;
pub(crate) use native::native;
pub(crate) use sandbox::sandbox;

/// The end of an execution that did its work, as receipts have it.
pub(crate) const ENDED_WELL: &str = "ended well";
