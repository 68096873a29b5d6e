//! Policy profiles: how strictly the compiler and the runtime enforce step contracts.

use super::names::PolicyProfileId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A policy profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyProfile {
    /// The profile's id.
    pub policy_profile_id: PolicyProfileId,
    /// A short description.
    pub purpose: String,
    /// The rules.
    pub rules: PolicyRules,
}

/// The rules of a policy. Of several policies of a step, the strictest of each rule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyRules {
    /// The adapters that the compiler may insert.
    pub adapters: AdapterUse,
    /// True if data without a description may be bound, false if it must not. `None` neither allows nor forbids it:
    /// generic data is bound only if one policy of the step allows it and none forbids it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generic: Option<bool>,
    /// True if a step may read a file by a bare path, without naming its entity and kind.
    #[serde(default)]
    pub bare_paths: bool,
    /// True if an output may have columns that its entity does not list.
    pub unknown_columns: bool,
    /// The provenance that data must have.
    pub provenance: ProvenanceDemand,
    /// True if effects beyond the workspace need an approval.
    pub effects_need_gate: bool,
    /// True if every output must name its artifact contract instead of having it derived.
    pub explicit_contracts: bool,
}

impl PolicyRules {
    /// The strictest rules: the default if no policy is known.
    pub const STRICTEST: Self = Self {
        adapters: AdapterUse::None,
        generic: Some(false),
        bare_paths: false,
        unknown_columns: false,
        provenance: ProvenanceDemand::Required,
        effects_need_gate: true,
        explicit_contracts: true,
    };

    /// Returns true if generic data may be bound.
    pub fn allows_generic(&self) -> bool {
        self.generic == Some(true)
    }

    /// Combines two policies: the stricter of each rule.
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

    /// Combines the policies of a plan with those that a step names for itself: a step can only be stricter. Generic data
    /// is bound only if both allow it, since a policy of either that does not state it would not bind it alone.
    pub fn tightened_by(self, own: Self) -> Self {
        let rules = self.and(own);
        let both = self.allows_generic() && own.allows_generic();
        Self { generic: rules.generic.filter(|allowed| !*allowed || both), ..rules }
    }
}

/// The adapters that the compiler may insert on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdapterUse {
    /// None: a step must name each adapter.
    None,
    /// Adapters that lose no values.
    KeepsValues,
    /// Any registered adapter.
    Any,
}

/// The provenance that data must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProvenanceDemand {
    /// Nothing.
    #[default]
    None,
    /// Missing provenance is a warning.
    Preferred,
    /// Missing provenance is an error.
    Required,
}
