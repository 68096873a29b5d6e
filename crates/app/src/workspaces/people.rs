//! People of a workspace.

use super::choice::WorkspaceChoice;
use super::open::chosen;
use super::refused;
use crate::error::AppError;
use crate::registry::{self, without_secret};
use crate::session::Session;
use deed_diag::{codes, did_you_mean, quote};
use deed_model::WorkspacePerson;
use deed_store::Outcome;
use std::collections::BTreeSet;

/// Lists the people of a workspace, by identity, with its name.
///
/// # Errors
/// There is no such workspace, or its log cannot be read.
pub fn people(session: &Session, choice: &WorkspaceChoice) -> Result<(String, Vec<WorkspacePerson>), AppError> {
    let opened = chosen(session, choice)?;
    let people = opened.state()?.people().cloned().collect();
    Ok((opened.name, people))
}

/// Returns a person of a workspace.
///
/// # Errors
/// There is no such workspace or person.
pub fn person(session: &Session, choice: &WorkspaceChoice, person_id: &str) -> Result<WorkspacePerson, AppError> {
    let (workspace, people) = people(session, choice)?;
    let like = did_you_mean(person_id, people.iter().map(|person| person.person_id.as_str()));
    people.into_iter().find(|person| person.person_id == person_id).ok_or_else(|| {
        let message = format!("the workspace `{workspace}` has no person {}", quote(person_id));
        refused(codes::PERSON_NOT_FOUND, message, like.unwrap_or_else(|| "`deed people list` shows all".to_owned()))
    })
}

/// A person who was added, or whose roles were changed.
#[derive(Debug)]
pub struct AddedPerson {
    /// The person.
    pub person: WorkspacePerson,
    /// The same person before, if they were in the workspace.
    pub before: Option<WorkspacePerson>,
    /// The recorded event.
    pub outcome: Outcome,
}

/// Adds a person to a workspace, or gives a person other roles.
///
/// # Errors
/// The actor is no owner, a name cannot be used, or no owner would be left.
pub fn add_person(
    session: &Session,
    choice: &WorkspaceChoice,
    person_id: &str,
    name: Option<&str>,
    roles: &BTreeSet<String>,
) -> Result<AddedPerson, AppError> {
    without_secret("PERSON", person_id)?;
    name.map_or(Ok(""), |name| without_secret("--name", name))?;
    for role in roles {
        without_secret("--role", role)?;
    }
    let opened = chosen(session, choice)?;
    let stamp = session.stamp()?;
    let mut before = None;
    let add = |state: &deed_workspace::WorkspaceState| {
        before = state.person(person_id).cloned();
        deed_workspace::add_person(state, person_id, name, roles, &stamp.actor)
    };
    let outcome = opened.store.append(&stamp, add).map_err(registry::error)?;
    let added = opened.state()?.person(person_id).cloned();
    let person = added.ok_or_else(|| AppError::internal("a person who was added is in the directory"))?;
    Ok(AddedPerson { person, before, outcome })
}

/// Removes a person from a workspace. Their approvals that were not used yet no longer count.
///
/// # Errors
/// The actor is no owner, there is no such person, or no owner would be left.
pub fn remove_person(
    session: &Session,
    choice: &WorkspaceChoice,
    person_id: &str,
    reason: Option<&str>,
) -> Result<(String, Outcome), AppError> {
    reason.map_or(Ok(""), |reason| without_secret("--reason", reason))?;
    let opened = chosen(session, choice)?;
    let stamp = session.stamp()?;
    let remove =
        |state: &deed_workspace::WorkspaceState| deed_workspace::remove_person(state, person_id, reason, &stamp.actor);
    let outcome = opened.store.append(&stamp, remove).map_err(registry::error)?;
    Ok((opened.name, outcome))
}
