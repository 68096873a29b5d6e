//! Checks of single events, for the verification of a log: an event is allowed by the state before it.
//!
//! The transitions decide what to append; this decides, apart from them, whether what was appended could have been.

use crate::OWNER;
use crate::area::Area;
use crate::fold::WorkspaceState;
use crate::path::FilePath;
use deed_model::{FileOrigin, WorkspaceEvent, WorkspaceLogEvent};
use std::collections::BTreeSet;

/// Returns why an event cannot follow a state.
///
/// # Errors
/// The reason, in words.
pub fn allowed(state: &WorkspaceState, logged: &WorkspaceLogEvent) -> Result<(), String> {
    let is_first = matches!(logged.event, WorkspaceEvent::WorkspaceCreated { .. });
    match (is_first, state.exists()) {
        (true, true) => return Err("the workspace was created before".to_owned()),
        (false, false) => return Err("the workspace was not created yet".to_owned()),
        _ => {}
    }
    match &logged.event {
        WorkspaceEvent::WorkspaceCreated { workspace, .. } => {
            crate::check_workspace_name(workspace).map_err(|_| "its name is none".to_owned())
        }
        WorkspaceEvent::SettingsChanged { .. } => by_owner(state, &logged.actor),
        WorkspaceEvent::PersonAdded { person_id, roles, .. } => added(state, &logged.actor, person_id, roles),
        WorkspaceEvent::PersonRemoved { person_id, .. } => {
            by_owner(state, &logged.actor)?;
            state.person(person_id).ok_or_else(|| "there is no such person".to_owned())?;
            keeps_owner(state, person_id)
        }
        WorkspaceEvent::FileWritten { path, version, origin, .. } => {
            let path = next_version(state, path, *version)?;
            if let Some(other) = state.in_the_way(path.text(), path.folded()).first() {
                return Err(format!("`{other}` is in its way"));
            }
            match (origin, path.area()) {
                (FileOrigin::Person { .. }, Area::People) => by_person(state, &logged.actor),
                (FileOrigin::Run { run_id, .. }, Area::Agents) => under_way(state, run_id),
                _ => Err("its origin is that of the other area".to_owned()),
            }
        }
        WorkspaceEvent::FileRemoved { path, version, .. } => {
            let path = next_version(state, path, *version)?;
            let is_live = state.file(path.text()).is_some_and(crate::FileRecord::is_live);
            let displaced = path.area() == Area::Agents && state.runs().any(|run| run.ended.is_none());
            match (is_live, displaced) {
                (false, _) => Err("there is no such file".to_owned()),
                (true, true) => Ok(()),
                (true, false) => by_person(state, &logged.actor),
            }
        }
        WorkspaceEvent::RunBegan { run_id, .. } => match state.run(run_id) {
            Some(_) => Err("the run began before".to_owned()),
            None => by_person(state, &logged.actor),
        },
        WorkspaceEvent::RunEnded { run_id, files, .. } => {
            under_way(state, run_id)?;
            match written_by(state, run_id) == *files {
                true => Ok(()),
                false => Err("the run wrote another number of files".to_owned()),
            }
        }
    }
}

fn added(state: &WorkspaceState, actor: &str, person_id: &str, roles: &BTreeSet<String>) -> Result<(), String> {
    // The creator adds themselves, right after the creation.
    if state.people().next().is_none() {
        let creator = actor == state.created_by && person_id == actor && roles.contains(OWNER);
        return creator.then_some(()).ok_or_else(|| "the first person is not its creator".to_owned());
    }
    by_owner(state, actor)?;
    if roles.contains(OWNER) { Ok(()) } else { keeps_owner(state, person_id) }
}

fn by_owner(state: &WorkspaceState, actor: &str) -> Result<(), String> {
    let owns = state.person(actor).is_some_and(|person| person.roles.contains(OWNER));
    owns.then_some(()).ok_or_else(|| format!("`{actor}` was no owner"))
}

fn by_person(state: &WorkspaceState, actor: &str) -> Result<(), String> {
    state.person(actor).map(drop).ok_or_else(|| format!("`{actor}` was no person of the workspace"))
}

/// Checks that there is an owner besides a person.
fn keeps_owner(state: &WorkspaceState, besides: &str) -> Result<(), String> {
    let mut others = state.people().filter(|person| person.person_id != besides);
    match others.any(|person| person.roles.contains(OWNER)) {
        true => Ok(()),
        false => Err("no owner would be left".to_owned()),
    }
}

fn next_version(state: &WorkspaceState, path: &str, version: u64) -> Result<FilePath, String> {
    let read = FilePath::read(path).ok().filter(|read| read.text() == path);
    let read = read.ok_or_else(|| format!("`{}` names no file", path.escape_debug()))?;
    let before = state.file(path).and_then(|file| file.latest()).map_or(0, |latest| latest.version);
    match before.checked_add(1) == Some(version) {
        true => Ok(read),
        false => Err(format!("version {version} does not follow version {before}")),
    }
}

fn under_way(state: &WorkspaceState, run_id: &str) -> Result<(), String> {
    match state.run(run_id) {
        Some(run) if run.ended.is_none() => Ok(()),
        Some(_) => Err(format!("the run `{run_id}` had ended")),
        None => Err(format!("the run `{run_id}` had not begun")),
    }
}

fn written_by(state: &WorkspaceState, run_id: &str) -> u64 {
    let origins = state.files().flat_map(|file| &file.versions).filter_map(|version| version.origin.as_ref());
    let own = |origin: &&FileOrigin| matches!(origin, FileOrigin::Run { run_id: by, .. } if by == run_id);
    origins.filter(own).count() as u64
}
