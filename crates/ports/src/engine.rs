//! Whoever drives runs: the embedded engine, and later one for many machines. Both pass one suite.

use crate::error::StoreError;
use crate::journal::Created;
use deed_diag::Code;
use deed_model::{GateSubject, RunEvent, RunOutcome, RunRequest, SignedApproval};
use std::sync::Arc;
use thiserror::Error;

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// It can go on.
    Running,
    /// Nothing can go on before a person has answered.
    Waiting(Vec<GateSubject>),
    /// It ended.
    Ended(RunOutcome),
}

/// Why an engine refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The store is in trouble.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was asked for cannot be done.
    #[error("{message}")]
    Refused {
        /// The code, which `deed explain` knows.
        code: Code,
        /// The reason.
        message: String,
        /// What can be done about it.
        help: Option<String>,
    },
}

/// Whoever watches a run while it goes.
pub trait Observer: Send + Sync {
    /// Something happened. The event may not be on disk yet.
    fn happened(&self, event: &RunEvent);
}

/// Whoever drives runs.
pub trait Engine: Send + Sync {
    /// Takes a run in. The same request twice is one run.
    fn submit(&self, request: &RunRequest) -> Result<Created, EngineError>;

    /// Drives a run until it ends or waits for a person.
    fn drive(&self, run_id: &str, observer: Arc<dyn Observer>) -> Result<Standing, EngineError>;

    /// Asks to end a run, whoever drives it.
    fn cancel(&self, run_id: &str, by: &str, why: Option<&str>) -> Result<(), EngineError>;

    /// Hands in a decision at a gate.
    fn decide(&self, run_id: &str, signed: SignedApproval) -> Result<(), EngineError>;

    /// Where a run stands.
    fn standing(&self, run_id: &str) -> Result<Standing, EngineError>;
}
