//! Ends servers that Deed started, and no other process.

use super::server::{LocalServer, LocalServerStatus, ServerNote, all, noted};
use super::status::no_server;
use super::store::LocalStore;
use crate::error::AppError;
use deed_diag::{Diagnostic, codes, quote};
use schemars::JsonSchema;
use serde::Serialize;

/// The servers that were stopped.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LocalStopped {
    /// The servers, with the status that they had.
    pub stopped: Vec<LocalServer>,
}

/// Ends the server of a model, or all.
///
/// # Errors
/// None runs, another process fetches or starts one, or a process cannot be ended.
pub fn stop(model: Option<&str>) -> Result<LocalStopped, AppError> {
    let store = LocalStore::of_user()?;
    let notes = match model {
        Some(model) => vec![named(&store, model)?],
        None => all(&store)?,
    };
    if notes.is_empty() {
        return Err(no_server(&store, None)?);
    }
    let mut stopped = Vec::new();
    for note in notes {
        let server = note.server(&store);
        note.process.end().map_err(|error| {
            let message = format!("the server of {} cannot be ended: {error}", quote(&note.model));
            let help = format!("end the process {} by hand", note.process.pid);
            AppError::environment(Diagnostic::error(codes::LOCAL_SERVER_NOT_ENDED, message).stage("model").help(help))
        })?;
        note.forget(&store)?;
        stopped.push(server);
    }
    Ok(LocalStopped { stopped })
}

fn named(store: &LocalStore, model: &str) -> Result<ServerNote, AppError> {
    let plain = super::catalog::is_plain(model);
    let found = if plain { noted(store, model)? } else { None };
    match found {
        Some(note) => Ok(note),
        None => Err(no_server(store, Some(model))?),
    }
}

impl LocalServer {
    /// Returns true if it had ended before it was stopped.
    pub fn had_ended(&self) -> bool {
        self.status == LocalServerStatus::Ended
    }
}
