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
mod time;

pub use bundle::{Bundle, Draft, PackFiles, SourceFile, conceal_secrets};
pub use diff::{Change, ChangeClass, ChangeKind, DeclaredBump, Diff, diff};
pub use gates::{Gate, Golden};
pub use lifecycle::{
    AUDIT_FORMAT, Candidate, CandidateHistory, CandidateOverlay, Ending, EnvironmentKey, EnvironmentState, HeldReview,
    KeyRecord, LintRecord, OfflineProof, PackHistory, PackState, PinRecord, PinnedIn, Publication, PublicationProof,
    Purpose, Recorded, RegistryState, ReviewRecord, SignatureRecord, Standing, TRUST_FORMAT, Transition, Trust,
    VerifiedReview, VerifiedSignature, When, check_reviews, documents_of, envelope_bytes, may_deprecate, may_lint,
    may_pin, may_publish, may_review, may_revoke, may_revoke_key, may_sign, may_trust_key, may_use, read_envelope,
    review_statement, signature_statement, verify_offline, verify_publication, verify_review, verify_signature,
};
pub use lint::{GateOutcome, LintReport, lint, lint_gates, lint_with};
pub use overlay::{AppliedChange, Resolved, Selection, check_overlays, resolve};
pub use policies::mode_of;
pub use recheck::Trigger;
pub use scaffold::{ScaffoldFile, ScaffoldOptions, scaffold};
pub use time::timestamp;
