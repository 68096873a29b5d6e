//! The workspace of a command: named, the one that is in use in the home, or none.

use super::open::named;
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::home::Home;
use crate::session::Session;
use deed_diag::{Diagnostic, Place, codes};
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORMAT: u32 = 1;

/// The workspace of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WorkspaceChoice {
    /// The one that is in use in the home, if one is.
    #[default]
    InUse,
    /// The one of this name.
    Named(String),
    /// None, even if one is in use.
    Outside,
}

/// The file that names the workspace in use.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InUse {
    format: u32,
    workspace: String,
}

/// Returns the name of the workspace that is in use in the home, if one is.
///
/// # Errors
/// There is no home, or the file that names it cannot be read.
pub fn in_use(session: &Session) -> Result<Option<String>, AppError> {
    read(&session.home()?)
}

/// Uses a workspace: commands of this home that name none work on it.
///
/// # Errors
/// There is no such workspace, or the home cannot be written.
pub fn use_workspace(session: &Session, name: &str) -> Result<(), AppError> {
    let opened = named(session, name)?;
    let text = serde_json::to_string_pretty(&InUse { format: FORMAT, workspace: opened.name.clone() });
    let text = text.map_err(AppError::internal)? + "\n";
    files::write(&opened.home.workspace_in_use(), text.as_bytes(), Existing::Replace, Access::Shared)
}

/// Uses no workspace any more, and returns the one that was in use.
///
/// # Errors
/// The home cannot be written.
pub fn stop_using(session: &Session) -> Result<Option<String>, AppError> {
    let home = session.home()?;
    let before = read(&home)?;
    let path = home.workspace_in_use();
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(AppError::writing(&path, &error)),
        _ => Ok(before),
    }
}

/// Returns the name of the workspace that is chosen, if one is.
pub(crate) fn resolved(session: &Session, choice: &WorkspaceChoice) -> Result<Option<String>, AppError> {
    match choice {
        WorkspaceChoice::Named(name) => Ok(Some(name.clone())),
        WorkspaceChoice::Outside => Ok(None),
        WorkspaceChoice::InUse => match session.maybe_home()? {
            Some(home) => read(&home),
            None => Ok(None),
        },
    }
}

fn read(home: &Home) -> Result<Option<String>, AppError> {
    let path = home.workspace_in_use();
    if !path.exists() {
        return Ok(None);
    }
    let document = files::document(&path)?;
    let unfit = |why: String| unreadable(&path, &why);
    let found: InUse = serde_json::from_value(document.value().clone()).map_err(|error| unfit(error.to_string()))?;
    match found.format == FORMAT {
        true => Ok(Some(found.workspace)),
        false => Err(unfit(format!("its format is {}, and {FORMAT} is read", found.format))),
    }
}

fn unreadable(path: &Path, why: &str) -> AppError {
    AppError::environment(
        Diagnostic::error(codes::BAD_CONFIG, format!("the file that names the workspace in use cannot be read: {why}"))
            .stage("workspace")
            .at(Place::file(path.display().to_string()))
            .help("choose one again: `deed workspace use NAME`"),
    )
}
