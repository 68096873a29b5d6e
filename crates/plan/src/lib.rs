//! The plan language, and the pass that turns a plan into frozen, hashed step contracts.
//!
//! Input: a plan as a document with its source, and the types as a catalogue. Output: a compiled plan, or every reason why
//! it cannot be compiled, each at its place. Invariants: no binding is "close enough", nothing depends on the order of steps
//! or keys in the file, and a plan that compiles has no required input without a producer.
//!
//! The crate is pure: it reads no file, no clock and no network.

mod criteria;
mod diff;
mod endpoints;
mod explain;
mod graph;
mod lower;
mod options;
mod order;
mod path;
mod read;
mod scaffold;
mod seal;
mod sources;

pub use criteria::conditions;
pub use diff::{PlanChange, PlanChangeClass, PlanDiff, diff};
pub use endpoints::Endpoints;
pub use explain::{
    ExplainedCost, ExplainedFailure, ExplainedInput, ExplainedOutput, ExplainedPhase, Explanation, explain,
};
pub use graph::{GraphFormat, graph};
pub use lower::{Lowered, call_arguments, lower, lower_with};
pub use options::LowerOptions;
pub use path::{NormalPath, composed, folded_path, normal_path};
pub use read::read;
pub use scaffold::scaffold;
pub use seal::{contract_hash, plan_hash, spec_hash};
pub use sources::{Sources, code_files};
