//! Creates workspaces.

use super::choice::use_workspace;
use super::settings::{SettingsRequest, changed};
use super::{findings, refused};
use crate::error::AppError;
use crate::registry::{self, without_secret};
use crate::session::Session;
use deed_diag::codes;
use deed_model::WorkspaceSettings;
use deed_store::{Outcome, WorkspaceStore};
use deed_workspace::{Creation, check_person_id, check_workspace_name};

/// A workspace to create.
#[derive(Debug, Clone, Default)]
pub struct WorkspaceRequest {
    /// The name.
    pub name: String,
    /// The kind of work that it is for.
    pub purpose: Option<String>,
    /// Its settings.
    pub settings: SettingsRequest,
    /// Use it from now on.
    pub in_use: bool,
}

/// A workspace that was created.
#[derive(Debug)]
pub struct CreatedWorkspace {
    /// The name.
    pub name: String,
    /// Its first person and owner.
    pub owner: String,
    /// True if it is in use from now on.
    pub in_use: bool,
    /// The recorded event.
    pub outcome: Outcome,
}

/// Creates a workspace; the session's actor is its first person and owner. It is used from now on if the request says so.
///
/// # Errors
/// It exists, its name cannot be used, or a setting cannot be used. Nothing was created then.
pub fn create(session: &Session, request: &WorkspaceRequest) -> Result<CreatedWorkspace, AppError> {
    let home = session.home()?;
    let stamp = session.stamp()?;
    check_workspace_name(&request.name).and_then(|()| check_person_id(&stamp.actor)).map_err(findings)?;
    if let Some(purpose) = &request.purpose {
        without_secret("--purpose", purpose)?;
    }
    let settings = changed(session, &WorkspaceSettings::default(), &request.settings)?;
    let store = WorkspaceStore::open_or_create(&home.workspace(&request.name)).map_err(registry::error)?;
    let creation = Creation {
        workspace: &request.name,
        tenant_id: &home.config.tenant,
        purpose: request.purpose.as_deref(),
        settings: &settings,
        actor: &stamp.actor,
    };
    let outcome = store.append(&stamp, |state| deed_workspace::create(state, creation)).map_err(registry::error)?;
    if request.in_use {
        use_workspace(session, &request.name)?;
    }
    Ok(CreatedWorkspace { name: request.name.clone(), owner: stamp.actor, in_use: request.in_use, outcome })
}

/// The refusal of an empty list of changes.
pub(super) fn nothing_to_change() -> AppError {
    let message = "no setting is named".to_owned();
    let help =
        "name one: `--profile`, `--pack`, `--settings`, `--secret`, `--quota-bytes`, `--quota-versions`, `--unset`";
    let mut error = refused(codes::USAGE, message, help);
    error.kind = crate::ErrorKind::Usage;
    error
}
