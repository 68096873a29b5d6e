//! Plans as authored, and the contracts that they are compiled to.

mod authored;
mod budget;
mod calls;
mod compiled;
mod contract;
mod criterion;
mod executable;
mod ports;
mod repair;
mod set;

pub use authored::{
    ExpectedOutput, ItemLoop, Mission, MissionInput, OutputLocation, OutputRole, Plan, PlanGate, PlanStep,
    ResolutionStatus, SemanticHints, SideEffect, StepCode,
};
pub use budget::Budget;
pub use calls::CallGate;
pub use compiled::{CompiledPlan, GateContract, MissionInputContract};
pub use contract::{
    ArtifactContract, Backend, Binding, BindingRank, ExecutionContract, ExecutionPattern, HeldEntity, InputContract,
    IoContract, OutputContract, Producer, Routing, StepContract, StepKind, StepPolicy, Validator, ValidatorCheck,
};
pub use criterion::{Condition, ConditionCheck, Criterion};
pub use executable::{
    ArtifactRef, CompiledInput, CompiledOutput, CompiledStepContract, ExecutableContract, ExecutionPolicy,
};
pub use ports::{AbstractInput, AbstractOutput, AdapterSettings, ArtifactSpec, Measure, MeasureKind, TopLevelType};
pub use repair::{FailureClass, RepairBoundary, RepairPolicy, RepairStrategy};
pub use set::{DEFAULT_MOST_FILES, MOST_FILES, WriteSet, covers, folder_of_set, in_set, is_set};
