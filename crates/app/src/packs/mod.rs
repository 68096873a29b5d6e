//! Packs: reading them from folders and the registry, and their life from draft to pinned.

mod environments;
mod lifecycle;
mod listing;
mod source;
mod verify;

pub use environments::{
    GoldenReplay, PinRequest, PinnedPack, deprecate, observe, pin, promote, revoke, roll_back, unpin,
};
pub use lifecycle::{LintOutcome, PublishedPack, ReviewedPack, SignedPack, compare, lint, publish, review, sign};
pub use listing::{head, log, versions, write_envelope};
pub use source::{EnvironmentPin, PackChoice, PackName, ReadPack, UsedVersion, any_bundle, bundle, linted, of_candidate, usable};
pub use verify::{
    OfflineFiles, RetiredKeys, VerifiedVersion, verify_files, verify_pinned, verify_registry, verify_version,
};
