//! Context Packs from draft to pinned: load, lint through eight gates, overlay, diff, lifecycle.
//!
//! The crate is pure: documents come in as bytes, time and keys as arguments, and every result is a value with its
//! places.

mod argument;
mod bundle;
mod context_types;
mod contract;
mod diff;
mod endpoint;
mod evidence;
mod gates;
mod hidden;
mod lifecycle;
mod lint;
mod locale;
mod overlay;
mod pointer;
mod policies;
mod recheck;
mod scaffold;
mod sensitive;
mod suspect;

pub use argument::{NamedArgument, named_arguments};
pub use bundle::{Bundle, Draft, PackFiles, SourceFile};
pub use contract::{CONTRACT_MAJORS, reads_contract};
pub use diff::{Change, ChangeClass, ChangeEffect, ChangeKind, DeclaredBump, Diff, diff};
pub use evidence::{APPROVAL_OBLIGATION, EvidenceSource, EvidenceSources, snake};
pub use gates::{Gate, GoldenCaseRunner, names_tenant};
pub use lifecycle::{
    AUDIT_FORMAT, AcceptedRegression, ArchiveRecord, ArchiveState, Candidate, CandidateGolden, CandidateHistory,
    CandidateOverlay, CountedReview, EndOfUse, EndRecord, Endings, EndpointRegistry, EnvironmentKey, EnvironmentState,
    KeyRecord, LintRecord, NamedDocuments, ObjectCandidate, ObjectPublication, Observation, OfflineProof, PackHistory,
    PackState, PinRecord, PinnedEnvironment, PinnedUse, PolicyState, ProfileBindingRecord, ProfileCandidate,
    ProfilePublication, ProfileRegistry, Publication, PublicationProof, PublishedState, Purpose, RecheckRecord,
    RecordWithEnvelope, RegistryState, ReviewRecord, SignatureRecord, SigningTime, Standing, Transition, Trust,
    demands, documents_of, envelope_bytes, may_accept_regression, may_bind_profile, may_deprecate, may_end_object,
    may_end_profile, may_forget_archive, may_lint, may_name_archive, may_observe, may_pin, may_promote, may_publish,
    may_publish_object, may_publish_profile, may_recheck, may_remove_endpoint, may_review, may_revoke, may_revoke_key,
    may_roll_back, may_set_endpoint, may_set_policy, may_sign, may_trust_key, may_unbind_profile, may_unpin, may_use,
    read_envelope, review_statement, roll_back_target, signature_statement, verify_offline, verify_publication,
};
pub use lint::{GateOutcome, LintReport, lint, lint_gates, lint_with};
pub use overlay::{AppliedChange, Resolved, Selection, check_overlays, resolve};
pub use policies::mode_of;
pub use recheck::recheck_gates;
pub use scaffold::{ScaffoldFile, ScaffoldOptions, ScaffoldSize, scaffold};
pub use sensitive::sensitive_parts;
