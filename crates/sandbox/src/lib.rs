//! Sandboxes: a policy becomes a plan, and a plan a process that can do no more than the plan allows.
//!
//! [`probe`] determines what this machine can enforce, [`plan`] turns a job and a demand into a value that lists every
//! mount, limit and rule, and [`run`] executes that value. The plan is pure and can be printed; nothing is decided
//! after it. If the machine offers less than is demanded, the plan is refused.
#![allow(clippy::disallowed_methods, reason = "this crate starts processes, reads the clock and makes files")]

mod descriptors;
mod helper;
mod interpreter;
mod job;
mod plan;
mod probe;
mod refusal;
mod remove;
mod room;
mod run;
mod tools;

pub use descriptors::{open_files, raise_open_files};
pub use interpreter::{
    Interpreter, InterpreterError, InterpreterPath, Language, LanguageError, PrivatePaths, find_interpreter,
};
pub use job::{Bind, Job};
pub use plan::{GroupPlan, MountKind, PlannedMount, SandboxPlan, Setting, SyscallPlan, User, plan};
pub use probe::{Bwrap, Group, Missing, Probe, ProbeOptions, RootEntry, probe};
pub use refusal::Refusal;
pub use remove::remove_tree;
pub use room::is_full;
pub use run::{CapturedOutput, Control, Ended, Outcome, Quota, abandon_all, run};
pub use tools::{ToolPaths, Tools, ToolsError};
