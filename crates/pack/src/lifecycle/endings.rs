//! How the life of a published profile, prompt or validation pack ends. The rules are those of packs.

use super::history::EndRecord;
use super::publication::Purpose;
use deed_diag::{Diagnostic, Place, codes};
use std::fmt;

/// The state of a published profile, prompt or validation pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PublishedState {
    /// It may be used.
    Published,
    /// It serves no new work.
    Deprecated,
    /// It is blocked, and kept for audit with the reason.
    Revoked,
}

impl PublishedState {
    /// Returns the state's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Deprecated => "deprecated",
            Self::Revoked => "revoked",
        }
    }
}

impl fmt::Display for PublishedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The events that ended a version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Endings {
    /// The event that deprecated it.
    pub deprecation: Option<EndRecord>,
    /// The event that revoked it.
    pub revocation: Option<EndRecord>,
}

impl Endings {
    /// Returns the state.
    pub fn state(&self) -> PublishedState {
        match (&self.revocation, &self.deprecation) {
            (Some(_), _) => PublishedState::Revoked,
            (None, Some(_)) => PublishedState::Deprecated,
            (None, None) => PublishedState::Published,
        }
    }

    /// Returns the reason of the state, if the version ended.
    pub fn reason(&self) -> Option<&str> {
        self.revocation.as_ref().or(self.deprecation.as_ref()).map(|ending| ending.reason.as_str())
    }

    /// Returns the refusal of a use, if the version does not serve that purpose.
    pub fn refusal(&self, name: &str, purpose: Purpose, place: Place) -> Option<Diagnostic> {
        let (code, word, ending) = match (&self.revocation, &self.deprecation, purpose) {
            (_, _, Purpose::Audit) | (None, None, _) | (None, Some(_), Purpose::Replay) => return None,
            (Some(ending), _, _) => (codes::REVOKED, "revoked", ending),
            (None, Some(ending), Purpose::NewWork) => (codes::DEPRECATED, "deprecated", ending),
        };
        let message = format!("`{name}` is {word}: {}", ending.reason);
        let help = "name another version; runs that began under this one go on under what was frozen with them";
        Some(Diagnostic::error(code, message).stage("lifecycle").at(place).help(help))
    }
}
