//! A recalled memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A memory, recalled before the compile: an object with these fields. One that is missing, or has
/// a value that does not hold, rejects the memory with the reason; one of another type refuses the list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryItem {
    /// Unique id of the memory.
    #[schemars(length(min = 1))]
    pub id: String,
    /// Whose it is; must be the run's tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// Whom it is about, or `*` for anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Which intent it serves, or `*` for any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<String>,
    /// `working`, `episodic`, `semantic` or `durable`; its lifetime is the pack's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// What kind of thing it is, such as `preference`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The memory in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The memory as a fact: with `predicate` and `value`, in the place of `text`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub fact: Option<MemoryFact>,
    /// When it was promoted, as an RFC 3339 time; a capture that nobody promoted has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promoted_at: Option<String>,
    /// `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the pack's, and the run's where it
    /// names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// Where it came from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub provenance: Vec<String>,
}

/// A memory as a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryFact {
    /// What the fact is about.
    pub entity: String,
    /// What is said of it.
    pub predicate: String,
    /// The value.
    pub value: Value,
}
