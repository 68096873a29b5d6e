//! Changes of the settings.

use super::by_owner;
use crate::fold::WorkspaceState;
use deed_diag::Diagnostic;
use deed_model::{WorkspaceEvent, WorkspaceSettings};

/// Replaces the settings.
///
/// # Errors
/// The actor is no owner.
pub fn change_settings(
    state: &WorkspaceState,
    settings: &WorkspaceSettings,
    actor: &str,
) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>> {
    by_owner(state, actor)?;
    match state.settings == *settings {
        true => Ok(Vec::new()),
        false => Ok(vec![WorkspaceEvent::SettingsChanged { settings: Box::new(settings.clone()) }]),
    }
}
