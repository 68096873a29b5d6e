//! The five levels.

use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// A level of the override chain, lowest first; the highest that sets a value decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The defaults in the binary.
    BuiltIn,
    /// The governed settings of all runs.
    GovernedSettings,
    /// The governed settings of a consumer.
    ConsumerSettings,
    /// The settings of the workspace.
    Workspace,
    /// The profile.
    Profile,
}

impl Level {
    /// All levels, lowest first.
    pub const ALL: [Self; 5] =
        [Self::BuiltIn, Self::GovernedSettings, Self::ConsumerSettings, Self::Workspace, Self::Profile];

    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BuiltIn => "built_in",
            Self::GovernedSettings => "governed_settings",
            Self::ConsumerSettings => "consumer_settings",
            Self::Workspace => "workspace",
            Self::Profile => "profile",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
