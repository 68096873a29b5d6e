//! A proposed memory, as a person or a program writes it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A memory that is proposed for promotion. It is a candidate and no memory: nothing recalls it before it is promoted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryProposal {
    /// The tenant that it belongs to; must be the pack's.
    #[schemars(length(min = 1))]
    pub tenant_id: String,
    /// The subject that it is about, or `*` for any, where the pack's scope is the tenant.
    #[schemars(length(min = 1))]
    pub subject: String,
    /// The intent that it serves, or `*` for any.
    #[schemars(length(min = 1))]
    pub intent_id: String,
    /// `working`, `episodic`, `semantic` or `durable`; its lifetime is the pack's.
    #[schemars(length(min = 1))]
    pub tier: String,
    /// The class of memory; one that the pack allows.
    #[schemars(length(min = 1))]
    pub class: String,
    /// The memory as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The entity of a fact: with `predicate` and `value`, in place of `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// The predicate of a fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicate: Option<String>,
    /// The value of a fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the classification of the pack.
    #[schemars(length(min = 1))]
    pub classification: String,
    /// References of its sources, such as `tool:orders.get_order:call_7` or `feedback:fb_204`.
    pub provenance: Vec<String>,
    /// The confidence of the proposer, from 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub confidence: f64,
    /// True if it holds personal data that no detector knows, such as a name or an address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub personal_data: bool,
    /// The reference of the consent that it was given under, such as `consent:cus_17:2026-03-01`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<String>,
    /// The id of the memory that it corrects; only for the class `correction`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrects: Option<String>,
}
