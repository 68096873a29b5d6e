//! Creation of a workspace.

use crate::OWNER;
use crate::fold::WorkspaceState;
use crate::names::{check_person_id, check_workspace_name, refused};
use deed_diag::{Diagnostic, codes};
use deed_model::{WorkspaceEvent, WorkspaceSettings};
use std::collections::BTreeSet;

/// A workspace to create.
#[derive(Debug, Clone, Copy)]
pub struct Creation<'c> {
    /// The name.
    pub workspace: &'c str,
    /// The tenant of the home.
    pub tenant_id: &'c str,
    /// The kind of work that it is for.
    pub purpose: Option<&'c str>,
    /// Its settings.
    pub settings: &'c WorkspaceSettings,
    /// The person who creates it.
    pub actor: &'c str,
}

/// Creates a workspace. Its creator is its only person, and owns it.
///
/// # Errors
/// It exists, or a name cannot be used.
pub fn create(state: &WorkspaceState, creation: Creation<'_>) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>> {
    check_workspace_name(creation.workspace)?;
    check_person_id(creation.actor)?;
    if state.exists() {
        let message = format!("there is a workspace `{}` already", creation.workspace);
        let help = "choose another name, or use it: `deed workspace use NAME`";
        return Err(refused(codes::WORKSPACE_EXISTS, message, help));
    }
    let mut events = vec![
        WorkspaceEvent::WorkspaceCreated {
            workspace: creation.workspace.to_owned(),
            tenant_id: creation.tenant_id.to_owned(),
            purpose: creation.purpose.map(str::to_owned),
        },
        WorkspaceEvent::PersonAdded {
            person_id: creation.actor.to_owned(),
            name: None,
            roles: BTreeSet::from([OWNER.to_owned()]),
        },
    ];
    if *creation.settings != WorkspaceSettings::default() {
        events.push(WorkspaceEvent::SettingsChanged { settings: Box::new(creation.settings.clone()) });
    }
    Ok(events)
}
