//! Checks of single events, for the verification of a log: an event is allowed by the state before it.
//!
//! The transitions decide what to append; this decides, apart from them, whether what was appended could have been.

use crate::OWNER;
use crate::area::Area;
use crate::fold::WorkspaceState;
use crate::order::successor;
use crate::path::FilePath;
use deed_model::{FileOrigin, FileSuccessor, WorkspaceEvent, WorkspaceLogEvent};
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
        WorkspaceEvent::FileWritten { path, version, origin, superseded_by, .. } => {
            let path = next_version(state, path, *version)?;
            in_order(state, logged.format, &path, origin, superseded_by.as_ref())?;
            if let (None, Some(other)) = (superseded_by, state.in_the_way(path.text(), path.folded()).first()) {
                return Err(format!("`{other}` is in its way"));
            }
            match (origin, path.area()) {
                (FileOrigin::Person { .. }, Area::People) => by_person(state, &logged.actor),
                (FileOrigin::Run { run_id, .. }, Area::Agents) => under_way(state, run_id),
                _ => Err("its origin is that of the other area".to_owned()),
            }
        }
        WorkspaceEvent::FileRemoved { path, version, replaced_by, .. } => {
            let path = next_version(state, path, *version)?;
            if !state.file(path.text()).is_some_and(crate::FileRecord::is_live) {
                return Err("there is no such file".to_owned());
            }
            match replaced_by {
                Some(by) => replaced(state, &path, by),
                None if logged.format < NAMED_REPLACEMENTS && displaced_unnamed(state, &path) => Ok(()),
                None => by_person(state, &logged.actor),
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

/// The first format in which outputs keep the order of their runs, and a removal names the output that takes its place.
const NAMED_REPLACEMENTS: u32 = 2;

/// Checks that a version is behind the output of a later run if and only if there is one.
fn in_order(
    state: &WorkspaceState,
    format: u32,
    path: &FilePath,
    origin: &FileOrigin,
    superseded_by: Option<&FileSuccessor>,
) -> Result<(), String> {
    let expected = match origin {
        FileOrigin::Run { run_id, .. } if format >= NAMED_REPLACEMENTS => successor(state, run_id, path),
        FileOrigin::Run { .. } | FileOrigin::Person { .. } => None,
    };
    match expected.as_ref() == superseded_by {
        true => Ok(()),
        false => Err("it does not keep the order in which runs were submitted".to_owned()),
    }
}

/// Checks a removal by an output that takes the place of a file.
fn replaced(state: &WorkspaceState, path: &FilePath, by: &FileSuccessor) -> Result<(), String> {
    under_way(state, &by.run_id)?;
    let output = next_version(state, &by.path, by.version)?;
    let is_in_the_way = state.in_the_way(output.text(), output.folded()).contains(path.text());
    match is_in_the_way && output.area() == Area::Agents {
        true => Ok(()),
        false => Err(format!("it is not in the way of `{}`", by.path)),
    }
}

/// Returns whether a run could have displaced a file in the first format, which does not say it.
fn displaced_unnamed(state: &WorkspaceState, path: &FilePath) -> bool {
    path.area() == Area::Agents && state.runs().any(|run| run.ended.is_none())
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
    let before = state.file(path).and_then(|file| file.last()).map_or(0, |last| last.version);
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
