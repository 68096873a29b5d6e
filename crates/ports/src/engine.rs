//! Engines drive runs: the embedded one, and later one for many machines. All pass one conformance suite.

use crate::error::StoreError;
use crate::journal::Created;
use deed_diag::Code;
use deed_model::{GateSubject, RunEvent, RunOutcome, RunRequest, SignedApproval};
use std::sync::Arc;
use thiserror::Error;

/// The standing of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// It can continue.
    Running,
    /// It waits for decisions of people.
    Waiting(Vec<GateSubject>),
    /// It ended.
    Ended(RunOutcome),
}

/// An error of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The request was refused.
    #[error("{message}")]
    Refused {
        /// The code, which `deed explain` knows.
        code: Code,
        /// The reason.
        message: String,
        /// The fix.
        help: Option<String>,
    },
}

/// An observer of a run.
pub trait Observer: Send + Sync {
    /// Receives an event, which may not be on disk yet.
    fn happened(&self, event: &RunEvent);
}

/// An observer that ignores every event, for callers that read the journal afterwards.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn happened(&self, _: &RunEvent) {}
}

/// An engine drives runs.
pub trait Engine: Send + Sync {
    /// Accepts a run. The same request twice is one run.
    ///
    /// # Errors
    /// The request is not allowed, its name belongs to another run, or the store fails.
    fn submit(&self, request: &RunRequest) -> Result<Created, EngineError>;

    /// Drives a run until it ends or waits for a person.
    ///
    /// # Errors
    /// The run is unknown, another process drives it, its journal was changed, or the store fails.
    fn drive(&self, run_id: &str, observer: Arc<dyn Observer>) -> Result<Standing, EngineError>;

    /// Requests the cancellation of a run, also if another process drives it.
    ///
    /// # Errors
    /// The run is unknown, its journal was changed, or the store fails.
    fn cancel(&self, run_id: &str, by: &str, why: Option<&str>) -> Result<(), EngineError>;

    /// Records a decision at a gate.
    ///
    /// # Errors
    /// The gate is not waiting for this decision, the signature or the role is not the required one, or the store fails.
    fn decide(&self, run_id: &str, signed: SignedApproval) -> Result<(), EngineError>;

    /// Returns the standing of a run.
    ///
    /// # Errors
    /// The run is unknown, its journal was changed, or the store fails.
    fn standing(&self, run_id: &str) -> Result<Standing, EngineError>;
}
