//! Policy profiles: how strictly the compiler and the runtime hold steps to their contracts.

use super::names::PolicyProfileId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A policy profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyProfile {
    /// Its name.
    pub policy_profile_id: PolicyProfileId,
    /// What it is for.
    pub purpose: String,
    /// What it demands.
    pub rules: PolicyRules,
}

/// What a policy demands. A step under several is held to the strictest of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyRules {
    /// Which adapters the compiler may insert.
    pub adapters: AdapterUse,
    /// Whether data without a description may be bound. A policy that says nothing neither allows nor forbids it:
    /// generic data is bound only if one policy of the step allows it and none forbids it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generic: Option<bool>,
    /// Whether a step may read a file by a bare path, without saying its entity and kind.
    #[serde(default)]
    pub bare_paths: bool,
    /// Whether an output may have columns that its entity does not list.
    pub unknown_columns: bool,
    /// What is asked of the provenance of data.
    pub provenance: ProvenanceDemand,
    /// Whether effects beyond the workspace wait for a person.
    pub effects_need_gate: bool,
    /// Whether every output names its artifact contract instead of having it derived.
    pub explicit_contracts: bool,
}

impl PolicyRules {
    /// The most that any policy demands: what holds where no policy is known.
    pub const STRICTEST: Self = Self {
        adapters: AdapterUse::None,
        generic: Some(false),
        bare_paths: false,
        unknown_columns: false,
        provenance: ProvenanceDemand::Required,
        effects_need_gate: true,
        explicit_contracts: true,
    };

    /// Returns whether generic data may be bound.
    pub fn allows_generic(&self) -> bool {
        self.generic == Some(true)
    }

    /// What both demand.
    pub fn and(self, other: Self) -> Self {
        Self {
            adapters: self.adapters.min(other.adapters),
            generic: match (self.generic, other.generic) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), _) | (_, Some(true)) => Some(true),
                (None, None) => None,
            },
            bare_paths: self.bare_paths && other.bare_paths,
            unknown_columns: self.unknown_columns && other.unknown_columns,
            provenance: self.provenance.max(other.provenance),
            effects_need_gate: self.effects_need_gate || other.effects_need_gate,
            explicit_contracts: self.explicit_contracts || other.explicit_contracts,
        }
    }
}

/// Which adapters the compiler may insert by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdapterUse {
    /// None: a step has to name each.
    None,
    /// Those that keep every value.
    KeepsValues,
    /// Any that is registered.
    Any,
}

/// What is asked of the provenance of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProvenanceDemand {
    /// Nothing.
    #[default]
    None,
    /// It is said if it is missing.
    Preferred,
    /// It must be there.
    Required,
}
