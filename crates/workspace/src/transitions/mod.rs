//! The transitions, one file each: what must hold, and the events that follow. No events mean that the same was recorded
//! before.

mod begin;
mod create;
mod end;
mod people;
mod put;
mod remove;
mod settings;
mod standing;

pub use begin::begin_run;
pub use create::{Creation, create};
pub use end::{RunFile, RunFiles, end_run};
pub use people::{add_person, remove_person};
pub use put::{NewFile, put};
pub use remove::{Removal, remove};
pub use settings::change_settings;
pub use standing::{Standing, standing};

use crate::OWNER;
use crate::fold::{FileRecord, WorkspaceState};
use crate::names::refused;
use crate::path::FilePath;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes, quote};
use deed_model::{StoredContent, WorkspaceQuota};
use std::collections::BTreeSet;

/// Refuses an actor who is no person of the workspace.
///
/// # Errors
/// The actor is no person of it.
pub fn by_person(state: &WorkspaceState, actor: &str) -> Result<(), Vec<Diagnostic>> {
    if state.person(actor).is_some() {
        return Ok(());
    }
    let message = format!("{} is no person of the workspace `{}`", quote(actor), state.workspace);
    let help = format!("an owner adds them: `deed people add {actor} --role ROLE`; `deed people list` shows all");
    Err(refused(codes::NOT_A_PERSON_OF_WORKSPACE, message, help))
}

/// Refuses an actor who is no owner of the workspace.
fn by_owner(state: &WorkspaceState, actor: &str) -> Result<(), Vec<Diagnostic>> {
    by_person(state, actor)?;
    if state.person(actor).is_some_and(|person| person.roles.contains(OWNER)) {
        return Ok(());
    }
    let owners: Vec<String> =
        state.people().filter(|person| person.roles.contains(OWNER)).map(|person| quote(&person.person_id)).collect();
    let message = format!("{} is no owner of the workspace `{}`", quote(actor), state.workspace);
    let help = format!("ask an owner: {}", owners.join(", "));
    Err(refused(codes::WORKSPACE_OWNER_REQUIRED, message, help))
}

/// Refuses a path that a live file of another spelling, or a file in place of a folder, is in the way of.
fn placed(state: &WorkspaceState, path: &FilePath) -> Result<(), Vec<Diagnostic>> {
    let found = state.in_the_way(path.text(), path.folded());
    let Some(other) = found.first() else { return Ok(()) };
    let message = format!("`{}` cannot be beside `{other}`: some systems take one for the other", path.text());
    let help =
        format!("write another version of `{other}`, choose another name, or remove it: `deed files remove {other}`");
    Err(refused(codes::WORKSPACE_PATH_TAKEN, message, help))
}

/// The number of the version that is written next.
fn next_version(state: &WorkspaceState, path: &str) -> u64 {
    state.file(path).and_then(FileRecord::last).map_or(1, |last| last.version.saturating_add(1))
}

/// Refuses contents that do not fit the quota.
fn fits<'c>(state: &WorkspaceState, added: impl Iterator<Item = &'c StoredContent>) -> Result<(), Vec<Diagnostic>> {
    let WorkspaceQuota { bytes, versions } = state.settings.quota;
    let (mut more, mut count, mut seen) = (state.bytes(), state.versions(), BTreeSet::<ContentHash>::new());
    for content in added {
        count = count.saturating_add(1);
        if !state.keeps(&content.sha256) && seen.insert(content.sha256) {
            more = more.saturating_add(content.size_bytes);
        }
    }
    let message = match (more > bytes, count > versions) {
        (true, _) => format!("the workspace would keep {more} bytes, and its quota is {bytes}"),
        (false, true) => format!("the workspace would keep {count} versions, and its quota is {versions}"),
        (false, false) => return Ok(()),
    };
    let help = "an owner raises it: `deed workspace set --quota-bytes N` or `--quota-versions N`; nothing was written";
    Err(refused(codes::WORKSPACE_QUOTA_EXCEEDED, message, help))
}
