//! The named archives of a registry, folded from events. Every release is tried on their recordings.

use deed_canon::ContentHash;
use deed_model::{ArchiveKind, RegistryEvent};
use std::collections::BTreeMap;

/// The named archives, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveState {
    /// The archives that are tried.
    pub archives: BTreeMap<String, ArchiveRecord>,
}

/// An archive, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveRecord {
    /// The event.
    pub seq: u64,
    /// The kind of its recordings.
    pub kind: ArchiveKind,
    /// The folder: relative to the folder of the project if it lies in it.
    pub path: String,
    /// The hash over the names and hashes of its files.
    pub content_hash: ContentHash,
    /// The number of its recordings.
    pub recordings: u64,
}

impl ArchiveState {
    /// Applies one more event; events about other things are ignored.
    pub fn apply(&mut self, seq: u64, event: &RegistryEvent) {
        if let RegistryEvent::ArchiveNamed { name, archive_kind, path, content_hash, recordings } = event {
            let record = ArchiveRecord {
                seq,
                kind: *archive_kind,
                path: path.clone(),
                content_hash: *content_hash,
                recordings: *recordings,
            };
            self.archives.insert(name.clone(), record);
        } else if let RegistryEvent::ArchiveForgotten { name, .. } = event {
            self.archives.remove(name);
        }
    }
}
