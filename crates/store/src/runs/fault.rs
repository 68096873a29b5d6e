//! Conversion of errors of the disk and the database to errors of the store.

use deed_ports::{StoreError, StoreErrorKind};
use rusqlite::ErrorCode;
use std::fs::Metadata;
use std::io;
use std::path::Path;

const ROOM: &str =
    "free some space and resume the run: no recorded event is lost; a request in flight may have been sent (D2053)";
const OWNER: &str = "check the owner and the mode of the folder, and that its disk is not mounted read-only";
const BACKUP: &str = "restore the folder from a backup and check it with `verify`";

/// The error for a file or folder.
pub(super) fn io(error: &io::Error, path: &Path) -> StoreError {
    let place = path.display();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            StoreError::new(StoreErrorKind::Full, format!("the disk is full: `{place}` cannot be written")).help(ROOM)
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            StoreError::new(StoreErrorKind::ReadOnly, format!("no permission to use `{place}`: {error}")).help(OWNER)
        }
        _ => StoreError::new(StoreErrorKind::Unavailable, format!("`{place}` cannot be used: {error}"))
            .help("check that the folder exists, is yours and can be written to"),
    }
}

/// The error for something other than a file in the place of a blob.
pub(super) fn obstructed(path: &Path, found: &Metadata) -> StoreError {
    let what = match found.file_type() {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_symlink() => "a symbolic link",
        _ => "a special file",
    };
    let message = format!("{what} is in the place of a blob: `{}`", path.display());
    StoreError::new(StoreErrorKind::Corrupt, message)
        .help("move it away; then restore the file from a backup, or repeat the step that produced it")
}

/// The error for the database.
pub(super) fn sql(error: &rusqlite::Error) -> StoreError {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    if matches!(
        error,
        FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..)
    ) {
        return damaged("the journal's database has a value of an unexpected type");
    }
    let extended = error.sqlite_error().map(|e| e.extended_code);
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => full(),
        // Beside the database, SQLite keeps a shared file that it cannot enlarge on a full disk.
        Some(ErrorCode::SystemIoFailure) if extended == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) => full(),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            StoreError::new(StoreErrorKind::ReadOnly, format!("the journal is not writable: {error}")).help(OWNER)
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            damaged(&format!("the journal's database is damaged: {error}"))
        }
        Some(ErrorCode::ConstraintViolation) => damaged(&format!("the journal rejected a row: {error}")),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::new(
            StoreErrorKind::Unavailable,
            "another process is writing to the journal and did not finish in time",
        )
        .help("retry; if it persists, look for a process that hangs with the journal open"),
        Some(_) | None => StoreError::new(StoreErrorKind::Unavailable, format!("the journal cannot be used: {error}"))
            .help("check that the folder exists, is yours and can be written to"),
    }
}

/// The error for stored content that is not what was written.
pub(super) fn damaged(message: &str) -> StoreError {
    StoreError::new(StoreErrorKind::Corrupt, message).help(BACKUP)
}

/// The error after the writer thread has ended.
pub(super) fn gone() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "the writer thread of the journal has ended")
        .help("restart the program; everything acknowledged is on disk")
}

fn full() -> StoreError {
    StoreError::new(StoreErrorKind::Full, "the disk is full; nothing was written to the journal").help(ROOM)
}
