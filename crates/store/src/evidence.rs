//! The evidence for a version: its histories from the log, its documents and envelopes from the blobs.

use crate::blobs::Blobs;
use crate::error::RegistryError;
use crate::log::{Entries, Log};
use crate::rows::LogEntry;
use crate::subjects::Subject;
use deed_canon::{ContentHash, Envelope, KeyId};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{AuditEvent, PackRef, RegistryEvent};
use deed_pack::{
    ArchiveState, Candidate, EndpointRegistry, EnvironmentKey, EnvironmentState, NamedDocuments, PackHistory,
    PolicyState, ProfileRegistry, Publication, RecordWithEnvelope, ReviewRecord, SignatureRecord, Trust, read_envelope,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The recorded envelopes of one document.
pub(crate) struct Evidence {
    pub(crate) signatures: Vec<RecordWithEnvelope<SignatureRecord>>,
    pub(crate) reviews: Vec<RecordWithEnvelope<ReviewRecord>>,
}

/// Entries in the form that the folds take.
pub(crate) fn events(entries: &Entries) -> impl Iterator<Item = (u64, &AuditEvent)> {
    entries.iter().map(|(seq, entry)| (*seq, &entry.event))
}

/// The history of a version without its pins, which no transition needs.
pub(crate) fn history(log: &Log<'_>, pack_ref: &PackRef) -> Result<PackHistory, RegistryError> {
    let entries = log.of_subject(&Subject::Version(pack_ref.to_string()))?;
    Ok(PackHistory::fold(pack_ref.clone(), events(&entries)))
}

/// The history of a version with the environments that use it now, for which the pins of other versions are read too.
pub(crate) fn full_history(log: &Log<'_>, pack_ref: &PackRef) -> Result<PackHistory, RegistryError> {
    let mut entries = log.of_subject(&Subject::Pack(pack_ref.to_string()))?;
    let environments: BTreeSet<String> = entries.values().filter_map(pinned_in).collect();
    for environment in environments {
        let pack_id = pack_ref.pack_id.clone();
        entries.append(&mut log.of_subject(&Subject::Environment { environment, pack_id })?);
    }
    Ok(PackHistory::fold(pack_ref.clone(), events(&entries)))
}

fn pinned_in(entry: &LogEntry) -> Option<String> {
    match &entry.event.event {
        RegistryEvent::PackPinned { environment, .. } => Some(environment.clone()),
        RegistryEvent::KeyTrusted { .. }
        | RegistryEvent::KeyRevoked { .. }
        | RegistryEvent::RegistryPolicySet { .. }
        | RegistryEvent::EndpointSet { .. }
        | RegistryEvent::EndpointRemoved { .. }
        | RegistryEvent::PackLinted { .. }
        | RegistryEvent::PackReviewed { .. }
        | RegistryEvent::PackSigned { .. }
        | RegistryEvent::PackPublished { .. }
        | RegistryEvent::PackUnpinned { .. }
        | RegistryEvent::PackObserved { .. }
        | RegistryEvent::PackPromoted { .. }
        | RegistryEvent::PackRegressionAccepted { .. }
        | RegistryEvent::PackRechecked { .. }
        | RegistryEvent::ArchiveNamed { .. }
        | RegistryEvent::ArchiveForgotten { .. }
        | RegistryEvent::ProfilePublished { .. }
        | RegistryEvent::ProfileUnbound { .. }
        | RegistryEvent::ProfileDeprecated { .. }
        | RegistryEvent::ProfileRevoked { .. }
        | RegistryEvent::ObjectPublished { .. }
        | RegistryEvent::ObjectDeprecated { .. }
        | RegistryEvent::ObjectRevoked { .. }
        | RegistryEvent::ProfileBound { .. }
        | RegistryEvent::PackDeprecated { .. }
        | RegistryEvent::PackRevoked { .. } => None,
    }
}

/// The pins of an environment.
pub(crate) fn environment(log: &Log<'_>, key: EnvironmentKey) -> Result<EnvironmentState, RegistryError> {
    let entries = log.of_subject(&Subject::Pins(key.clone()))?;
    Ok(EnvironmentState::fold(key, events(&entries)))
}

/// The pin in force, without reading the pins before it.
pub(crate) fn current_pin(log: &Log<'_>, key: EnvironmentKey) -> Result<EnvironmentState, RegistryError> {
    let subject = Subject::Pins(key.clone());
    let mut state = EnvironmentState::new(key);
    log.newest_first(&subject, |entry| {
        state.apply(entry.link.seq, &entry.event.event);
        let settled = !state.pins.is_empty() || state.unpinned.is_some();
        if settled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(state)
}

/// The named archives.
pub(crate) fn archives(log: &Log<'_>) -> Result<ArchiveState, RegistryError> {
    let mut state = ArchiveState::default();
    log.of_subject(&Subject::Archives)?.values().for_each(|e| state.apply(e.link.seq, &e.event.event));
    Ok(state)
}

/// The policy in force.
pub(crate) fn policy(log: &Log<'_>) -> Result<PolicyState, RegistryError> {
    let mut state = PolicyState::default();
    log.of_subject(&Subject::Policy)?.values().for_each(|entry| state.apply(&entry.event.event));
    Ok(state)
}

/// The published profiles and their bindings.
pub(crate) fn profiles(log: &Log<'_>) -> Result<ProfileRegistry, RegistryError> {
    let mut state = ProfileRegistry::default();
    log.of_subject(&Subject::Profiles)?.values().for_each(|entry| state.apply(entry.link.seq, &entry.event.event));
    Ok(state)
}

/// The endpoints in force.
pub(crate) fn endpoints(log: &Log<'_>) -> Result<EndpointRegistry, RegistryError> {
    let mut state = EndpointRegistry::default();
    log.of_subject(&Subject::Endpoints)?.values().for_each(|entry| state.apply(&entry.event.event));
    Ok(state)
}

/// The standing of some keys.
pub(crate) fn trust_of<'k>(log: &Log<'_>, keys: impl IntoIterator<Item = &'k KeyId>) -> Result<Trust, RegistryError> {
    let keys: BTreeSet<&KeyId> = keys.into_iter().collect();
    let mut entries = Entries::new();
    for key in keys {
        entries.append(&mut log.of_subject(&Subject::Key(key.to_string()))?);
    }
    Ok(Trust::fold(events(&entries)))
}

impl Evidence {
    /// Reads the envelopes that are recorded for a document.
    pub(crate) fn read(
        blobs: &Blobs,
        history: &PackHistory,
        content_hash: &ContentHash,
    ) -> Result<Self, RegistryError> {
        // Without records nothing is proven: the transition that needs signatures or reviews finds none and refuses.
        let Some(candidate) = history.candidate(content_hash) else {
            return Ok(Self { signatures: Vec::new(), reviews: Vec::new() });
        };
        let signatures = candidate.signatures.iter().map(|record| {
            Ok(RecordWithEnvelope { record: record.clone(), envelope: envelope(blobs, &record.envelope)? })
        });
        let reviews = candidate.reviews.iter().map(|record| {
            Ok(RecordWithEnvelope { record: record.clone(), envelope: envelope(blobs, &record.envelope)? })
        });
        Ok(Self {
            signatures: signatures.collect::<Result<_, RegistryError>>()?,
            reviews: reviews.collect::<Result<_, RegistryError>>()?,
        })
    }

    /// The keys that the envelopes name.
    pub(crate) fn keys(&self) -> Vec<KeyId> {
        let envelopes = self.signatures.iter().map(|s| &s.envelope).chain(self.reviews.iter().map(|r| &r.envelope));
        envelopes.flat_map(named_keys).collect()
    }
}

/// The keys that an envelope names. A name that is not a key id is left out: no key of that name can be trusted, so its
/// signature does not count.
pub(crate) fn named_keys(envelope: &Envelope) -> Vec<KeyId> {
    envelope.named_keys().iter().filter_map(|id| id.parse().ok()).collect()
}

/// Reads an envelope from its blob.
pub(crate) fn envelope(blobs: &Blobs, hash: &ContentHash) -> Result<Envelope, RegistryError> {
    let bytes = blobs.get(hash)?;
    read_envelope(&bytes).map_err(|why| {
        RegistryError::Refused(vec![
            Diagnostic::error(
                codes::STORED_DOCUMENTS_DISAGREE,
                format!("the stored envelope `{hash}` cannot be read: {why}"),
            )
            .stage("registry")
            .at(Place::file(blobs.path(hash).display().to_string()))
            .help("run `deed pack verify`: the log refers to a file that is not an envelope"),
        ])
    })
}

/// Reads the documents of a publication.
pub(crate) fn documents(blobs: &Blobs, publication: &Publication) -> Result<Candidate, RegistryError> {
    candidate(blobs, &named_in(publication))
}

/// The blobs of a publication.
pub(crate) fn named_in(publication: &Publication) -> NamedDocuments {
    NamedDocuments {
        pack: publication.document,
        overlays: publication.overlays.iter().map(|o| o.document).collect(),
        golden: publication.golden.iter().map(|g| (g.name.clone(), g.document)).collect(),
    }
}

/// Reads documents from their blobs.
pub(crate) fn candidate(blobs: &Blobs, named: &NamedDocuments) -> Result<Candidate, RegistryError> {
    let overlays = named.overlays.iter().map(|hash| blobs.get(hash)).collect::<Result<Vec<_>, _>>()?;
    let golden = named.golden.iter().map(|(name, hash)| Ok((name.clone(), blobs.get(hash)?)));
    let golden = golden.collect::<Result<Vec<_>, RegistryError>>()?;
    Ok(Candidate::from_canonical(blobs.get(&named.pack)?, overlays)?.with_canonical_golden(golden)?)
}
