//! A piece of evidence, retrieved before the compile.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A piece of evidence: an object with these fields. One that is missing, or has a value that does not hold, rejects the
/// piece with the reason; one of another type refuses the list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceItem {
    /// `kg:<type>:<id>#<snapshot>`, `tool:<adapter>.<capability>:<call>` or `session:<id>`.
    pub evidence_ref: String,
    /// Where it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<String>,
    /// Whose it is; must be the run's tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the pack's, and the run's where it
    /// names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// Free tags such as `PII`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The evidence itself: a text, or any JSON.
    #[serde(default)]
    pub content: Value,
    /// `sha256:<hex>` over the bytes of a text, or over the canonical JSON of anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_hash: Option<String>,
    /// When it was read, as an RFC 3339 time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved_at: Option<String>,
    /// From when on it no longer counts, as an RFC 3339 time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// References of evidence that says otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts_with: Vec<String>,
    /// The decision by which this one of a conflict holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution_ref: Option<String>,
}
