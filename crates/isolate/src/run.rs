//! The entry point: checks the call, runs the script on a thread of its own, and waits no longer than the limits.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::IsolateError;
use crate::grants::Grants;
use crate::limits::IsolateLimits;
use crate::step::Step;
use crate::{words, worker};

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IsolateOutput {
    /// The bytes to write, by path.
    pub outputs: BTreeMap<String, Vec<u8>>,
    /// The log, one entry for each call of `console`.
    pub log: Vec<String>,
    /// The resources that the run used.
    pub usage: IsolateUsage,
}

/// A run that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IsolateFailure {
    /// The reason.
    pub error: IsolateError,
    /// The log up to the failure; empty if the script never answered.
    pub log: Vec<String>,
}

impl From<IsolateError> for IsolateFailure {
    fn from(error: IsolateError) -> Self {
        Self { error, log: Vec::new() }
    }
}

/// The resources that a run used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IsolateUsage {
    /// Calls and jumps, in whole steps of [`IsolateLimits::OPERATIONS_STEP`]; the same at every run.
    pub operations: u64,
    /// Bytes of heap in use when the script ended, not the peak; the same at every run.
    pub memory_at_end: u64,
}

/// Runs `source` over `inputs`, which may write `writes`; the documentation of the crate has the script's contract.
///
/// # Errors
/// The call is invalid, the source does not compile, the script throws or exceeds a limit, or its outputs are refused.
pub fn run(
    source: &str,
    inputs: &[(String, Vec<u8>)],
    writes: &[String],
    grants: &Grants,
    limits: &IsolateLimits,
) -> Result<IsolateOutput, IsolateFailure> {
    check(source, inputs, limits)?;
    let step = Step {
        source: source.to_owned(),
        inputs: inputs.to_vec(),
        writes: writes.to_vec(),
        grants: grants.clone(),
        limits: limits.clone(),
    };
    worker::run(step)
}

/// Refuses an invalid call.
fn check(source: &str, inputs: &[(String, Vec<u8>)], limits: &IsolateLimits) -> Result<(), IsolateError> {
    if source.len() > limits.source {
        return Err(IsolateError::SourceTooLarge { bytes: source.len(), limit: limits.source });
    }
    if limits.stack == 0 || limits.stack > IsolateLimits::LARGEST_STACK {
        let why = format!("the stack limit must be from 1 to {} bytes", IsolateLimits::LARGEST_STACK);
        return Err(IsolateError::BadCall { why });
    }
    if limits.memory == 0 {
        return Err(IsolateError::BadCall { why: "the memory limit must not be zero".to_owned() });
    }
    words::check(source)?;
    let mut seen = BTreeSet::new();
    match inputs.iter().find(|(path, _)| !seen.insert(path)) {
        Some((path, _)) => Err(IsolateError::BadCall { why: format!("duplicate input `{path}`") }),
        None => Ok(()),
    }
}
