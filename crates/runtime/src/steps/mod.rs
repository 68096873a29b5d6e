//! The nine steps of the harness, one file each, in the order of [`crate::harness`].

pub(crate) mod execute;
pub(crate) mod materialize;
pub(crate) mod persist;
pub(crate) mod postflight;
pub(crate) mod preflight;
pub(crate) mod prepare;
pub(crate) mod project;
pub(crate) mod verify_inputs;
pub(crate) mod verify_outputs;

use crate::codes::STORE;
use crate::fault::fault;
use crate::harness::End;
use deed_model::{FailureClass, StepFailure};
use deed_ports::{StoreError, StoreErrorKind};

/// Trouble with the disk or the journal is nobody's fault, and a fresh attempt may be spared it.
pub(crate) fn disk(what: &str, error: &std::io::Error) -> StepFailure {
    let failure = fault(FailureClass::SandboxRuntime, STORE, format!("{what}: {error}"));
    let help = match error.kind() {
        std::io::ErrorKind::StorageFull => Some("the disk is full: make room, then `deed runs resume`"),
        std::io::ErrorKind::ReadOnlyFilesystem | std::io::ErrorKind::PermissionDenied => {
            Some("the workspace cannot be written: make it writable, then `deed runs resume`")
        }
        _ => None,
    };
    StepFailure { help: help.map(str::to_owned), ..failure }
}

/// The same for the store. What cannot be written down ends the attempt, and decides nothing.
pub(crate) fn store(error: StoreError) -> End {
    match error.kind {
        StoreErrorKind::Corrupt | StoreErrorKind::Unknown => {
            let failure = fault(FailureClass::MissingArtifact, STORE, error.message);
            StepFailure { help: error.help, ..failure }.into()
        }
        _ => End::Stopped,
    }
}
