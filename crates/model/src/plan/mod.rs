//! Plans as they are written, and the contracts they are compiled to.

mod authored;
mod budget;
mod calls;
mod compiled;
mod contract;
mod criterion;
mod ports;
mod repair;
mod set;
mod words;

pub use authored::{
    ExpectedOutput, ItemLoop, Mission, MissionInput, OutputLocation, OutputRole, Plan, PlanGate, PlanStep,
    ResolutionStatus, SemanticHints, SideEffect, StepCode,
};
pub use budget::Budget;
pub use calls::CallGate;
pub use compiled::{CompiledPlan, GateContract, MissionInputContract};
pub use contract::{
    ArtifactContract, Backend, Binding, BindingRank, ExecutionContract, ExecutionPattern, InputContract, IoContract,
    OutputContract, Producer, Routing, StepContract, StepKind, StepPolicy, Validator, ValidatorCheck,
};
pub use criterion::{Condition, ConditionCheck, Criterion};
pub use ports::{AbstractInput, AbstractOutput, Adapt, ArtifactSpec, Measure, MeasureKind, TopLevelType};
pub use repair::{FailureClass, RepairBoundary, RepairPolicy, RepairStrategy};
pub use set::{DEFAULT_MOST_FILES, MOST_FILES, WriteSet, covers, folder_of_set, in_set, is_set};
pub use words::{
    ArtifactRef, CompiledInput, CompiledOutput, CompiledStepContract, ExecutableContract, ExecutionPolicy,
};
