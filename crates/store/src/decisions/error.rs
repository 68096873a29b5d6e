//! Errors of a log of decisions: a refusal, or a failure of the disk or the database.

use super::DATABASE;
use crate::blobs::BlobFault;
use deed_canon::{Break, ContentHash};
use deed_diag::{Code, Diagnostic, Place, codes};
use rusqlite::ErrorCode;
use std::io;
use std::path::Path;
use thiserror::Error;

const STAGE: &str = "decisions";
const RESTORE: &str = "restore the folder from a backup, and find out who changed it";

/// An error of a log of decisions. In either case nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecisionLogError {
    /// The decision may not be recorded, or stored content does not match its entry.
    #[error("{}", .0.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Diagnostic>),
    /// The disk, the database or the folder cannot be used.
    #[error("{}", .0.message)]
    Environment(Box<Diagnostic>),
}

impl DecisionLogError {
    /// Returns the diagnostics, in order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Refused(diagnostics) => diagnostics,
            Self::Environment(diagnostic) => std::slice::from_ref(diagnostic),
        }
    }

    /// Names the folder in findings about the database.
    pub(super) fn within(self, dir: &Path) -> Self {
        match self {
            Self::Environment(mut diagnostic) => {
                if let Some(place) = diagnostic.place.as_mut().filter(|place| place.source == DATABASE) {
                    place.source = dir.join(DATABASE).display().to_string();
                }
                Self::Environment(diagnostic)
            }
            Self::Refused(diagnostics) => Self::Refused(diagnostics),
        }
    }
}

impl From<Box<Diagnostic>> for DecisionLogError {
    fn from(finding: Box<Diagnostic>) -> Self {
        Self::from(*finding)
    }
}

impl From<Diagnostic> for DecisionLogError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Refused(vec![diagnostic])
    }
}

impl From<io::Error> for DecisionLogError {
    fn from(error: io::Error) -> Self {
        files(&error, Path::new(DATABASE))
    }
}

impl From<rusqlite::Error> for DecisionLogError {
    fn from(error: rusqlite::Error) -> Self {
        let extended = error.sqlite_error().map(|e| e.extended_code);
        let (message, help) = match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => full(),
            Some(ErrorCode::SystemIoFailure) if extended == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) => full(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
                "another process is recording decisions and did not finish in time".to_owned(),
                "retry; if it persists, look for a process that hangs with the log open",
            ),
            Some(
                ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::SystemIoFailure | ErrorCode::ReadOnly,
            ) => (format!("the database of decisions cannot be used: {error}"), ACCESS),
            Some(_) | None => (format!("the database of decisions is damaged: {error}"), RESTORE),
        };
        unusable(Place::file(DATABASE), message, help)
    }
}

const ACCESS: &str = "check that the folder exists, is yours and can be written to";

fn full() -> (String, &'static str) {
    ("the disk is full; nothing was recorded".to_owned(), "free some space and repeat the command")
}

/// The error for a log that cannot be used.
pub(super) fn unusable(place: Place, message: String, help: &'static str) -> DecisionLogError {
    let diagnostic = Diagnostic::error(codes::DECISION_LOG_UNUSABLE, message).stage(STAGE).at(place).help(help);
    DecisionLogError::Environment(Box::new(diagnostic))
}

/// The error for a file or folder that cannot be used.
pub(super) fn files(error: &io::Error, path: &Path) -> DecisionLogError {
    let (message, help) = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => full(),
        _ => (format!("the files of decisions cannot be used: {error}"), ACCESS),
    };
    unusable(Place::file(path.display().to_string()), message, help)
}

/// The finding for the first broken link.
pub(super) fn broken(found: &Break) -> Diagnostic {
    let message = format!("the log of decisions was tampered with: {found}");
    entry(codes::DECISION_LOG_BROKEN, found.seq, message).help(RESTORE)
}

/// The finding for a head that is not the end of the log.
pub(super) fn head(message: String) -> Diagnostic {
    Diagnostic::error(codes::DECISION_LOG_HEAD, message).stage(STAGE).at(Place::file("head")).help(RESTORE)
}

/// The finding for a head that was kept elsewhere and is not in the log.
pub(super) fn rewritten(expected: &ContentHash) -> Diagnostic {
    head(format!("the log has no decision `{expected}`, which was kept as its head"))
}

/// The finding for an entry that this version cannot read.
pub(super) fn unreadable(seq: u64, why: &str) -> Diagnostic {
    entry(codes::DECISION_LOG_ENTRY, seq, format!("decision {seq} cannot be read: {why}"))
        .help("use a version of `deed` that is at least as new as the one that wrote it")
}

/// The finding for a stored file that is missing or altered.
pub(super) fn blob(seq: u64, name: &str, hash: &ContentHash, fault: &BlobFault) -> Diagnostic {
    let state = match fault {
        BlobFault::Missing => "is missing".to_owned(),
        BlobFault::Altered => "was altered".to_owned(),
        BlobFault::Unreadable(error) => format!("cannot be read: {error}"),
    };
    file(seq, format!("the {name} `{hash}` of decision {seq} {state}"))
}

/// The finding for a stored file that does not agree with its entry.
pub(super) fn file(seq: u64, message: String) -> Diagnostic {
    entry(codes::DECISION_FILE_DAMAGED, seq, message).help("restore the file from a backup")
}

/// The finding for a decision that may not be recorded.
pub(super) fn refused(code: Code, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(code, message).stage(STAGE).at(Place::file("new decision")).help(help)
}

fn entry(code: Code, seq: u64, message: String) -> Diagnostic {
    Diagnostic::error(code, message).stage(STAGE).at(Place::file(format!("decision:{seq}")))
}

/// The finding for an object of the database that is missing, changed or foreign.
pub(super) fn database(message: String) -> Diagnostic {
    Diagnostic::error(codes::DECISION_LOG_UNUSABLE, message).stage(STAGE).at(Place::file(DATABASE)).help(RESTORE)
}

/// The error for a format that this version does not know.
pub(super) fn format(found: i64, known: i64) -> DecisionLogError {
    let message = format!("the log of decisions has format {found}; this version reads {known}");
    let diagnostic = Diagnostic::error(codes::DECISION_LOG_FORMAT, message).stage(STAGE).at(Place::file(DATABASE));
    DecisionLogError::Environment(Box::new(
        diagnostic.help("use the version of `deed` that created it, or a newer one"),
    ))
}
