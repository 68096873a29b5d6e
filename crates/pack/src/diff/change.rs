//! One change, and all of them together.

use super::bump::DeclaredBump;
use super::class::ChangeClass;
use deed_diag::Diagnostic;
use deed_model::PackRef;
use serde::Serialize;
use serde_json::Value;

/// What happened to a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
    /// The word for it, as in `rule R_X removed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

/// One difference between two versions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The layer, by its key in the pack; `overlays` for the files beside it.
    pub layer: String,
    /// JSON Pointer into the newer pack, or into the older one for a removal. Overlay files stand under
    /// `/overlays/<name>`.
    pub pointer: String,
    /// What happened.
    pub what: ChangeKind,
    /// What it happened to, such as `rule R_X`.
    pub subject: String,
    /// What it asks of the version number.
    pub class: ChangeClass,
    /// Why it has that class.
    pub why: String,
    /// What stood there.
    pub before: Option<Value>,
    /// What stands there now.
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
    /// What the changes need together; nothing where there are none.
    pub required: Option<ChangeClass>,
    /// What the author's version number says.
    pub declared: DeclaredBump,
    /// What stands against the new version number.
    pub diagnostics: Vec<Diagnostic>,
}
