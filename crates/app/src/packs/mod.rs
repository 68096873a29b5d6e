//! Packs: reading them from folders and the registry, and their life from draft to pinned.

mod environments;
mod exchange;
mod golden;
mod layout;
mod lifecycle;
mod listing;
mod policy;
mod source;
mod verify;

pub use environments::{
    GoldenReplay, PinRequest, PinnedPack, deprecate, observe, pin, promote, revoke, roll_back, unpin,
};
pub use exchange::{ImportedPack, export, exported, import};
pub use golden::{
    Acceptance, AcceptedCases, CaseFromRecording, ExaminedCases, GoldenResult, WrittenCase, accept_golden, golden,
    golden_from_recording,
};
pub use layout::{pull, push};
pub use lifecycle::{
    ImportedReview, LintOutcome, PublishedPack, ReviewedPack, SignedPack, compare, import_review, lint, publish,
    review, sign,
};
pub use listing::{CopyAge, copy_age, head, log, versions, write_envelope};
pub use policy::{KeyHolder, Need, NeededStep, Signatories, needs, policy, set_policy, signatories};
pub use source::{
    EnvironmentPin, PackChoice, PackName, ReadPack, ShownSource, UsedVersion, any_bundle, bundle, linted, of_candidate,
    shown, usable,
};
pub use verify::{
    OfflineFiles, RetiredKeys, VerifiedVersion, verify_files, verify_pinned, verify_registry, verify_version,
};
