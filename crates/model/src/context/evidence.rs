//! A piece of evidence, retrieved before the compile.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A piece of evidence: an object with these fields. A missing or invalid field rejects the piece with a reason; a
/// field of the wrong type refuses the list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceItem {
    /// `kg:<type>:<id>#<snapshot>`, `tool:<adapter>.<capability>:<call>` or `session:<id>`.
    pub evidence_ref: String,
    /// The id of its source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<String>,
    /// The tenant that it belongs to; must be the run's tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the classification of the pack, and of the run if
    /// it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// Free tags such as `PII`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The content: a text, or any JSON.
    #[serde(default)]
    pub content: Value,
    /// `sha256:<hex>` over the bytes of a text, or over the canonical JSON of anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_hash: Option<String>,
    /// The time of retrieval, in RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved_at: Option<String>,
    /// The time from which it is no longer valid, in RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Its relevance as the retrieval judged it: the smaller, the earlier it is packed. Evidence without a rank comes
    /// last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u64>,
    /// References of evidence that contradicts it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts_with: Vec<String>,
    /// The decision that resolves a conflict in favour of this piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution_ref: Option<String>,
}
