//! Artifact identity, issuer and compatibility.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Who issued the contract and what it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ContractMeta {
    /// Stable name of the contract.
    #[schemars(length(min = 1))]
    pub contract_name: String,
    /// Version of the contract's schema: three numbers, apart from the pack's version.
    #[schemars(regex(pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$"))]
    pub contract_version: String,
    /// The tenant or authority that publishes; its key signs.
    #[schemars(length(min = 1))]
    pub issuer: String,
    /// When the contract was written, as an RFC 3339 time.
    pub created_at: String,
    /// What the pack needs of its surroundings.
    pub compatibility: Compatibility,
    /// What the pack is for, in a sentence; changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Who to ask; changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// What the pack needs of its surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Compatibility {
    /// Version ranges by component (`runtime`, `ontology`): comparators joined by commas, all of which must hold.
    pub requires: BTreeMap<String, String>,
}
