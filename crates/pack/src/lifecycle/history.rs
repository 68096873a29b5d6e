//! What happened to one pack version, folded from its events.

use super::state::PackState;
use deed_canon::{ContentHash, Envelope, KeyId};
use deed_diag::Place;
use deed_model::{AuditEvent, OverlayRecord, PackRef, RegistryEvent, ReviewRole, SignedOverlay};
use std::collections::{BTreeMap, BTreeSet};

/// The life of one pack version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackHistory {
    /// Which version.
    pub pack_ref: PackRef,
    /// What was done to each document that was put forward as this version.
    pub candidates: BTreeMap<ContentHash, CandidateHistory>,
    /// The publication. There is at most one, for ever.
    pub publication: Option<Publication>,
    /// Since when the version is for replay only.
    pub deprecation: Option<Ending>,
    /// Since when the version is blocked.
    pub revocation: Option<Ending>,
    /// The environments that use the version now.
    pub pinned_in: BTreeSet<PinnedIn>,
}

/// What was done to one document before its publication.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CandidateHistory {
    /// The last lint; nothing where it was never linted.
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
    /// How many warnings were left.
    pub warnings: u64,
}

/// A sign-off, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewRecord {
    /// The event.
    pub seq: u64,
    /// In which role.
    pub role: ReviewRole,
    /// By which key.
    pub key_id: KeyId,
    /// Blob of the signed statement.
    pub envelope: ContentHash,
}

/// A signature, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureRecord {
    /// The event.
    pub seq: u64,
    /// By which key.
    pub key_id: KeyId,
    /// Blob of the signed statement.
    pub envelope: ContentHash,
}

/// A record together with the envelope that it points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded<R> {
    /// What the log says.
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
    /// Blob of the document.
    pub document: ContentHash,
    /// Blob of the issuer's signed statement.
    pub envelope: ContentHash,
    /// The overlays, in order of application.
    pub overlays: Vec<OverlayRecord>,
    /// Whose pack it is.
    pub tenant_id: String,
    /// True where other tenants may pin it.
    pub shared: bool,
}

/// Why and since when something may no longer be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// The event.
    pub seq: u64,
    /// Why.
    pub reason: String,
}

/// An environment of a tenant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PinnedIn {
    /// Whose environment.
    pub tenant_id: String,
    /// Its name.
    pub environment: String,
}

impl PackHistory {
    /// A version of which nothing is known.
    pub fn new(pack_ref: PackRef) -> Self {
        Self {
            pack_ref,
            candidates: BTreeMap::new(),
            publication: None,
            deprecation: None,
            revocation: None,
            pinned_in: BTreeSet::new(),
        }
    }

    /// The history that a sequence of events amounts to. Events about other things change nothing, but the
    /// pins of the pack's other versions must be among them for `pinned_in` to be right.
    pub fn fold<'a>(pack_ref: PackRef, events: impl IntoIterator<Item = (u64, &'a AuditEvent)>) -> Self {
        let mut history = Self::new(pack_ref);
        events.into_iter().for_each(|(seq, event)| history.apply(seq, &event.event));
        history
    }

    /// Takes one more event into account.
    pub fn apply(&mut self, seq: u64, event: &RegistryEvent) {
        match event {
            RegistryEvent::KeyTrusted { .. } | RegistryEvent::KeyRevoked { .. } => {}
            RegistryEvent::PackLinted { pack_ref, content_hash, overlays, warnings } => {
                if let Some(candidate) = self.touch(seq, pack_ref, content_hash) {
                    candidate.lint = Some(LintRecord { overlays: overlays.clone(), warnings: *warnings });
                }
            }
            RegistryEvent::PackReviewed { pack_ref, content_hash, role, key_id, envelope } => {
                if let Some(candidate) = self.touch(seq, pack_ref, content_hash) {
                    let (role, key_id, envelope) = (*role, key_id.clone(), *envelope);
                    candidate.reviews.push(ReviewRecord { seq, role, key_id, envelope });
                }
            }
            RegistryEvent::PackSigned { pack_ref, content_hash, key_id, envelope } => {
                if let Some(candidate) = self.touch(seq, pack_ref, content_hash) {
                    let (key_id, envelope) = (key_id.clone(), *envelope);
                    candidate.signatures.push(SignatureRecord { seq, key_id, envelope });
                }
            }
            RegistryEvent::PackPublished {
                pack_ref,
                content_hash,
                document,
                envelope,
                overlays,
                tenant_id,
                shared,
            } => {
                if *pack_ref == self.pack_ref {
                    self.publication.get_or_insert_with(|| Publication {
                        seq,
                        content_hash: *content_hash,
                        document: *document,
                        envelope: *envelope,
                        overlays: overlays.clone(),
                        tenant_id: tenant_id.clone(),
                        shared: *shared,
                    });
                }
            }
            RegistryEvent::PackPinned { pack_ref, environment, tenant_id, .. } => {
                let place = PinnedIn { tenant_id: tenant_id.clone(), environment: environment.clone() };
                if *pack_ref == self.pack_ref {
                    self.pinned_in.insert(place);
                } else if pack_ref.pack_id == self.pack_ref.pack_id {
                    self.pinned_in.remove(&place);
                }
            }
            RegistryEvent::PackDeprecated { pack_ref, reason } => {
                if *pack_ref == self.pack_ref {
                    self.deprecation.get_or_insert_with(|| Ending { seq, reason: reason.clone() });
                }
            }
            RegistryEvent::PackRevoked { pack_ref, reason } => {
                if *pack_ref == self.pack_ref {
                    self.revocation.get_or_insert_with(|| Ending { seq, reason: reason.clone() });
                }
            }
        }
    }

    fn touch(&mut self, seq: u64, pack_ref: &PackRef, content_hash: &ContentHash) -> Option<&mut CandidateHistory> {
        if *pack_ref != self.pack_ref {
            return None;
        }
        let candidate = self.candidates.entry(*content_hash).or_default();
        candidate.last_seq = seq;
        Some(candidate)
    }

    /// What was done to a document, if anything.
    pub fn candidate(&self, content_hash: &ContentHash) -> Option<&CandidateHistory> {
        self.candidates.get(content_hash)
    }

    /// The published document, or else the one that was worked on last.
    pub fn current(&self) -> Option<(&ContentHash, Option<&CandidateHistory>)> {
        match &self.publication {
            Some(publication) => Some((&publication.content_hash, self.candidates.get(&publication.content_hash))),
            None => self.candidates.iter().max_by_key(|(_, c)| c.last_seq).map(|(hash, c)| (hash, Some(c))),
        }
    }

    /// Where the version stands, given the roles that its policy asks for.
    pub fn state(&self, required: &[ReviewRole]) -> PackState {
        if self.revocation.is_some() {
            PackState::Revoked
        } else if self.deprecation.is_some() {
            PackState::Deprecated
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
    /// Where the document stands before its publication, given the roles that its policy asks for.
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
