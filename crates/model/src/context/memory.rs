//! A recalled memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A memory, recalled before the compile: an object with these fields. A missing or invalid field rejects the memory
/// with a reason; a field of the wrong type refuses the list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryItem {
    /// Unique id of the memory.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The tenant that it belongs to; must be the run's tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// The subject that it is about, or `*` for any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The intent that it serves, or `*` for any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<String>,
    /// `working`, `episodic`, `semantic` or `durable`; its lifetime is the pack's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// The class of memory, such as `preference`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The memory as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The entity of a fact: with `predicate` and `value`, in place of `text`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub fact: Option<MemoryFact>,
    /// The time of its promotion, in RFC 3339; a capture that was not promoted has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promoted_at: Option<String>,
    /// `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the classification of the pack, and of the run if
    /// it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// References of its sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub provenance: Vec<String>,
    /// The confidence that it was proposed with, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub confidence: Option<f64>,
    /// The role of the person who accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewed_by: Option<String>,
    /// The reference of the consent that personal data in it was given under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<String>,
    /// True if it holds personal data that no detector knows, such as a name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub personal_data: bool,
    /// The id of the memory that it corrects; only for the class `correction`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrects: Option<String>,
}

/// A memory as a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryFact {
    /// The entity that the fact is about.
    pub entity: String,
    /// The predicate.
    pub predicate: String,
    /// The value.
    pub value: Value,
}
