//! Versions of files in lines.

use crate::text::count;
use deed_model::{FileOrigin, FileVersion};

/// The origin of a version in words.
pub(super) fn origin(version: &FileVersion) -> String {
    match (&version.origin, &version.reason) {
        (Some(FileOrigin::Person { source, note }), _) => {
            let source = source.as_ref().map(|source| format!(" from {source}")).unwrap_or_default();
            let note = note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
            format!("by {}{source}{note}", version.actor)
        }
        (Some(FileOrigin::Run { run_id, step_id, artifact, .. }), _) => {
            format!("by run {run_id}, step {step_id}, as {artifact}")
        }
        (None, Some(reason)) => format!("removed by {}: {reason}", version.actor),
        (None, None) => format!("removed by {}", version.actor),
    }
}

/// The size of a version in words.
pub(super) fn size(version: &FileVersion) -> String {
    version.content.map_or_else(|| "removed".to_owned(), |content| count(content.size_bytes, "byte"))
}
