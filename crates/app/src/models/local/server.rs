//! The servers that Deed started: a note about each in the store, and whether its process still runs.

use super::process::ProcessIdentity;
use super::store::{LocalStore, remove};
use crate::error::AppError;
use deed_diag::{Diagnostic, Place, codes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The version of the note's form.
const FORMAT: u32 = 1;

/// The note about a server.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServerNote {
    format: u32,
    /// The model that it serves.
    pub(super) model: String,
    /// The SHA-256 of its weights.
    pub(super) sha256: String,
    /// Its port; none while it is not known.
    pub(super) port: Option<u16>,
    /// Its process.
    pub(super) process: ProcessIdentity,
}

/// The status of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LocalServerStatus {
    /// Its process runs, and its address is known.
    Running,
    /// Its process runs, and loads the model.
    Starting,
    /// Its process ended without being stopped.
    Ended,
}

impl LocalServerStatus {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Starting => "starting",
            Self::Ended => "ended",
        }
    }
}

/// A server that Deed started.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LocalServer {
    /// The model that it serves.
    pub model: String,
    /// Its status.
    pub status: LocalServerStatus,
    /// Its base URL, for any client of OpenAI's chat protocol; none while it is not known.
    pub url: Option<String>,
    /// Its process.
    pub pid: i32,
    /// Its log.
    pub log: PathBuf,
    /// The SHA-256 of its weights, in hex.
    pub sha256: String,
}

impl ServerNote {
    /// The note about a process that was just started.
    pub(super) fn new(model: &str, sha256: &str, process: ProcessIdentity) -> Self {
        Self { format: FORMAT, model: model.to_owned(), sha256: sha256.to_owned(), port: None, process }
    }

    /// The server as it is now.
    pub(super) fn server(&self, store: &LocalStore) -> LocalServer {
        let status = match (self.process.runs(), self.port) {
            (false, _) => LocalServerStatus::Ended,
            (true, None) => LocalServerStatus::Starting,
            (true, Some(_)) => LocalServerStatus::Running,
        };
        LocalServer {
            model: self.model.clone(),
            status,
            url: self.port.map(|port| format!("http://127.0.0.1:{port}/v1")),
            pid: self.process.pid,
            log: log(store, &self.model),
            sha256: self.sha256.clone(),
        }
    }

    /// Keeps the note.
    pub(super) fn keep(&self, store: &LocalStore) -> Result<(), AppError> {
        let value = serde_json::to_value(self).map_err(AppError::internal)?;
        store.folder(&store.servers())?;
        store.write(&path(store, &self.model), &value)
    }

    /// Removes the note.
    pub(super) fn forget(&self, store: &LocalStore) -> Result<(), AppError> {
        remove(&path(store, &self.model))
    }
}

fn path(store: &LocalStore, model: &str) -> PathBuf {
    store.servers().join(format!("{model}.json"))
}

/// The log of a model's server.
pub(super) fn log(store: &LocalStore, model: &str) -> PathBuf {
    store.servers().join(format!("{model}.log"))
}

/// The note about the server of a model, if there is one.
pub(super) fn noted(store: &LocalStore, model: &str) -> Result<Option<ServerNote>, AppError> {
    let path = path(store, model);
    match std::fs::read(&path) {
        Ok(bytes) => read(&path, &bytes).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(AppError::reading(&path, &error)),
    }
}

fn read(path: &Path, bytes: &[u8]) -> Result<ServerNote, AppError> {
    let unreadable = |why: String| {
        let message = format!("the note about a local server cannot be read: {why}");
        let help = "see whether the server still runs, end it, and remove the file";
        let place = Place::file(path.display().to_string());
        let diagnostic = Diagnostic::error(codes::LOCAL_SERVER_NOTE_UNREADABLE, message);
        AppError::environment(diagnostic.stage("model").at(place).help(help))
    };
    let note: ServerNote = serde_json::from_slice(bytes).map_err(|error| unreadable(error.to_string()))?;
    // A note that names another model would lead to another file.
    let own = path.file_stem().is_some_and(|stem| stem == note.model.as_str());
    match (note.format, own) {
        (FORMAT, true) => Ok(note),
        (FORMAT, false) => Err(unreadable("it is about another model".to_owned())),
        (other, _) => Err(unreadable(format!("its format is {other}, and {FORMAT} is read"))),
    }
}

/// The notes about all servers, in the order of their models.
pub(super) fn all(store: &LocalStore) -> Result<Vec<ServerNote>, AppError> {
    let folder = store.servers();
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(AppError::reading(&folder, &error)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| AppError::reading(&folder, &error))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    let read = |path: &PathBuf| {
        let bytes = std::fs::read(path).map_err(|error| AppError::reading(path, &error))?;
        read(path, &bytes)
    };
    paths.iter().map(read).collect()
}
