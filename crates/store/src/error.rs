//! Errors of a registry: a refusal, or a failure of the disk or the database.

use deed_diag::{Diagnostic, Place, codes};
use rusqlite::ErrorCode;
use std::io;
use std::path::Path;
use thiserror::Error;

/// Name of the database inside a registry's folder.
pub(crate) const DATABASE: &str = "registry.sqlite";

/// An error of a registry. In either case nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RegistryError {
    /// The request is not allowed, or stored content does not match its record: exit code 1.
    #[error("{}", .0.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Diagnostic>),
    /// The disk, the database or the folder cannot be used: exit code 3.
    #[error("{}", .0.message)]
    Environment(Box<Diagnostic>),
}

impl RegistryError {
    /// The diagnostics, in order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Refused(diagnostics) => diagnostics,
            Self::Environment(diagnostic) => std::slice::from_ref(diagnostic),
        }
    }

    pub(crate) fn environment(diagnostic: Diagnostic) -> Self {
        Self::Environment(Box::new(diagnostic.stage("registry")))
    }

    /// Names the registry's folder in findings about the database.
    pub(crate) fn within(self, dir: &Path) -> Self {
        match self {
            Self::Environment(mut diagnostic) => {
                let database = dir.join(DATABASE).display().to_string();
                match &mut diagnostic.place {
                    Some(place) if place.source == DATABASE => place.source = database,
                    Some(_) => {}
                    None => diagnostic.place = Some(Place::file(database)),
                }
                Self::Environment(diagnostic)
            }
            Self::Refused(diagnostics) => Self::Refused(diagnostics),
        }
    }
}

impl From<Vec<Diagnostic>> for RegistryError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::Refused(diagnostics)
    }
}

impl From<io::Error> for RegistryError {
    fn from(error: io::Error) -> Self {
        io_error(&error, Path::new(DATABASE))
    }
}

impl From<rusqlite::Error> for RegistryError {
    fn from(error: rusqlite::Error) -> Self {
        let code = error.sqlite_error_code();
        let extended = error.sqlite_error().map(|e| e.extended_code);
        let diagnostic = match code {
            Some(ErrorCode::DiskFull) => disk_full(),
            // Beside the log, SQLite keeps a shared file that it cannot enlarge on a full disk.
            Some(ErrorCode::SystemIoFailure) if extended == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) => disk_full(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Diagnostic::error(
                codes::REGISTRY_BUSY,
                "another process is writing to the registry and did not finish in time",
            )
            .help("retry; if it persists, look for a process that hangs with the registry open"),
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => inaccessible(&error.to_string()),
            Some(ErrorCode::SystemIoFailure | ErrorCode::ReadOnly) => {
                Diagnostic::error(codes::REGISTRY_IO, format!("the registry's database cannot be used: {error}"))
                    .help("check that the folder exists, is yours and can be written to")
            }
            Some(_) | None => {
                Diagnostic::error(codes::DATABASE_DAMAGED, format!("the registry's database is damaged: {error}"))
                    .help("restore the registry from a backup; the audit log of the copy can be checked")
            }
        };
        Self::environment(diagnostic.at(Place::file(DATABASE)))
    }
}

/// The error for a file or folder that cannot be used.
pub(crate) fn io_error(error: &io::Error, path: &Path) -> RegistryError {
    let diagnostic = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => disk_full(),
        _ => Diagnostic::error(codes::REGISTRY_IO, format!("the registry's files cannot be used: {error}"))
            .help("check that the folder exists, is yours and can be written to"),
    };
    RegistryError::environment(diagnostic.at(Place::file(path.display().to_string())))
}

/// The error for a registry that exists and cannot be read.
pub(crate) fn unreadable(error: &io::Error, path: &Path) -> RegistryError {
    RegistryError::environment(inaccessible(&error.to_string()).at(Place::file(path.display().to_string())))
}

fn inaccessible(why: &str) -> Diagnostic {
    Diagnostic::error(codes::REGISTRY_IO, format!("the registry cannot be read: {why}"))
        .help("check the owner and the mode of the folder and of the files in it")
}

fn disk_full() -> Diagnostic {
    Diagnostic::error(codes::REGISTRY_DISK_FULL, "the disk is full; nothing was recorded")
        .help("free some space and repeat the command; nothing was lost and nothing is half done")
}
