//! Packs: reading them from folders and the registry, and their life from draft to pinned.

mod lifecycle;
mod source;

pub use lifecycle::{
    LintOutcome, PinnedPack, PublishedPack, ReviewedPack, SignedPack, compare, deprecate, lint, pin, publish, review,
    revoke, sign,
};
pub use source::{any_bundle, bundle, linted, of_candidate, usable};
