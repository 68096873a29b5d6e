//! Packs: reading them from folders and the registry, and their life from draft to pinned.

mod archives;
mod ci;
mod ending;
mod environments;
mod exchange;
mod golden;
mod layout;
mod lifecycle;
mod listing;
mod policy;
mod recheck;
mod release;
mod source;
mod verify;

pub use archives::{NamedArchive, archives, forget_archive, name_archive};
pub use ci::{CheckedRelease, CiRequest, ci};
pub use environments::{
    GoldenReplay, PinRequest, PinnedPack, deprecate, observe, pin, promote, revoke, roll_back, unpin,
};
pub use exchange::{CopyRequest, ImportOutcome, ImportedPack, export, exported, import};
pub use golden::{
    AcceptedCases, CaseFromRecording, ExaminedCases, GoldenAcceptance, GoldenResult, WrittenCase, accept_golden,
    golden, golden_from_recording,
};
pub use layout::{PushOutcome, PushRequest, pull, push};
pub use lifecycle::{
    ImportedReview, LintOutcome, PublishedPack, ReviewedPack, SignedPack, compare, import_review, lint, publish,
    review, sign,
};
pub use listing::{CopyAge, copy_age, head, log, versions, write_envelope};
pub use policy::{KeyHolder, Need, NeededStep, Signatories, needs, policy, set_policy, signatories};
pub use recheck::{ChangedDependency, DependencyKind, RecheckRequest, RecheckedPack, recheck};
pub use release::{Acceptance, Gated};
pub use source::{
    EnvironmentPin, PackChoice, PackName, ReadPack, ShownSource, UsedVersion, any_bundle, bundle, linted, of_candidate,
    shown, usable,
};
pub use verify::{
    OfflineFiles, RetiredKeys, VerifiedVersion, verify_files, verify_pinned, verify_registry, verify_version,
};
