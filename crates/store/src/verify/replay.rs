//! Replays every event: the rules must give exactly this transition after the events before it.

use super::profiles;
use crate::blobs::Blobs;
use crate::error::RegistryError;
use crate::evidence::{Evidence, candidate, envelope, named_in};
use crate::log::at_event;
use crate::rows::{LogEntry, event_place};
use crate::writes::taking;
use deed_canon::{ContentHash, Envelope};
use deed_diag::{Diagnostic, codes};
use deed_model::{PackRef, RegistryEvent};
use deed_pack::{
    AcceptedRegression, ArchiveRecord, Candidate, EnvironmentKey, NamedDocuments, PackHistory, PinRecord, PinnedUse,
    RecheckRecord, RegistryState, Transition, documents_of, may_accept_regression, may_deprecate, may_forget_archive,
    may_lint, may_name_archive, may_observe, may_pin, may_promote, may_publish, may_recheck, may_remove_endpoint,
    may_review, may_revoke, may_revoke_key, may_roll_back, may_set_endpoint, may_set_policy, may_sign, may_trust_key,
    may_unpin, verify_publication,
};
use std::rc::Rc;

/// Returns the state at the end of the log, and a finding for each event that was not allowed when it was appended.
pub(super) fn check(blobs: &Blobs, entries: &[LogEntry]) -> (RegistryState, Vec<Diagnostic>) {
    let mut replay = Replay { blobs, state: RegistryState::default(), last: None };
    let mut findings = Vec::new();
    for entry in entries {
        findings.extend(replay.step(entry));
        replay.state.apply(entry.link.seq, &entry.event.event);
    }
    (replay.state, findings)
}

struct Replay<'a> {
    blobs: &'a Blobs,
    state: RegistryState,
    /// The documents read last: consecutive events are often about the same version.
    last: Option<(NamedDocuments, Rc<Candidate>)>,
}

impl Replay<'_> {
    fn step(&mut self, entry: &LogEntry) -> Vec<Diagnostic> {
        let seq = entry.link.seq;
        match self.transition(&entry.event.event) {
            Ok(Transition::Append(event)) if *event == entry.event.event => Vec::new(),
            Ok(Transition::Append(_) | Transition::AlreadyDone) => {
                vec![illegal(entry, "the rules give another event")]
            }
            Err(RegistryError::Environment(finding)) => vec![at_event(*finding, seq)],
            Err(RegistryError::Refused(why)) => {
                let damage: Vec<Diagnostic> = why.iter().filter(|d| is_damage(d)).cloned().collect();
                if damage.is_empty() {
                    let why = why.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; ");
                    return vec![illegal(entry, &why)];
                }
                damage.into_iter().map(|d| at_event(d, seq)).collect()
            }
        }
    }

    /// Applies the rules to an event, given everything before it.
    fn transition(&mut self, event: &RegistryEvent) -> Result<Transition, RegistryError> {
        match event {
            RegistryEvent::KeyTrusted { key, replaces } => {
                Ok(may_trust_key(&self.state.trust, key.clone(), replaces.clone())?)
            }
            RegistryEvent::KeyRevoked { key_id, reason } => Ok(may_revoke_key(&self.state.trust, key_id, reason)?),
            RegistryEvent::RegistryPolicySet { policy, reason } => {
                Ok(may_set_policy(&self.state.policy, policy.clone(), reason)?)
            }
            RegistryEvent::EndpointSet { endpoint } => Ok(may_set_endpoint(&self.state.endpoints, endpoint.clone())?),
            RegistryEvent::EndpointRemoved { endpoint_ref, environment, reason } => {
                Ok(may_remove_endpoint(&self.state.endpoints, environment, endpoint_ref, reason)?)
            }
            RegistryEvent::PackLinted { pack_ref, content_hash, overlays, golden, warnings } => {
                let history = self.state.pack(pack_ref);
                Ok(may_lint(&history, *content_hash, overlays.clone(), golden.clone(), *warnings)?)
            }
            RegistryEvent::PackReviewed { pack_ref, envelope, .. } => self.reviewed(pack_ref, envelope),
            RegistryEvent::PackSigned { pack_ref, envelope, policy, .. } => {
                self.signed(pack_ref, envelope, policy.is_some())
            }
            RegistryEvent::PackPublished { pack_ref, document, overlays, golden, .. } => {
                let named = NamedDocuments {
                    pack: *document,
                    overlays: overlays.iter().map(|o| o.document).collect(),
                    golden: golden.iter().map(|g| (g.name.clone(), g.document)).collect(),
                };
                self.published(pack_ref, named)
            }
            RegistryEvent::PackPinned { .. } => self.pinned(event),
            RegistryEvent::PackUnpinned { pack_ref, environment, tenant_id, reason } => {
                let environment = self.state.environment(&key_of(pack_ref, environment, tenant_id));
                Ok(may_unpin(&environment, reason)?)
            }
            RegistryEvent::PackObserved { pack_ref, environment, tenant_id, by, .. } => {
                Ok(may_observe(&self.state.pack(pack_ref), environment.as_deref(), tenant_id, by)?)
            }
            RegistryEvent::PackPromoted { pack_ref, environment, tenant_id, .. } => {
                let environment = self.state.environment(&key_of(pack_ref, environment, tenant_id));
                Ok(may_promote(&self.state.pack(pack_ref), &environment)?)
            }
            RegistryEvent::PackRegressionAccepted { .. }
            | RegistryEvent::PackRechecked { .. }
            | RegistryEvent::ArchiveNamed { .. }
            | RegistryEvent::ArchiveForgotten { .. } => self.of_release(event),
            RegistryEvent::ProfilePublished { .. }
            | RegistryEvent::ProfileBound { .. }
            | RegistryEvent::ProfileUnbound { .. }
            | RegistryEvent::ProfileDeprecated { .. }
            | RegistryEvent::ProfileRevoked { .. }
            | RegistryEvent::ObjectPublished { .. }
            | RegistryEvent::ObjectDeprecated { .. }
            | RegistryEvent::ObjectRevoked { .. } => {
                profiles::transition(self.blobs, &self.state.profiles, &self.state.trust, event)
            }
            // The log does not say that environments were taken down: earlier versions never asked.
            RegistryEvent::PackDeprecated { pack_ref, reason } => {
                Ok(may_deprecate(&self.state.pack(pack_ref), reason, PinnedUse::TakenDown)?)
            }
            RegistryEvent::PackRevoked { pack_ref, reason } => {
                Ok(may_revoke(&self.state.pack(pack_ref), reason, PinnedUse::TakenDown)?)
            }
        }
    }

    fn reviewed(&mut self, pack_ref: &PackRef, blob: &ContentHash) -> Result<Transition, RegistryError> {
        let envelope = envelope(self.blobs, blob)?;
        let candidate = self.documents_named_in(&envelope)?;
        let history = self.state.pack(pack_ref);
        Ok(may_review(&history, &self.state.trust, &candidate, &envelope, *blob)?)
    }

    /// Applies the rules to a signature, which may state the policy that it was judged by.
    fn signed(
        &mut self,
        pack_ref: &PackRef,
        blob: &ContentHash,
        states_policy: bool,
    ) -> Result<Transition, RegistryError> {
        let envelope = envelope(self.blobs, blob)?;
        let candidate = self.documents_named_in(&envelope)?;
        let history = self.state.pack(pack_ref);
        let reviews = Evidence::read(self.blobs, &history, &candidate.content_hash())?.reviews;
        // Signatures from before there was a policy state none, and were judged by none.
        let judged = states_policy || self.state.policy.judged;
        let policy = judged.then_some(&self.state.policy.policy);
        Ok(may_sign(&history, &self.state.trust, &candidate, &envelope, *blob, &reviews, policy)?)
    }

    fn published(&mut self, pack_ref: &PackRef, named: NamedDocuments) -> Result<Transition, RegistryError> {
        let candidate = self.documents(named)?;
        let history = self.state.pack(pack_ref);
        let Evidence { signatures, reviews } = Evidence::read(self.blobs, &history, &candidate.content_hash())?;
        Ok(may_publish(&history, &self.state.trust, &candidate, &signatures, &reviews)?)
    }

    /// Applies the rules to a pin. A rollback is a pin too, and may go to a version that is not lower.
    fn pinned(&mut self, event: &RegistryEvent) -> Result<Transition, RegistryError> {
        let RegistryEvent::PackPinned { pack_ref, environment, tenant_id, overlays, took_ms, .. } = event else {
            return Err(other_kind("a pin"));
        };
        let environment = self.state.environment(&key_of(pack_ref, environment, tenant_id));
        let history = self.state.pack(pack_ref);
        let pinned = may_pin(&history, &environment, overlays);
        self.check_proof(&history)?;
        match may_roll_back(&history, &environment).map(|back| taking(back, *took_ms)) {
            Ok(Transition::Append(back)) if *back == *event => Ok(Transition::Append(back)),
            Ok(_) | Err(_) => Ok(as_recorded(taking(pinned?, *took_ms), event, environment.current())),
        }
    }

    /// Applies the rules to an event about releases.
    fn of_release(&self, event: &RegistryEvent) -> Result<Transition, RegistryError> {
        // Where an event stands in the log has no effect on the rules.
        let seq = 0;
        match event.clone() {
            RegistryEvent::PackRegressionAccepted { pack_ref, content_hash, metric, finding, what, role, reason } => {
                let accepted = AcceptedRegression { seq, content_hash, metric, finding, what, role, reason };
                Ok(may_accept_regression(&self.state.pack(&pack_ref), &accepted)?)
            }
            RegistryEvent::PackRechecked {
                pack_ref, trigger, dependency, dependency_hash, errors, warnings, ..
            } => {
                let found = RecheckRecord { seq, dependency_hash, errors, warnings };
                Ok(may_recheck(&self.state.pack(&pack_ref), trigger, &dependency, &found)?)
            }
            RegistryEvent::ArchiveNamed { name, archive_kind: kind, path, content_hash, recordings } => {
                let record = ArchiveRecord { seq, kind, path, content_hash, recordings };
                Ok(may_name_archive(&self.state.archives, &name, &record)?)
            }
            RegistryEvent::ArchiveForgotten { name, reason } => {
                Ok(may_forget_archive(&self.state.archives, &name, &reason)?)
            }
            _ => Err(other_kind("about a release")),
        }
    }

    /// Verifies the signature and reviews of a version at the time it was pinned.
    fn check_proof(&mut self, history: &PackHistory) -> Result<(), RegistryError> {
        let publication = history.publication.as_ref().ok_or_else(|| {
            vec![Diagnostic::error(codes::ILLEGAL_EVENT, "the version was not published").stage("registry")]
        })?;
        let candidate = self.documents(named_in(publication))?;
        let Evidence { signatures, reviews } = Evidence::read(self.blobs, history, &candidate.content_hash())?;
        verify_publication(history, &self.state.trust, &candidate, &signatures, &reviews)?;
        Ok(())
    }

    /// Reads the documents that a signed statement names.
    fn documents_named_in(&mut self, envelope: &Envelope) -> Result<Rc<Candidate>, RegistryError> {
        let named = documents_of(envelope, &self.state.trust)
            .map_err(|e| vec![Diagnostic::error(codes::ILLEGAL_EVENT, e.to_string()).stage("registry")])?;
        self.documents(named)
    }

    fn documents(&mut self, named: NamedDocuments) -> Result<Rc<Candidate>, RegistryError> {
        if let Some((_, candidate)) = self.last.as_ref().filter(|(last, _)| *last == named) {
            return Ok(Rc::clone(candidate));
        }
        let read = Rc::new(candidate(self.blobs, &named)?);
        self.last = Some((named, Rc::clone(&read)));
        Ok(read)
    }
}

/// The refusal of an event that is not of the kind that its rules are for.
pub(super) fn other_kind(expected: &str) -> RegistryError {
    vec![Diagnostic::error(codes::ILLEGAL_EVENT, format!("the event is not {expected}")).stage("registry")].into()
}

fn key_of(pack_ref: &PackRef, environment: &str, tenant_id: &str) -> EnvironmentKey {
    EnvironmentKey {
        tenant_id: tenant_id.to_owned(),
        environment: environment.to_owned(),
        pack_id: pack_ref.pack_id.clone(),
    }
}

/// Returns whether a finding is about a lost or altered file, which is reported as such and not as an illegal event.
fn is_damage(finding: &Diagnostic) -> bool {
    finding.code == codes::STORED_FILE_MISSING || finding.code == codes::STORED_FILE_ALTERED
}

fn illegal(entry: &LogEntry, why: &str) -> Diagnostic {
    let (seq, name) = (entry.link.seq, entry.event.event.name());
    Diagnostic::error(
        codes::ILLEGAL_EVENT,
        format!("event {seq} (`{name}`) was not allowed when it was appended: {why}"),
    )
    .stage("registry")
    .at(event_place(seq))
    .help("restore the registry from a backup: another program wrote to the log")
}

/// Earlier logs call the pin of any lower version a rollback, which the rules of today do not.
fn as_recorded(pinned: Transition, event: &RegistryEvent, current: Option<&PinRecord>) -> Transition {
    let RegistryEvent::PackPinned { pack_ref, rollback: true, .. } = event else { return pinned };
    if current.is_none_or(|current| pack_ref.version >= current.pack_ref.version) {
        return pinned;
    }
    match pinned {
        Transition::Append(now) => Transition::Append(Box::new(match *now {
            RegistryEvent::PackPinned {
                pack_ref,
                content_hash,
                environment,
                tenant_id,
                replaces,
                overlays,
                took_ms,
                ..
            } => RegistryEvent::PackPinned {
                pack_ref,
                content_hash,
                environment,
                tenant_id,
                replaces,
                rollback: true,
                overlays,
                took_ms,
            },
            other => other,
        })),
        Transition::AlreadyDone => Transition::AlreadyDone,
    }
}
