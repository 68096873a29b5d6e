//! The lifecycle of a pack version, as pure values: states folded from events, transitions checked before they become
//! events, signed statements, and their verification.
//!
//! This module uses no clock, file or database. A registry passes in its records and appends the resulting events; a
//! third party passes in a pack, its envelopes and an exported trust store, and needs no registry.

mod archives;
mod candidate;
mod endings;
mod endpoints;
mod envelope;
mod environment;
mod history;
mod objects;
mod offline;
mod policy;
mod profiles;
mod publication;
mod registry_state;
mod reviews;
mod signed;
mod state;
mod statement;
mod transition;
mod transitions;
mod trust;
mod verify;

pub use archives::{ArchiveRecord, ArchiveState};
pub use candidate::{Candidate, CandidateGolden, CandidateOverlay};
pub use endings::{Endings, PublishedState};
pub use endpoints::EndpointRegistry;
pub use envelope::{envelope_bytes, read_envelope};
pub use environment::{EnvironmentKey, EnvironmentState, PinRecord};
pub use history::{
    AcceptedRegression, CandidateHistory, EndRecord, LintRecord, Observation, PackHistory, PinnedEnvironment,
    Publication, RecheckRecord, RecordWithEnvelope, ReviewRecord, SignatureRecord,
};
pub use objects::{ObjectCandidate, ObjectPublication};
pub use offline::{OfflineProof, verify_offline};
pub use policy::{PolicyState, demands};
pub use profiles::{ProfileBindingRecord, ProfileCandidate, ProfilePublication, ProfileRegistry};
pub use publication::{PublicationProof, Purpose, may_use, verify_publication};
pub use registry_state::RegistryState;
pub use reviews::CountedReview;
pub use state::PackState;
pub use statement::{review_statement, signature_statement};
pub use transition::Transition;
pub use transitions::{
    EndOfUse, PinnedUse, may_accept_regression, may_bind_profile, may_deprecate, may_end_object, may_end_profile,
    may_forget_archive, may_lint, may_name_archive, may_observe, may_pin, may_promote, may_publish, may_publish_object,
    may_publish_profile, may_recheck, may_remove_endpoint, may_review, may_revoke, may_revoke_key, may_roll_back,
    may_set_endpoint, may_set_policy, may_sign, may_trust_key, may_unbind_profile, may_unpin, roll_back_target,
};
pub use trust::{KeyRecord, SigningTime, Standing, Trust};
pub use verify::{NamedDocuments, documents_of};

/// The audit-event format that this version reads and writes.
pub const AUDIT_FORMAT: u32 = 1;

#[cfg(test)]
mod tests;
