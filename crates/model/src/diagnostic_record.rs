//! A diagnostic as it is written to JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A finding or refusal on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiagnosticRecord {
    /// Stable code, explained by `deed explain`.
    pub code: String,
    /// Weight.
    pub severity: SeverityRecord,
    /// Which stage, gate or command found it.
    pub stage: String,
    /// What was found.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
    /// Where.
    pub location: Option<LocationRecord>,
    /// Other places that help to understand it.
    pub related: Vec<RelatedRecord>,
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeverityRecord {
    /// Worth knowing.
    Info,
    /// Allowed, and probably not meant.
    Warning,
    /// Refused.
    Error,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LocationRecord {
    /// The file's name as it was given.
    pub file: String,
    /// JSON Pointer into the document.
    pub pointer: Option<String>,
    /// Where the place begins.
    pub start: Option<PositionRecord>,
    /// Where it ends, excluded.
    pub end: Option<PositionRecord>,
}

/// A position in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRecord {
    /// Bytes from the beginning.
    pub byte: u64,
    /// Line from 1.
    pub line: u64,
    /// Column from 1, in characters.
    pub column: u64,
}

/// Another place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelatedRecord {
    /// What it has to do with the finding.
    pub message: String,
    /// Where.
    pub location: LocationRecord,
}
