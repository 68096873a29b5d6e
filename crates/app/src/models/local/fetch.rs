//! Fetches the engine and a model: what is there and right is kept.

use super::catalog::{LocalCatalog, LocalModel};
use super::progress::{LocalProgress, ProgressSink};
use super::python::Environment;
use super::store::LocalStore;
use super::{engine, weights};
use crate::error::AppError;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A model that is to be fetched.
#[derive(Debug, Clone)]
pub struct LocalFetch {
    /// The name of the model.
    pub model: String,
    /// A catalogue in place of the one that ships.
    pub catalog: Option<PathBuf>,
    /// The Python that installs the engine; `python3` if it is left out.
    pub python: Option<PathBuf>,
}

/// A model that was fetched.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LocalFetched {
    /// The name of the model.
    pub model: String,
    /// The file with the weights.
    pub path: PathBuf,
    /// Its SHA-256 in hex.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
    /// The licence of the weights.
    pub license: String,
    /// False if the file was there already; its hash was checked again.
    pub downloaded: bool,
    /// False if the engine was there already.
    pub installed: bool,
}

/// Fetches the engine and a model.
///
/// # Errors
/// The model is unknown, another process fetches, Python or a package cannot be had, or a hash differs.
pub fn fetch(wanted: &LocalFetch, progress: ProgressSink<'_>) -> Result<LocalFetched, AppError> {
    let catalog = LocalCatalog::load(wanted.catalog.as_deref())?;
    let model = catalog.model(&wanted.model)?;
    let store = LocalStore::of_user()?;
    let _lock = store.lock("lock")?;
    let (environment, installed) = environment(&store, &catalog, wanted.python.as_deref(), progress)?;
    let there = weights::recheck(&store, model, progress)?;
    let path = if there { store.weights(model) } else { obtain(&store, model, &environment, progress)? };
    let (model, sha256, license) = (model.name.clone(), model.sha256.clone(), model.license.clone());
    let bytes = std::fs::metadata(&path).map_err(|error| AppError::reading(&path, &error))?.len();
    Ok(LocalFetched { model, path, sha256, bytes, license, downloaded: !there, installed })
}

/// Returns the engine's environment, and true if it was installed for that.
pub(super) fn environment(
    store: &LocalStore,
    catalog: &LocalCatalog,
    python: Option<&Path>,
    progress: ProgressSink<'_>,
) -> Result<(Environment, bool), AppError> {
    if let Some(own) = engine::installed(store, &catalog.engine) {
        return Ok((own, false));
    }
    progress(LocalProgress::Engine { package: catalog.engine.package.clone() });
    engine::install(store, &catalog.engine, python).map(|own| (own, true))
}

/// Downloads and joins a model.
pub(super) fn obtain(
    store: &LocalStore,
    model: &LocalModel,
    environment: &Environment,
    progress: ProgressSink<'_>,
) -> Result<PathBuf, AppError> {
    weights::download(store, model, environment, progress)?;
    weights::join(store, model, progress)
}
