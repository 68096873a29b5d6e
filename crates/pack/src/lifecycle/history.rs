//! The history of one pack version, folded from its events.

mod fold;

use super::state::PackState;
use deed_canon::{ContentHash, Envelope, KeyId};
use deed_diag::Place;
use deed_model::{
    AuditEvent, GoldenRecord, OverlayRecord, PackRef, PackUse, RecheckTrigger, RegressionMetric, ReviewRole,
    SignedGolden, SignedOverlay,
};
use std::collections::{BTreeMap, BTreeSet};

/// The history of one pack version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackHistory {
    /// The version.
    pub pack_ref: PackRef,
    /// The records of each document that was a candidate for this version.
    pub candidates: BTreeMap<ContentHash, CandidateHistory>,
    /// The publication. There is never more than one.
    pub publication: Option<Publication>,
    /// The event that deprecated the version.
    pub deprecation: Option<EndRecord>,
    /// The event that revoked the version.
    pub revocation: Option<EndRecord>,
    /// The environments that currently use the version.
    pub pinned_in: BTreeSet<PinnedEnvironment>,
    /// The first use in each environment, and without one, in order.
    pub observations: Vec<Observation>,
    /// The environments in which the version is promoted, as long as it stays pinned there.
    pub promoted_in: BTreeSet<PinnedEnvironment>,
    /// The regressions that were accepted, in order.
    pub accepted: Vec<AcceptedRegression>,
    /// The last recheck for each trigger and each thing that changed.
    pub rechecks: BTreeMap<(RecheckTrigger, String), RecheckRecord>,
}

/// A regression that was accepted, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedRegression {
    /// The event.
    pub seq: u64,
    /// Typed hash of the document.
    pub content_hash: ContentHash,
    /// The metric.
    pub metric: RegressionMetric,
    /// The hash of the finding.
    pub finding: ContentHash,
    /// The finding in words.
    pub what: String,
    /// The role.
    pub role: ReviewRole,
    /// The reason.
    pub reason: String,
}

/// A recheck, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecheckRecord {
    /// The event.
    pub seq: u64,
    /// The hash of the changed document.
    pub dependency_hash: ContentHash,
    /// The number of errors.
    pub errors: u64,
    /// The number of warnings.
    pub warnings: u64,
}

/// The first use of a version in an environment, or without one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The event.
    pub seq: u64,
    /// The tenant that used it.
    pub tenant_id: String,
    /// The environment that named the version; none if the caller named it.
    pub environment: Option<String>,
    /// The run or recording.
    pub by: PackUse,
}

/// The records of one document before its publication.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CandidateHistory {
    /// The last lint, if any.
    pub lint: Option<LintRecord>,
    /// Sign-offs, in order.
    pub reviews: Vec<ReviewRecord>,
    /// Signatures, in order.
    pub signatures: Vec<SignatureRecord>,
    /// The last event that concerned the document.
    pub last_seq: u64,
}

/// A lint, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LintRecord {
    /// The overlays that were linted with the document.
    pub overlays: Vec<SignedOverlay>,
    /// The golden cases that passed.
    pub golden: Vec<SignedGolden>,
    /// The number of warnings.
    pub warnings: u64,
}

/// A sign-off, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewRecord {
    /// The event.
    pub seq: u64,
    /// The role.
    pub role: ReviewRole,
    /// The reviewer's key.
    pub key_id: KeyId,
    /// The blob with the signed statement.
    pub envelope: ContentHash,
}

/// A signature, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureRecord {
    /// The event.
    pub seq: u64,
    /// The signer's key.
    pub key_id: KeyId,
    /// The blob with the signed statement.
    pub envelope: ContentHash,
}

/// A record together with the envelope that it points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordWithEnvelope<R> {
    /// The record in the log.
    pub record: R,
    /// The signed statement.
    pub envelope: Envelope,
}

/// A publication, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// The event.
    pub seq: u64,
    /// Typed hash of the document.
    pub content_hash: ContentHash,
    /// The blob with the document.
    pub document: ContentHash,
    /// The blob with the issuer's signed statement.
    pub envelope: ContentHash,
    /// The overlays, in order of application.
    pub overlays: Vec<OverlayRecord>,
    /// The golden cases, by name; none in versions that were published before they were part of a pack.
    pub golden: Vec<GoldenRecord>,
    /// The tenant that owns the pack.
    pub tenant_id: String,
    /// True if other tenants may pin it.
    pub shared: bool,
}

/// The deprecation or revocation of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndRecord {
    /// The event.
    pub seq: u64,
    /// The reason.
    pub reason: String,
}

/// An environment of a tenant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PinnedEnvironment {
    /// The tenant.
    pub tenant_id: String,
    /// Its name.
    pub environment: String,
}

impl PackHistory {
    /// Creates the history of a version without events.
    pub fn new(pack_ref: PackRef) -> Self {
        Self {
            pack_ref,
            candidates: BTreeMap::new(),
            publication: None,
            deprecation: None,
            revocation: None,
            pinned_in: BTreeSet::new(),
            observations: Vec::new(),
            promoted_in: BTreeSet::new(),
            accepted: Vec::new(),
            rechecks: BTreeMap::new(),
        }
    }

    /// Folds a sequence of events. Events about other things are ignored, but the pins of the pack's other versions
    /// must be among them for `pinned_in` to be right.
    pub fn fold<'a>(pack_ref: PackRef, events: impl IntoIterator<Item = (u64, &'a AuditEvent)>) -> Self {
        let mut history = Self::new(pack_ref);
        events.into_iter().for_each(|(seq, event)| history.apply(seq, &event.event));
        history
    }

    /// Returns true if exactly this finding about exactly this document was accepted.
    pub fn accepts(&self, content_hash: &ContentHash, finding: &ContentHash) -> bool {
        self.accepted.iter().any(|a| a.content_hash == *content_hash && a.finding == *finding)
    }

    /// Returns the first use in an environment of a tenant, or without one.
    pub fn observed(&self, tenant_id: &str, environment: Option<&str>) -> Option<&Observation> {
        self.observations.iter().find(|o| o.tenant_id == tenant_id && o.environment.as_deref() == environment)
    }

    /// Returns the records of a document, if any.
    pub fn candidate(&self, content_hash: &ContentHash) -> Option<&CandidateHistory> {
        self.candidates.get(content_hash)
    }

    /// Returns the published document, or else the one with the latest record.
    pub fn current(&self) -> Option<(&ContentHash, Option<&CandidateHistory>)> {
        match &self.publication {
            Some(publication) => Some((&publication.content_hash, self.candidates.get(&publication.content_hash))),
            None => self.candidates.iter().max_by_key(|(_, c)| c.last_seq).map(|(hash, c)| (hash, Some(c))),
        }
    }

    /// Returns the state of the version, given the roles that its policy requires.
    pub fn state(&self, required: &[ReviewRole]) -> PackState {
        if self.revocation.is_some() {
            PackState::Revoked
        } else if self.deprecation.is_some() {
            PackState::Deprecated
        } else if !self.promoted_in.is_empty() {
            PackState::Promoted
        } else if self.pinned_in.iter().any(|p| self.observed(&p.tenant_id, Some(&p.environment)).is_some()) {
            PackState::Observed
        } else if !self.pinned_in.is_empty() {
            PackState::Pinned
        } else if self.publication.is_some() {
            PackState::Published
        } else {
            self.current().and_then(|(_, candidate)| candidate).map_or(PackState::Draft, |c| c.state(required))
        }
    }

    pub(super) fn place(&self) -> Place {
        Place::file(format!("pack:{}", self.pack_ref))
    }
}

impl CandidateHistory {
    /// Returns the state of the document before its publication, given the roles that its policy requires.
    pub fn state(&self, required: &[ReviewRole]) -> PackState {
        let reviewed = required.iter().all(|role| self.reviews.iter().any(|r| r.role == *role));
        match (self.lint.as_ref(), reviewed, self.signatures.is_empty()) {
            (None, _, _) => PackState::Draft,
            (Some(_), _, false) => PackState::Signed,
            (Some(_), true, true) => PackState::Reviewed,
            (Some(_), false, true) => PackState::Linted,
        }
    }
}
