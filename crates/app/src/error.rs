//! Errors of operations, with their diagnostics.

use deed_diag::{Diagnostic, Place, Report, codes};
use std::io;
use std::path::Path;

/// The kind of an [`AppError`]. Each has an exit code of the `deed` command and a class of HTTP statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input was found faulty, or the operation was refused.
    Refused,
    /// The caller's request is malformed.
    Usage,
    /// A file, the disk, the registry or the clock cannot be used.
    Environment,
    /// A defect in Deed itself.
    Internal,
}

/// Diagnostics that ended an operation, and their kind.
#[derive(Debug)]
pub struct AppError {
    /// The kind.
    pub kind: ErrorKind,
    /// The diagnostics, with the sources needed to show them.
    pub report: Report,
}

impl AppError {
    /// An error of a kind with one diagnostic.
    pub fn new(kind: ErrorKind, diagnostic: Diagnostic) -> Self {
        Self { kind, report: Report::of(diagnostic) }
    }

    /// The input is faulty, or the operation is refused.
    pub fn refused(diagnostic: Diagnostic) -> Self {
        Self::new(ErrorKind::Refused, diagnostic)
    }

    /// The caller asked for something that makes no sense.
    pub fn usage(diagnostic: Diagnostic) -> Self {
        Self::new(ErrorKind::Usage, diagnostic)
    }

    /// The machine is not as it should be.
    pub fn environment(diagnostic: Diagnostic) -> Self {
        Self::new(ErrorKind::Environment, diagnostic)
    }

    /// A file cannot be read.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        let help = match error.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied => "check who may read it",
            _ => "check that it is a file and that the disk is sound",
        };
        Self::environment(
            Diagnostic::error(codes::FILE_NOT_READABLE, format!("cannot read it: {}", plain(error)))
                .stage("files")
                .at(Place::file(path.display().to_string()))
                .help(help),
        )
    }

    /// A file cannot be written.
    pub fn writing(path: &Path, error: &io::Error) -> Self {
        let (code, help) = match is_full(error) {
            true => (codes::DISK_FULL, "make room and run the command again; nothing was left half-written"),
            false => (codes::FILE_NOT_WRITABLE, "check the folder and who may write to it"),
        };
        Self::environment(
            Diagnostic::error(code, format!("cannot write it: {}", plain(error)))
                .stage("files")
                .at(Place::file(path.display().to_string()))
                .help(help),
        )
    }

    /// Standard output cannot be written.
    pub fn printing(error: &io::Error) -> Self {
        let code = if is_full(error) { codes::DISK_FULL } else { codes::FILE_NOT_WRITABLE };
        let message = format!("cannot write to standard output: {}", plain(error));
        let help = "what was printed is incomplete: make room, or print it elsewhere";
        Self::environment(Diagnostic::error(code, message).stage("output").help(help))
    }

    /// A defect in Deed itself.
    pub fn internal(what: impl std::fmt::Display) -> Self {
        let diagnostic = Diagnostic::error(codes::INTERNAL, format!("internal error: {what}")).help("please report it");
        Self::new(ErrorKind::Internal, diagnostic)
    }
}

impl From<Report> for AppError {
    fn from(report: Report) -> Self {
        Self { kind: ErrorKind::Refused, report }
    }
}

impl std::fmt::Display for AppError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.report.render(deed_diag::Style::Lines).trim_end())
    }
}

impl std::error::Error for AppError {}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// An I/O error without the number that the system adds.
fn plain(error: &io::Error) -> String {
    let text = error.to_string().to_lowercase();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
