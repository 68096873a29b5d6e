//! Where a pack version stands.

use std::fmt;

/// Where a pack version stands, in the order of its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PackState {
    /// Being written; no run may use it.
    Draft,
    /// Its document passed lint.
    Linted,
    /// Every reviewer that its policy asks for signed off.
    Reviewed,
    /// Its issuer signed.
    Signed,
    /// It exists in the registry and never changes.
    Published,
    /// An environment uses it.
    Pinned,
    /// For replay only.
    Deprecated,
    /// Blocked, and kept for audit with its reason.
    Revoked,
}

impl PackState {
    /// The state as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Linted => "linted",
            Self::Reviewed => "reviewed",
            Self::Signed => "signed",
            Self::Published => "published",
            Self::Pinned => "pinned",
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
