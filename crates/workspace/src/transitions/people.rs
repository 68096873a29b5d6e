//! Changes of the directory of people.

use super::by_owner;
use crate::OWNER;
use crate::fold::WorkspaceState;
use crate::names::{check_person_id, check_role, refused};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::WorkspaceEvent;
use std::collections::BTreeSet;

/// Adds a person, or gives a person other roles.
///
/// # Errors
/// The actor is no owner, a name cannot be used, or no owner would be left.
pub fn add_person(
    state: &WorkspaceState,
    person_id: &str,
    name: Option<&str>,
    roles: &BTreeSet<String>,
    actor: &str,
) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>> {
    by_owner(state, actor)?;
    check_person_id(person_id)?;
    roles.iter().try_for_each(|role| check_role(role))?;
    let known = state.person(person_id);
    let name = name.map(str::to_owned).or_else(|| known.and_then(|person| person.name.clone()));
    if known.is_some_and(|person| person.name == name && person.roles == *roles) {
        return Ok(Vec::new());
    }
    if !roles.contains(OWNER) {
        keeps_owner(state, person_id)?;
    }
    Ok(vec![WorkspaceEvent::PersonAdded { person_id: person_id.to_owned(), name, roles: roles.clone() }])
}

/// Removes a person. Their approvals that were not used yet no longer count.
///
/// # Errors
/// The actor is no owner, there is no such person, or no owner would be left.
pub fn remove_person(
    state: &WorkspaceState,
    person_id: &str,
    reason: Option<&str>,
    actor: &str,
) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>> {
    by_owner(state, actor)?;
    if state.person(person_id).is_none() {
        return Err(unknown_person(state, person_id));
    }
    keeps_owner(state, person_id)?;
    Ok(vec![WorkspaceEvent::PersonRemoved { person_id: person_id.to_owned(), reason: reason.map(str::to_owned) }])
}

/// The refusal of a person whom a workspace does not have.
pub(crate) fn unknown_person(state: &WorkspaceState, person_id: &str) -> Vec<Diagnostic> {
    let like = did_you_mean(person_id, state.people().map(|person| person.person_id.as_str()));
    let message = format!("the workspace `{}` has no person {}", state.workspace, quote(person_id));
    refused(codes::PERSON_NOT_FOUND, message, like.unwrap_or_else(|| "`deed people list` shows all".to_owned()))
}

fn keeps_owner(state: &WorkspaceState, besides: &str) -> Result<(), Vec<Diagnostic>> {
    let mut others = state.people().filter(|person| person.person_id != besides);
    if others.any(|person| person.roles.contains(OWNER)) {
        return Ok(());
    }
    let message = format!("{} is the last owner of the workspace `{}`", quote(besides), state.workspace);
    let help = "give another person the role first: `deed people add NAME --role owner`";
    Err(refused(codes::LAST_OWNER, message, help))
}
