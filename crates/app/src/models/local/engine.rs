//! The engine: installed once into a virtual environment of its own.
//!
//! The wheel is held to its hash before anything of it is imported. The environment is made beside its place and moved
//! there when it is complete.

use super::catalog::LocalEngine;
use super::python::{Environment, Python};
use super::store::{LocalStore, remove};
use super::weights::{not_downloaded, sha256_of};
use crate::error::AppError;
use deed_diag::{Diagnostic, codes, quote};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The room that an environment needs.
const BYTES: u64 = 200_000_000;

/// Returns the environment of the engine, if it is installed and can be imported.
pub(super) fn installed(store: &LocalStore, engine: &LocalEngine) -> Option<Environment> {
    let folder = store.engine(engine);
    let own = Environment::at(&folder);
    (folder.is_dir() && own.imports(&engine.module).is_ok()).then_some(own)
}

/// Installs the engine. The caller has the lock of the store.
///
/// # Errors
/// Python cannot make an environment, the package cannot be had, is not the expected one, or cannot be imported.
pub(super) fn install(
    store: &LocalStore,
    engine: &LocalEngine,
    python: Option<&Path>,
) -> Result<Environment, AppError> {
    let python = Python::find(python)?;
    store.needs(BYTES, &engine.package)?;
    let folder = store.engine(engine);
    let fresh = folder.with_added_extension("new");
    remove(&fresh)?;
    store.folder(fresh.parent().unwrap_or(store.root()))?;
    make(&python, engine, &fresh).inspect_err(|_| drop(remove(&fresh)))?;
    remove(&folder)?;
    std::fs::rename(&fresh, &folder).map_err(|error| AppError::writing(&folder, &error))?;
    Ok(Environment::at(&folder))
}

/// Makes the environment in a folder that is not there, and installs the engine into it.
fn make(python: &Python, engine: &LocalEngine, fresh: &Path) -> Result<(), AppError> {
    let own = python.environment(fresh)?;
    let wheel = wheel(&own, engine, &fresh.join("wheel"))?;
    let hash = sha256_of(&wheel, &|_| {})?;
    if !engine.wheels.contains(&hash) {
        return Err(foreign(engine, &hash));
    }
    let args = ["install", "--no-index", "--no-deps", "--quiet"].map(OsStr::new);
    own.pip(&[&args[..], &[wheel.as_os_str()]].concat()).map_err(|why| unusable(engine, &why))?;
    own.imports(&engine.module).map_err(|why| unusable(engine, &why))?;
    remove(&fresh.join("wheel"))
}

/// Downloads the wheel of the engine.
fn wheel(own: &Environment, engine: &LocalEngine, folder: &Path) -> Result<PathBuf, AppError> {
    let wanted = format!("{}=={}", engine.package, engine.version);
    let args = ["download", "--no-deps", "--only-binary", ":all:", "--quiet", "--dest"].map(OsStr::new);
    own.pip(&[&args[..], &[folder.as_os_str(), OsStr::new(&wanted)]].concat())
        .map_err(|why| not_downloaded(&wanted, &why))?;
    only_wheel(folder).ok_or_else(|| not_downloaded(&wanted, "pip left no wheel"))
}

/// The one wheel of a folder.
pub(super) fn only_wheel(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut wheels = entries.filter_map(|entry| Some(entry.ok()?.path()));
    wheels.find(|path| path.extension().is_some_and(|extension| extension == "whl"))
}

fn foreign(engine: &LocalEngine, hash: &str) -> AppError {
    let message = format!(
        "the package {} {} has the SHA-256 {hash}, which is none of those expected",
        quote(&engine.package),
        engine.version
    );
    let help = "nothing of it was run; check which index pip uses (`pip config list`), or whether this platform is Linux on x86-64 or arm64";
    AppError::refused(Diagnostic::error(codes::LOCAL_PACKAGE_FOREIGN, message).stage("model").help(help))
}

fn unusable(engine: &LocalEngine, why: &str) -> AppError {
    let message = format!("the engine {} {} cannot be used: {why}", quote(&engine.package), engine.version);
    let help = "it needs Linux with glibc 2.17 or later and a processor with AVX2; another Python can be named by `--python FILE`";
    AppError::environment(Diagnostic::error(codes::LOCAL_ENGINE_UNUSABLE, message).stage("model").help(help))
}
