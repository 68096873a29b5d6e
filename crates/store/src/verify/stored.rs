//! Checks every file that an event refers to: it exists, and its bytes have the hash in its name.

use crate::blobs::Blobs;
use crate::log::at_event;
use crate::rows::LogEntry;
use deed_canon::ContentHash;
use deed_diag::Diagnostic;
use deed_model::RegistryEvent;
use std::collections::BTreeMap;

pub(super) fn check(blobs: &Blobs, entries: &[LogEntry]) -> Vec<Diagnostic> {
    let mut named: BTreeMap<ContentHash, u64> = BTreeMap::new();
    for entry in entries {
        for hash in referenced_blobs(&entry.event.event) {
            named.entry(hash).or_insert(entry.link.seq);
        }
    }
    let found = named.iter().filter_map(|(hash, seq)| blobs.get(hash).err().map(|error| (error, *seq)));
    found
        .flat_map(|(error, seq)| error.diagnostics().iter().map(|d| at_event(d.clone(), seq)).collect::<Vec<_>>())
        .collect()
}

fn referenced_blobs(event: &RegistryEvent) -> Vec<ContentHash> {
    match event {
        RegistryEvent::PackReviewed { envelope, .. } | RegistryEvent::PackSigned { envelope, .. } => vec![*envelope],
        RegistryEvent::PackPublished { document, envelope, overlays, golden, .. } => {
            let parts = overlays.iter().map(|o| o.document).chain(golden.iter().map(|g| g.document));
            [*document, *envelope].into_iter().chain(parts).collect()
        }
        RegistryEvent::ProfilePublished { document, envelope, .. }
        | RegistryEvent::ObjectPublished { document, envelope, .. } => vec![*document, *envelope],
        RegistryEvent::KeyTrusted { .. }
        | RegistryEvent::KeyRevoked { .. }
        | RegistryEvent::RegistryPolicySet { .. }
        | RegistryEvent::EndpointSet { .. }
        | RegistryEvent::EndpointRemoved { .. }
        | RegistryEvent::PackLinted { .. }
        | RegistryEvent::PackPinned { .. }
        | RegistryEvent::PackUnpinned { .. }
        | RegistryEvent::PackObserved { .. }
        | RegistryEvent::PackPromoted { .. }
        | RegistryEvent::PackRegressionAccepted { .. }
        | RegistryEvent::PackRechecked { .. }
        | RegistryEvent::ArchiveNamed { .. }
        | RegistryEvent::ArchiveForgotten { .. }
        | RegistryEvent::ProfileUnbound { .. }
        | RegistryEvent::ProfileDeprecated { .. }
        | RegistryEvent::ProfileRevoked { .. }
        | RegistryEvent::ObjectDeprecated { .. }
        | RegistryEvent::ObjectRevoked { .. }
        | RegistryEvent::ProfileBound { .. }
        | RegistryEvent::PackDeprecated { .. }
        | RegistryEvent::PackRevoked { .. } => Vec::new(),
    }
}
