//! Opens the log of a workspace.

use super::choice::{WorkspaceChoice, resolved};
use super::{findings, refused};
use crate::error::AppError;
use crate::home::Home;
use crate::registry;
use crate::session::Session;
use deed_diag::{codes, did_you_mean};
use deed_store::WorkspaceStore;
use deed_workspace::{WorkspaceState, check_workspace_name};
use std::rc::Rc;

/// An open workspace.
#[derive(Debug)]
pub(super) struct OpenWorkspace {
    pub(super) home: Home,
    pub(super) name: String,
    pub(super) store: WorkspaceStore,
}

impl OpenWorkspace {
    pub(super) fn state(&self) -> Result<Rc<WorkspaceState>, AppError> {
        self.store.state().map_err(registry::error)
    }
}

/// Opens the workspace that is chosen, or refuses.
pub(super) fn chosen(session: &Session, choice: &WorkspaceChoice) -> Result<OpenWorkspace, AppError> {
    match resolved(session, choice)? {
        Some(name) => named(session, &name),
        None => {
            let message = "no workspace is named, and none is in use".to_owned();
            let help = "name it with `--workspace NAME`, or choose one: `deed workspace use NAME`";
            Err(refused(codes::NO_WORKSPACE_IN_USE, message, help))
        }
    }
}

/// Returns the name of the workspace that is chosen, if one is. Refuses one that does not exist.
pub(crate) fn existing(session: &Session, choice: &WorkspaceChoice) -> Result<Option<String>, AppError> {
    let name = resolved(session, choice)?;
    name.map(|name| named(session, &name).map(|open| open.name)).transpose()
}

/// Opens a workspace by its name.
pub(super) fn named(session: &Session, name: &str) -> Result<OpenWorkspace, AppError> {
    let home = session.home()?;
    check_workspace_name(name).map_err(findings)?;
    let store = WorkspaceStore::open_if_there(&home.workspace(name)).map_err(registry::error)?;
    if let Some(store) = store
        && store.state().map_err(registry::error)?.exists()
    {
        return Ok(OpenWorkspace { name: name.to_owned(), home, store });
    }
    let known = names(&home)?;
    let like = did_you_mean(name, known.iter().map(String::as_str));
    let help = like.unwrap_or_else(|| match known.is_empty() {
        true => format!("`deed workspace new {name}` makes it"),
        false => "`deed workspace list` shows all".to_owned(),
    });
    Err(refused(codes::WORKSPACE_NOT_FOUND, format!("there is no workspace `{name}`"), help))
}

/// Opens the workspace that is chosen for verification: a damaged log is opened too.
pub(super) fn unchecked(session: &Session, choice: &WorkspaceChoice) -> Result<OpenWorkspace, AppError> {
    if let Some(name) = resolved(session, choice)?
        && check_workspace_name(&name).is_ok()
    {
        let home = session.home()?;
        if let Some(store) = WorkspaceStore::open_if_there(&home.workspace(&name)).map_err(registry::error)? {
            return Ok(OpenWorkspace { home, name, store });
        }
    }
    chosen(session, choice)
}

/// The names of the folders of workspaces, in order.
pub(super) fn names(home: &Home) -> Result<Vec<String>, AppError> {
    let folder = home.workspaces();
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(AppError::reading(&folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| AppError::reading(&folder, &error))?;
        let name = entry.file_name().to_str().map(str::to_owned);
        names.extend(name.filter(|name| check_workspace_name(name).is_ok() && entry.path().is_dir()));
    }
    names.sort();
    Ok(names)
}
