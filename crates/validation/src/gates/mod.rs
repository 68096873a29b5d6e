//! The gates of a validation pack, one file for each.

mod checks;
mod contracts;
mod models;
mod paths;
mod schema;
mod security;

pub use paths::matches_nothing;

use crate::document::PackFile;
use deed_diag::Diagnostic;
use schemars::JsonSchema;
use serde::Serialize;

/// A gate of a validation pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PackGate {
    /// The shape of the document, and its reference.
    Schema,
    /// Secrets.
    Security,
    /// Patterns of paths.
    Paths,
    /// Checks and contracts that fit the reading.
    Checks,
    /// Ladder contracts.
    Contracts,
    /// Rungs that wait for a model.
    Models,
}

impl PackGate {
    /// All gates, in the order in which they run.
    pub const ALL: [Self; 6] = [Self::Schema, Self::Security, Self::Paths, Self::Checks, Self::Contracts, Self::Models];

    /// Returns the gate's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Security => "security",
            Self::Paths => "paths",
            Self::Checks => "checks",
            Self::Contracts => "contracts",
            Self::Models => "models",
        }
    }
}

/// Returns a gate's findings, or none if it needs the typed pack and there is none.
pub(crate) fn run(gate: PackGate, file: &PackFile) -> Option<Vec<Diagnostic>> {
    match gate {
        PackGate::Schema => Some(schema::check(file)),
        PackGate::Security => Some(security::check(file)),
        PackGate::Paths => file.pack().map(|pack| paths::check(file, pack)),
        PackGate::Checks => file.pack().map(|pack| checks::check(file, pack)),
        PackGate::Contracts => file.pack().map(|pack| contracts::check(file, pack)),
        PackGate::Models => file.pack().map(|pack| models::check(file, pack)),
    }
}
