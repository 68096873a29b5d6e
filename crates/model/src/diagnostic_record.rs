//! Diagnostics in JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A diagnostic in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiagnosticRecord {
    /// The stable code, explained by `deed explain`.
    pub code: String,
    /// The severity.
    pub severity: SeverityRecord,
    /// The stage, gate or command that reported it.
    pub stage: String,
    /// The message.
    pub message: String,
    /// Help: how to fix it.
    pub help: Option<String>,
    /// The place.
    pub location: Option<LocationRecord>,
    /// Related places.
    pub related: Vec<RelatedRecord>,
}

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeverityRecord {
    /// For information.
    Info,
    /// Allowed, but probably not intended.
    Warning,
    /// An error: the operation is refused.
    Error,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LocationRecord {
    /// The file's name as the user gave it.
    pub file: String,
    /// JSON Pointer into the document.
    pub pointer: Option<String>,
    /// The start of the place.
    pub start: Option<PositionRecord>,
    /// The end of the place, exclusive.
    pub end: Option<PositionRecord>,
}

/// A position in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRecord {
    /// Bytes from the start.
    pub byte: u64,
    /// Line from 1.
    pub line: u64,
    /// Column from 1, in characters.
    pub column: u64,
}

/// A related place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelatedRecord {
    /// Its relation to the finding.
    pub message: String,
    /// The place.
    pub location: LocationRecord,
}
