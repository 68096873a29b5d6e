//! Why a command did not do what it was asked to.

use crate::exit::Exit;
use deed_diag::{Code, Diagnostic, Place, Report};
use std::io;
use std::path::Path;

const NOT_READABLE: Code = Code::new("D0001");
const NOT_WRITABLE: Code = Code::new("D0002");
const DISK_FULL: Code = Code::new("D0003");
const INTERNAL: Code = Code::new("D0004");

/// Diagnostics and the exit code that they lead to.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) report: Report,
}

impl Failure {
    /// Something was found or refused.
    pub(crate) fn refused(diagnostic: Diagnostic) -> Self {
        Self { exit: Exit::Findings, report: Report::of(diagnostic) }
    }

    /// The command line makes no sense.
    pub(crate) fn usage(diagnostic: Diagnostic) -> Self {
        Self { exit: Exit::Usage, report: Report::of(diagnostic) }
    }

    /// The machine is not as it should be.
    pub(crate) fn environment(diagnostic: Diagnostic) -> Self {
        Self { exit: Exit::Environment, report: Report::of(diagnostic) }
    }

    /// A file cannot be read.
    pub(crate) fn reading(path: &Path, error: &io::Error) -> Self {
        let help = match error.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied => "check who may read it",
            _ => "check that it is a file and that the disk is sound",
        };
        Self::environment(
            Diagnostic::error(NOT_READABLE, format!("cannot read it: {}", plain(error)))
                .stage("files")
                .at(Place::file(path.display().to_string()))
                .help(help),
        )
    }

    /// A file cannot be written.
    pub(crate) fn writing(path: &Path, error: &io::Error) -> Self {
        let (code, help) = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                (DISK_FULL, "make room and run the command again; nothing was left half-written")
            }
            _ => (NOT_WRITABLE, "check the folder and who may write to it"),
        };
        Self::environment(
            Diagnostic::error(code, format!("cannot write it: {}", plain(error)))
                .stage("files")
                .at(Place::file(path.display().to_string()))
                .help(help),
        )
    }

    /// Standard output cannot be written.
    pub(crate) fn printing(error: &io::Error) -> Self {
        let code = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => DISK_FULL,
            _ => NOT_WRITABLE,
        };
        let message = format!("cannot write to standard output: {}", plain(error));
        let help = "what was printed is incomplete: make room, or print it elsewhere";
        Self::environment(Diagnostic::error(code, message).stage("output").help(help))
    }

    /// Something that cannot happen did.
    pub(crate) fn internal(what: impl std::fmt::Display) -> Self {
        let diagnostic = Diagnostic::error(INTERNAL, format!("internal error: {what}")).help("please report it");
        Self { exit: Exit::Internal, report: Report::of(diagnostic) }
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Self { exit: Exit::Findings, report }
    }
}

/// An I/O error without the number that the system adds.
fn plain(error: &io::Error) -> String {
    let text = error.to_string().to_lowercase();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
