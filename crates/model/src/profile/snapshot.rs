//! Snapshots: the effective values of a profile, frozen when a run starts.

use super::budgets::ProfileTimeouts;
use super::document::RoutingStrategy;
use super::endpoint::ModelEndpoint;
use super::overrides::RuntimeOverrides;
use super::parameter::UnsentParameter;
use super::power::ProfilePower;
use super::profile_ref::ProfileRef;
use super::prompt::PromptBinding;
use super::reasoning::ReasoningSwitches;
use super::skills::SkillPolicy;
use super::validation::{ValidationMatcher, ValidationMode};
use crate::validation::ValidationPack;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The effective values that govern a run. Nothing outside of it does: prompts and validation packs
/// are part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileSnapshot {
    /// `deed/profile-snapshot/v1`.
    pub format: String,
    /// The profile.
    pub profile_ref: ProfileRef,
    /// The hash of the profile's document.
    #[schemars(with = "String")]
    pub profile_hash: ContentHash,
    /// The bindings, by slot.
    pub bindings: BTreeMap<String, ResolvedBinding>,
    /// The prompts that the bindings use, by reference.
    pub prompts: BTreeMap<String, PromptBinding>,
    /// The validation of all six phases.
    pub validation: BTreeMap<String, ResolvedPhase>,
    /// The validation packs that the phases name, by reference.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub validation_packs: BTreeMap<String, ValidationPack>,
    /// The skills.
    pub skill_policy: SkillPolicy,
    /// The maximum number of steps in flight.
    pub window_size: u64,
    /// The time limits; each of the seven is set.
    pub timeouts: ProfileTimeouts,
    /// The egress, skills and amounts after every level narrowed them.
    pub power: ProfilePower,
    /// The endpoints of providers that are elsewhere, by provider.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub model_endpoints: BTreeMap<String, ModelEndpoint>,
    /// The handling of objectives.
    pub routing_strategy: RoutingStrategy,
    /// Guidance that the planner reads.
    pub planning_guidance: Vec<String>,
    /// Master switches of reasoning; each is set.
    pub reasoning: ReasoningSwitches,
    /// The Context Pack; none stands for the default pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_pack_ref: Option<String>,
    /// The maximum number of replans; none stands for the default of the plan's origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_replans: Option<u64>,
}

/// The effective binding of a slot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolvedBinding {
    /// The consumer.
    pub consumer_key: String,
    /// The model; `none` if it asks no model.
    pub model_binding_ref: String,
    /// The prompt, with its version; none for a consumer that asks no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_binding_ref: Option<String>,
    /// The hash of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub prompt_hash: Option<ContentHash>,
    /// The parameters that are sent.
    pub parameters: RuntimeOverrides,
    /// The parameters that are not sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<UnsentParameter>,
}

/// The effective validation of a phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolvedPhase {
    /// The effect of a failure.
    pub mode: ValidationMode,
    /// The validation pack of files that no matcher matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_pack_ref: Option<String>,
    /// The validation packs of files by their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matchers: Vec<ValidationMatcher>,
}
