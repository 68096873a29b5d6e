//! States of a pack version.

use std::fmt;

/// The state of a pack version, in the order of its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PackState {
    /// Draft: no run may use it.
    Draft,
    /// Linted: its document passed lint.
    Linted,
    /// Reviewed: every required role signed off.
    Reviewed,
    /// Signed by its issuer.
    Signed,
    /// Published: it exists in the registry and never changes.
    Published,
    /// Pinned: an environment uses it.
    Pinned,
    /// Observed: a run or recording used it in an environment that has it pinned.
    Observed,
    /// Promoted: it was confirmed in an environment after it was observed there.
    Promoted,
    /// Deprecated: for replay only.
    Deprecated,
    /// Revoked: blocked, and kept for audit with the reason.
    Revoked,
}

impl PackState {
    /// Returns the state's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Linted => "linted",
            Self::Reviewed => "reviewed",
            Self::Signed => "signed",
            Self::Published => "published",
            Self::Pinned => "pinned",
            Self::Observed => "observed",
            Self::Promoted => "promoted",
            Self::Deprecated => "deprecated",
            Self::Revoked => "revoked",
        }
    }
}

impl fmt::Display for PackState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
