//! Exit codes that scripts can rely on.

use deed_app::ErrorKind;

/// The exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Something was found or refused.
    Findings = 1,
    /// The command line is malformed.
    Usage = 2,
    /// A file, the disk, the registry, the clock or the machine cannot be used.
    Environment = 3,
    /// A run, a call or a decision waits for a person.
    Waiting = 5,
    /// A run was verified that is not sealed, or whose checks cannot be derived again: what is there holds.
    Unsealed = 6,
    /// A defect in deed itself.
    Internal = 4,
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Refused => Self::Findings,
            ErrorKind::Usage => Self::Usage,
            ErrorKind::Environment => Self::Environment,
            // A kind that this version does not know is a defect.
            _ => Self::Internal,
        }
    }
}
