//! The runtime of compiled plans: the harness, the engine, the bridge, budgets, approval gates and retries.
//!
//! A run is a fold over its journal ([`RunState`]). The engine decides which steps can begin; the harness makes nine
//! steps around the work of each; the bridge and the proxy are the only egress of the sandbox. Every effect is on disk
//! before it can happen a second time, and a run survives a crash at any instant: another process resumes it.

#![allow(
    clippy::disallowed_methods,
    reason = "this crate runs things: it stages files, measures time and starts threads"
)]

mod attempt;
mod backends;
mod bridge;
mod budget;
mod checkpoint;
mod checks;
mod conceal;
mod content;
mod descriptors;
mod distill;
mod engine;
mod evaluator;
mod family;
mod fault;
mod gates;
mod harness;
mod ingest;
mod models;
mod profile;
mod receipts;
mod repair;
mod run;
mod sets;
mod site;
mod spans;
mod stage;
mod state;
mod steps;
mod submit;
mod trust;
mod types;
mod validation;
mod verify;
mod workspace;
mod world;

pub use backends::{CodeFinding, CodeFindingKind, inspect_isolated};
pub use bridge::{OPERATOR, implements};
pub use distill::{
    DISTILL_STEP, DistillStanding, DistillSubmission, Distiller, begin_distillation, distilled_words,
    reverify_distillation,
};
pub use engine::{LocalEngine, from_on, standing};
pub use evaluator::RuleEvaluator;
pub use gates::{Decided, DecisionRefusal, LONGEST_GATE, decide, lost_authority, subject_hash};
pub use models::{ModelSource, asked_consumers};
pub use site::Site;
pub use state::{CallState, Cancelled, GateState, MOST_REMARKS, ModelCallState, RunState, StepState, StepStatus};
pub use submit::{Links, Submission, linked_inputs, prepare};
pub use trust::Trust;
pub use validation::{PlanCandidate, judge_candidate, remarks as remarks_on, validation_remarks};
pub use verify::{Reverified, Verification, VerifiedPart, reverify};
pub use world::{Approver, Blobs, Journal, World};
