//! Uploads of people.

use super::{by_person, fits, next_version, placed};
use crate::area::Area;
use crate::fold::{FileRecord, WorkspaceState};
use crate::names::refused;
use crate::path::FilePath;
use deed_canon::{ChainHead, ContentHash};
use deed_diag::{Diagnostic, codes};
use deed_model::{FileOrigin, StoredContent, WorkspaceEvent, WorkspaceLogEvent};

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// The path.
    pub path: FilePath,
    /// The content, which is stored.
    pub content: StoredContent,
    /// The name of the file that is uploaded.
    pub source: Option<String>,
    /// A remark.
    pub note: Option<String>,
    /// The version that it replaces; refused if there is a newer one. 0: there must be none.
    pub base: Option<u64>,
}

/// Writes files of people, all of them or none. A file whose newest version has the same content is left as it is.
///
/// # Errors
/// The actor is no person of the workspace, a path is in the area of agents or taken, a version is not the one that was
/// expected, or the quota is exceeded.
pub fn put(state: &WorkspaceState, files: &[NewFile], actor: &str) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>> {
    by_person(state, actor)?;
    // Files of one upload can be in each other's way: each is checked against those before it.
    let mut after = state.clone();
    let mut events = Vec::new();
    for file in files {
        let path = file.path.text();
        if file.path.area() != Area::People {
            let message = format!("`{path}` is a file of agents, which only runs write");
            let help = format!("write it to `people/{}`", file.path.file_name());
            return Err(refused(codes::WORKSPACE_AREA_OF_AGENTS, message, help));
        }
        expected(&after, file)?;
        let latest = after.file(path).and_then(FileRecord::latest);
        if latest.is_some_and(|latest| latest.content == Some(file.content)) {
            continue;
        }
        placed(&after, &file.path)?;
        let event = WorkspaceEvent::FileWritten {
            path: path.to_owned(),
            version: next_version(&after, path),
            content: file.content,
            origin: FileOrigin::Person { source: file.source.clone(), note: file.note.clone() },
            superseded_by: None,
        };
        apply(&mut after, &event, actor);
        events.push(event);
    }
    fits(state, contents(&events))?;
    Ok(events)
}

fn expected(state: &WorkspaceState, file: &NewFile) -> Result<(), Vec<Diagnostic>> {
    let Some(base) = file.base else { return Ok(()) };
    let path = file.path.text();
    let latest = next_version(state, path).saturating_sub(1);
    if base == latest {
        return Ok(());
    }
    let message = match latest {
        0 => format!("`{path}` has no version, and version {base} was expected"),
        _ => format!("`{path}` has version {latest}, and version {base} was expected"),
    };
    let help = format!("look at what changed with `deed files history {path}`, then give `--base {latest}`");
    Err(refused(codes::WORKSPACE_VERSION_CONFLICT, message, help))
}

/// Applies an event that was not appended yet.
pub(super) fn apply(state: &mut WorkspaceState, event: &WorkspaceEvent, actor: &str) {
    let logged = WorkspaceLogEvent {
        format: crate::WORKSPACE_FORMAT,
        at: String::new(),
        actor: actor.to_owned(),
        event: event.clone(),
    };
    state.apply(&ChainHead { seq: 0, hash: ContentHash::of_bytes(b"") }, &logged);
}

/// The contents that events write.
pub(super) fn contents(events: &[WorkspaceEvent]) -> impl Iterator<Item = &StoredContent> {
    events.iter().filter_map(|event| match event {
        WorkspaceEvent::FileWritten { content, .. } => Some(content),
        _ => None,
    })
}
