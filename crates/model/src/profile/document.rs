//! Execution profiles as they are authored.

use super::binding::{ConsumerBinding, ExecutorBindings, PlannerPhaseBindings};
use super::budgets::ProfileBudgets;
use super::endpoint::ModelEndpoint;
use super::prompt::PromptBinding;
use super::reasoning::ReasoningSwitches;
use super::skills::SkillPolicy;
use super::validation::ProfileValidation;
use crate::execution::EgressRule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An execution profile: one versioned file that says which model does what, with which prompt, budget and validation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExecutionProfile {
    /// Its id: lowercase words with dashes.
    #[schemars(length(min = 1, max = 200))]
    pub profile_id: String,
    /// Its version: three numbers.
    pub version: String,
    /// The issuer that signs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// Its purpose, for people.
    #[serde(default)]
    pub summary: String,
    /// The binding of every consumer that has none of its own.
    #[serde(default)]
    pub default_binding: ConsumerBinding,
    /// The bindings of the phases in which a plan is made.
    #[serde(default)]
    pub planner_phase_bindings: PlannerPhaseBindings,
    /// The bindings of the executor, by backend.
    #[serde(default)]
    pub executor_by_backend: ExecutorBindings,
    /// The bindings of the other consumers, by their keys.
    #[serde(default)]
    pub consumer_bindings: BTreeMap<String, ConsumerBinding>,
    /// Prompts of its own, which are versioned, signed and published with it.
    #[serde(default)]
    pub prompts: Vec<PromptBinding>,
    /// The validation of each phase.
    #[serde(default)]
    pub validation: ProfileValidation,
    /// The skills.
    #[serde(default)]
    pub skill_policy: SkillPolicy,
    /// The budgets and timeouts.
    #[serde(default)]
    pub budgets: ProfileBudgets,
    /// The handling of objectives.
    #[serde(default)]
    pub routing: ProfileRouting,
    /// Guidance that the planner reads, one sentence each.
    #[serde(default)]
    pub planning_guidance: Vec<String>,
    /// The egress rules of its runs. A step may only narrow them; without a rule nothing can be reached.
    #[serde(default)]
    pub egress: Vec<EgressRule>,
    /// The endpoints of providers that are elsewhere, by provider.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub model_endpoints: BTreeMap<String, ModelEndpoint>,
    /// Master switches of reasoning.
    #[serde(default)]
    pub reasoning: ReasoningSwitches,
    /// The Context Pack that model calls are compiled from: `ctxpack.support@1.0.0`; the default pack if it is left out.
    #[serde(default)]
    pub context_pack_ref: Option<String>,
    /// The maximum number of replans after a rejected plan.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub max_replans: Option<u64>,
}

impl ExecutionProfile {
    /// Returns every binding of the profile, the default one first.
    pub fn all_bindings(&self) -> Vec<&ConsumerBinding> {
        let PlannerPhaseBindings { pass_a, pass_b, pass_c, pass_d, repair } = &self.planner_phase_bindings;
        let ExecutorBindings { sandbox_session, tool_loop, edge_isolate, native } = &self.executor_by_backend;
        let phases = [pass_a, pass_b, pass_c, pass_d, repair, sandbox_session, tool_loop, edge_isolate, native];
        let single = std::iter::once(&self.default_binding).chain(phases.into_iter().flatten());
        single.chain(self.consumer_bindings.values()).collect()
    }

    /// Returns the prompts that the bindings name, as they are written.
    pub fn prompt_references(&self) -> Vec<String> {
        self.all_bindings().into_iter().filter_map(|binding| binding.prompt_binding_ref.clone()).collect()
    }
}

/// The handling of objectives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProfileRouting {
    /// The strategy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<RoutingStrategy>,
}

/// The handling of an objective before it is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoutingStrategy {
    /// Use a capsule that fits; otherwise plan.
    CapsuleFirst,
    /// Always plan.
    PlanAlways,
    /// Use a capsule that fits; otherwise refuse.
    CapsuleOnly,
}
