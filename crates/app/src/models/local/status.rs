//! The local models: which are fetched, which are served, and where a model of the provider `local` is reached.

use super::catalog::{LocalCatalog, LocalModel, is_plain};
use super::server::{LocalServer, LocalServerStatus, all, noted};
use super::store::LocalStore;
use super::weights;
use crate::error::AppError;
use deed_diag::{Diagnostic, Place, codes, quote};
use deed_llm::Provider;
use deed_model::ModelId;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The name of the provider whose address is that of a server which Deed started.
const PROVIDER: &str = "local";

/// The local models, and the servers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LocalModels {
    /// The folder of weights, engines and servers.
    pub store: PathBuf,
    /// The models of the catalogue.
    pub models: Vec<ListedLocalModel>,
    /// The servers that Deed started and did not stop.
    pub servers: Vec<LocalServer>,
}

/// A model of the catalogue.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedLocalModel {
    /// Its name.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// The licence of the weights.
    pub license: String,
    /// The size of its file.
    pub bytes: u64,
    /// The size of the packages that hold it.
    pub download_bytes: u64,
    /// Its status.
    pub status: LocalModelStatus,
    /// The packages that were downloaded, of an unfinished fetch.
    pub parts_done: usize,
    /// All its packages.
    pub parts: usize,
}

/// The status of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LocalModelStatus {
    /// Nothing of it is there.
    NotFetched,
    /// Some of its packages are there.
    Partial,
    /// Its file is there, and was not changed since its hash was checked.
    Fetched,
}

impl LocalModelStatus {
    /// Returns the words for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFetched => "not fetched",
            Self::Partial => "partly fetched",
            Self::Fetched => "fetched",
        }
    }
}

/// Lists the models of a catalogue and the servers.
///
/// # Errors
/// The catalogue or the note about a server cannot be read.
pub fn list_local(catalog: Option<&Path>) -> Result<LocalModels, AppError> {
    let catalog = LocalCatalog::load(catalog)?;
    let store = LocalStore::of_user()?;
    let models = catalog.models.iter().map(|model| listed(&store, model)).collect();
    let servers = all(&store)?.iter().map(|note| note.server(&store)).collect();
    Ok(LocalModels { store: store.root().to_owned(), models, servers })
}

fn listed(store: &LocalStore, model: &LocalModel) -> ListedLocalModel {
    let (parts_done, _) = weights::downloaded(store, model);
    let status = match (weights::checked(store, model), parts_done) {
        (Some(_), _) => LocalModelStatus::Fetched,
        (None, 0) => LocalModelStatus::NotFetched,
        (None, _) => LocalModelStatus::Partial,
    };
    ListedLocalModel {
        name: model.name.clone(),
        title: model.title.clone(),
        license: model.license.clone(),
        bytes: model.bytes,
        download_bytes: model.download_bytes,
        status,
        parts_done,
        parts: model.parts.len(),
    }
}

/// Returns the provider of a model; for `local:NAME` with the address of the server that runs. No server is started, and
/// no other one is taken in its place.
///
/// # Errors
/// The provider is unknown, or no server of the model runs.
pub fn provider_of(model: &ModelId) -> Result<Provider, AppError> {
    let own = deed_llm::provider(model.provider()).map_err(|error| AppError::refused(deed_llm::diagnostic(&error)))?;
    if model.provider() != PROVIDER {
        return Ok(own);
    }
    let store = LocalStore::of_user()?;
    let note = if is_plain(model.model()) { noted(&store, model.model())? } else { None };
    let Some(note) = note else { return Err(no_server(&store, Some(model.model()))?) };
    let server = note.server(&store);
    match (server.status, server.url) {
        (LocalServerStatus::Running, Some(url)) => own.at(&url, true).map_err(AppError::internal),
        (LocalServerStatus::Starting, _) | (LocalServerStatus::Running, None) => {
            let help = "wait until `deed models local serve` has ended; `deed models local list` shows the servers";
            let message = format!("the server of {} is still starting", quote(&note.model));
            Err(AppError::refused(not_running(message, help.to_owned())))
        }
        (LocalServerStatus::Ended, _) => {
            let help = format!("its log may say why; `deed models local serve --model {}` starts it again", note.model);
            let message = format!("the server of {} has ended", quote(&note.model));
            Err(AppError::refused(not_running(message, help).at(Place::file(server.log.display().to_string()))))
        }
    }
}

/// The base URL of the first server that runs, for the provider `local` in lists.
pub(in crate::models) fn url_of(provider: &str) -> Option<String> {
    if provider != PROVIDER {
        return None;
    }
    let store = LocalStore::of_user().ok()?;
    let servers = all(&store).ok()?;
    let mut running = servers.iter().map(|note| note.server(&store));
    running.find(|server| server.status == LocalServerStatus::Running).and_then(|server| server.url)
}

/// The refusal of a model, or of anything, that no server serves.
pub(super) fn no_server(store: &LocalStore, model: Option<&str>) -> Result<AppError, AppError> {
    let names: Vec<String> = all(store)?.into_iter().map(|note| note.model).collect();
    let catalog = LocalCatalog::builtin();
    let Some(model) = model else {
        let help = "`deed models local serve` starts one";
        return Ok(AppError::refused(not_running("no local server runs".to_owned(), help.to_owned())));
    };
    let served = match names.as_slice() {
        [] => String::new(),
        names => format!("; there are servers of {}", names.join(", ")),
    };
    let help = match catalog.model(model) {
        Ok(known) => format!("`deed models local serve --model {}` starts it{served}", known.name),
        // A name of another catalogue may be meant only where one of its servers ran.
        Err(unknown) if names.is_empty() => return Ok(unknown),
        Err(_) => format!("`deed models local list` shows models and servers{served}"),
    };
    Ok(AppError::refused(not_running(format!("no local server of {} runs", quote(model)), help)))
}

fn not_running(message: String, help: String) -> Diagnostic {
    Diagnostic::error(codes::NO_LOCAL_SERVER, message).stage("model").help(help)
}
