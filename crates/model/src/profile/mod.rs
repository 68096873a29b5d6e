//! Execution profiles and prompts: which model does what, with which prompt, parameters, budget and validation.

mod binding;
mod budgets;
mod endpoint;
mod limits;
mod model_ref;
mod overrides;
mod parameter;
mod power;
mod profile_ref;
mod prompt;
mod prompt_ref;
mod reasoning;
mod settings;
mod skills;
mod slot;
mod snapshot;
mod validation;

mod document;

pub use binding::{ConsumerBinding, ExecutorBindings, PlannerPhaseBindings};
pub use budgets::{ProfileBudgets, ProfileTimeouts};
pub use document::{ExecutionProfile, ProfileRouting, RoutingStrategy};
pub use endpoint::ModelEndpoint;
pub use limits::PowerLimits;
pub use model_ref::{ModelRef, ModelRefError};
pub use overrides::RuntimeOverrides;
pub use parameter::{ModelParameter, UnsentParameter};
pub use power::ProfilePower;
pub use profile_ref::ProfileRef;
pub use prompt::{PromptBinding, PromptVariable, VariableSource};
pub use prompt_ref::{PromptRef, PromptRefError};
pub use reasoning::ReasoningSwitches;
pub use settings::ModelSettings;
pub use skills::{PinnedSkill, SkillAutoload, SkillPolicy, SkillPriority, SkillScope};
pub use slot::{BindingSlot, PlannerPhase};
pub use snapshot::{ProfileSnapshot, ResolvedBinding, ResolvedPhase};
pub use validation::{PhaseValidation, ProfileValidation, ValidationMatcher, ValidationMode, ValidationPhases};
