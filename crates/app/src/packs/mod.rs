//! Packs: reading them from folders and the registry, and their life from draft to pinned.

mod lifecycle;
mod listing;
mod source;
mod verify;

pub use lifecycle::{
    LintOutcome, PinnedPack, PublishedPack, ReviewedPack, SignedPack, compare, deprecate, lint, pin, publish, review,
    revoke, sign,
};
pub use listing::{head, log, versions, write_envelope};
pub use source::{PackName, ReadPack, any_bundle, bundle, linted, of_candidate, usable};
pub use verify::{
    OfflineFiles, RetiredKeys, VerifiedVersion, verify_files, verify_pinned, verify_registry, verify_version,
};
