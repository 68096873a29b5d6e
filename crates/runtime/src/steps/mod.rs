//! The nine steps of the harness, one file each, in the order of [`crate::harness`].

pub(crate) mod code;
pub(crate) mod execute;
pub(crate) mod materialize;
mod network;
pub(crate) mod persist;
pub(crate) mod postflight;
pub(crate) mod preflight;
pub(crate) mod prepare;
pub(crate) mod project;
mod raised;
pub(crate) mod verify_inputs;
pub(crate) mod verify_outputs;

pub(crate) use execute::spent_before;

use crate::fault::{FailureExt, fault};
use crate::harness::End;
use deed_diag::codes;
use deed_model::{FailureCause, FailureClass};
use deed_ports::{StoreError, StoreErrorKind};
use std::io::ErrorKind;

/// A failure over the disk, which is not the step's fault. Where a person has to
/// help, nothing is decided; otherwise a retry may avoid it.
pub(crate) fn disk(what: &str, error: &std::io::Error) -> End {
    match unusable(what, error) {
        Some(error) => End::Unavailable(error),
        None => {
            let failure = fault(FailureClass::SandboxRuntime, codes::STORE_FAILED, format!("{what}: {error}"));
            failure.because(FailureCause::SandboxTransport5xx).into()
        }
    }
}

/// Returns the error of a disk that a person has to fix; none if a retry may succeed.
pub(crate) fn unusable(what: &str, error: &std::io::Error) -> Option<StoreError> {
    let help = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full: make room, then `deed runs resume`",
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            "the workspace cannot be written: make it writable, then `deed runs resume`"
        }
        _ => return None,
    };
    Some(StoreError::new(StoreErrorKind::Unavailable, format!("{what}: {error}")).help(help))
}

/// A failure over the store. What cannot be recorded ends the attempt, and decides nothing.
pub(crate) fn store(error: StoreError) -> End {
    match error.kind {
        StoreErrorKind::Corrupt | StoreErrorKind::Unknown => {
            // A step that fails over it has failed without a retry, so the run can only be continued as a fork.
            let help = error.help.unwrap_or_else(|| "restore the bytes from a backup".to_owned());
            let help = format!("{help}; then continue with `deed run --plan PLAN --from RUN --step STEP`");
            fault(FailureClass::MissingArtifact, codes::STORE_FAILED, error.message).help(help).into()
        }
        _ => End::Unavailable(error),
    }
}
