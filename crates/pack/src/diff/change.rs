//! Changes between two versions.

use super::bump::DeclaredBump;
use super::class::ChangeClass;
use super::effect::ChangeEffect;
use deed_diag::Diagnostic;
use deed_model::PackRef;
use serde::Serialize;
use serde_json::Value;

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It was not there before.
    Added,
    /// It is no longer there.
    Removed,
    /// It is there and differs.
    Changed,
}

impl ChangeKind {
    /// Returns the kind as a word, as in `rule R_X removed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

/// One difference between two versions.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Change {
    /// The layer, by its key in the pack; `overlays` and `golden` for the files beside it.
    pub layer: String,
    /// JSON Pointer into the newer pack, or into the older one for a removal. Overlay files are under
    /// `/overlays/<name>`, golden cases under `/golden/<name>`.
    pub pointer: String,
    /// The kind of change.
    pub what: ChangeKind,
    /// The changed thing, such as `rule R_X`.
    pub subject: String,
    /// The class: the version bump that it needs.
    pub class: ChangeClass,
    /// The effect on what the pack enforces.
    pub effect: ChangeEffect,
    /// The reason for the class.
    pub why: String,
    /// The value before.
    pub before: Option<Value>,
    /// The value after.
    pub after: Option<Value>,
}

/// Two versions compared.
#[derive(Debug, Clone)]
pub struct Diff {
    /// The older version.
    pub before: PackRef,
    /// The newer version.
    pub after: PackRef,
    /// Every difference, in order of layers.
    pub changes: Vec<Change>,
    /// The class of all changes together; `None` without changes.
    pub required: Option<ChangeClass>,
    /// The bump that the author declared.
    pub declared: DeclaredBump,
    /// Findings about the new version number.
    pub diagnostics: Vec<Diagnostic>,
}
