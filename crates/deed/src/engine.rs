//! Runs compiled plans.
//!
//! [`Engine`] is the port that every engine implements and that the conformance suite tests; [`LocalEngine`] is the
//! embedded one. A front end needs only the port:
//!
//! ```
//! use deed::engine::{Engine, EngineError, Standing};
//!
//! fn is_waiting(engine: &dyn Engine, run_id: &str) -> Result<Standing, EngineError> {
//!     engine.standing(run_id)
//! }
//! ```
//!
//! [`crate::app::runs`] opens an embedded engine on a project folder.
//!
//! # Errors
//!
//! Every operation returns an [`EngineError`] where the run does not exist, is held by another process, or the store cannot
//! be read or written.

pub use deed_model::{RunEvent, RunRequest};
pub use deed_ports::{Engine, EngineError, JournalEntry, Observer, Standing, Unobserved};
pub use deed_runtime::{GateState, LocalEngine, RunState, StepState, StepStatus, Submission, World, prepare};
