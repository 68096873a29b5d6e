//! The fold: what each event changes in the history of a version.

use super::{
    AcceptedRegression, CandidateHistory, EndRecord, LintRecord, Observation, PackHistory, PinnedEnvironment,
    Publication, RecheckRecord, ReviewRecord, SignatureRecord,
};
use deed_canon::ContentHash;
use deed_model::{PackRef, RegistryEvent};

impl PackHistory {
    /// Applies one more event.
    pub fn apply(&mut self, seq: u64, event: &RegistryEvent) {
        match event {
            RegistryEvent::KeyTrusted { .. }
            | RegistryEvent::KeyRevoked { .. }
            | RegistryEvent::RegistryPolicySet { .. }
            | RegistryEvent::EndpointSet { .. }
            | RegistryEvent::EndpointRemoved { .. }
            | RegistryEvent::ArchiveNamed { .. }
            | RegistryEvent::ArchiveForgotten { .. }
            | RegistryEvent::ProfilePublished { .. }
            | RegistryEvent::ProfileUnbound { .. }
            | RegistryEvent::ProfileDeprecated { .. }
            | RegistryEvent::ProfileRevoked { .. }
            | RegistryEvent::ObjectPublished { .. }
            | RegistryEvent::ObjectDeprecated { .. }
            | RegistryEvent::ObjectRevoked { .. }
            | RegistryEvent::ProfileBound { .. } => {}
            RegistryEvent::PackLinted { .. }
            | RegistryEvent::PackReviewed { .. }
            | RegistryEvent::PackSigned { .. } => self.proposed(seq, event),
            RegistryEvent::PackRegressionAccepted { .. } | RegistryEvent::PackRechecked { .. } => {
                self.released(seq, event);
            }
            RegistryEvent::PackPublished { .. } => self.published(seq, event),
            RegistryEvent::PackPinned { .. }
            | RegistryEvent::PackUnpinned { .. }
            | RegistryEvent::PackPromoted { .. } => self.placed(event),
            RegistryEvent::PackObserved { pack_ref, content_hash: _, environment, tenant_id, by } => {
                if *pack_ref == self.pack_ref {
                    let (tenant_id, environment, by) = (tenant_id.clone(), environment.clone(), by.clone());
                    self.observations.push(Observation { seq, tenant_id, environment, by });
                }
            }
            RegistryEvent::PackDeprecated { pack_ref, reason } => {
                if *pack_ref == self.pack_ref {
                    self.deprecation.get_or_insert_with(|| EndRecord { seq, reason: reason.clone() });
                }
            }
            RegistryEvent::PackRevoked { pack_ref, reason } => {
                if *pack_ref == self.pack_ref {
                    self.revocation.get_or_insert_with(|| EndRecord { seq, reason: reason.clone() });
                }
            }
        }
    }

    /// Applies an event about a candidate for the version.
    fn proposed(&mut self, seq: u64, event: &RegistryEvent) {
        if let RegistryEvent::PackLinted { pack_ref, content_hash, overlays, golden, warnings } = event
            && let Some(candidate) = self.touch(seq, pack_ref, content_hash)
        {
            let (overlays, golden) = (overlays.clone(), golden.clone());
            candidate.lint = Some(LintRecord { overlays, golden, warnings: *warnings });
        }
        if let RegistryEvent::PackReviewed { pack_ref, content_hash, role, key_id, envelope } = event
            && let Some(candidate) = self.touch(seq, pack_ref, content_hash)
        {
            let (role, key_id, envelope) = (*role, key_id.clone(), *envelope);
            candidate.reviews.push(ReviewRecord { seq, role, key_id, envelope });
        }
        if let RegistryEvent::PackSigned { pack_ref, content_hash, key_id, envelope, policy: _ } = event
            && let Some(candidate) = self.touch(seq, pack_ref, content_hash)
        {
            let (key_id, envelope) = (key_id.clone(), *envelope);
            candidate.signatures.push(SignatureRecord { seq, key_id, envelope });
        }
    }

    /// Applies the publication of the version; the first one counts.
    fn published(&mut self, seq: u64, event: &RegistryEvent) {
        if let RegistryEvent::PackPublished {
            pack_ref,
            content_hash,
            document,
            envelope,
            overlays,
            golden,
            tenant_id,
            shared,
        } = event
            && *pack_ref == self.pack_ref
        {
            self.publication.get_or_insert_with(|| Publication {
                seq,
                content_hash: *content_hash,
                document: *document,
                envelope: *envelope,
                overlays: overlays.clone(),
                golden: golden.clone(),
                tenant_id: tenant_id.clone(),
                shared: *shared,
            });
        }
    }

    /// Applies an event about the place of a version in an environment.
    fn placed(&mut self, event: &RegistryEvent) {
        let place = |tenant_id: &String, environment: &String| PinnedEnvironment {
            tenant_id: tenant_id.clone(),
            environment: environment.clone(),
        };
        if let RegistryEvent::PackPinned { pack_ref, environment, tenant_id, .. } = event {
            let place = place(tenant_id, environment);
            if *pack_ref == self.pack_ref {
                self.pinned_in.insert(place);
            } else if pack_ref.pack_id == self.pack_ref.pack_id {
                self.leave(&place);
            }
        }
        if let RegistryEvent::PackUnpinned { pack_ref, environment, tenant_id, reason: _ } = event
            && *pack_ref == self.pack_ref
        {
            self.leave(&place(tenant_id, environment));
        }
        if let RegistryEvent::PackPromoted { pack_ref, content_hash: _, environment, tenant_id } = event
            && *pack_ref == self.pack_ref
        {
            self.promoted_in.insert(place(tenant_id, environment));
        }
    }

    /// Applies an event about the release of the version.
    fn released(&mut self, seq: u64, event: &RegistryEvent) {
        if let RegistryEvent::PackRegressionAccepted { pack_ref, content_hash, metric, finding, what, role, reason } =
            event
            && *pack_ref == self.pack_ref
        {
            self.accepted.push(AcceptedRegression {
                seq,
                content_hash: *content_hash,
                metric: *metric,
                finding: *finding,
                what: what.clone(),
                role: *role,
                reason: reason.clone(),
            });
        }
        if let RegistryEvent::PackRechecked { pack_ref, trigger, dependency, dependency_hash, errors, warnings, .. } =
            event
            && *pack_ref == self.pack_ref
        {
            let record = RecheckRecord { seq, dependency_hash: *dependency_hash, errors: *errors, warnings: *warnings };
            self.rechecks.insert((*trigger, dependency.clone()), record);
        }
    }

    /// Ends the use of the version in an environment.
    fn leave(&mut self, place: &PinnedEnvironment) {
        self.pinned_in.remove(place);
        self.promoted_in.remove(place);
    }

    /// The records of a document that is a candidate for the version, which has a new one.
    fn touch(&mut self, seq: u64, pack_ref: &PackRef, content_hash: &ContentHash) -> Option<&mut CandidateHistory> {
        if *pack_ref != self.pack_ref {
            return None;
        }
        let candidate = self.candidates.entry(*content_hash).or_default();
        candidate.last_seq = seq;
        Some(candidate)
    }
}
