//! Refusals as one word: the code of a refusal, or the kind of a store error.

use deed_ports::EngineError;

/// The run is unknown.
pub(crate) const NO_SUCH_RUN: &str = "D2004";
/// The gate asks another role.
pub(crate) const OTHER_ROLE: &str = "D2011";
/// The gate is not waiting for this decision.
pub(crate) const NOT_ASKED: &str = "D2012";
/// The gate was decided before.
pub(crate) const DECIDED: &str = "D2068";
/// Another process drives the run.
pub(crate) const HELD: &str = "Held";
/// The name belongs to another run.
pub(crate) const CONFLICT: &str = "Conflict";

/// The word for an error.
pub(crate) fn word(error: &EngineError) -> String {
    match error {
        EngineError::Store(trouble) => format!("{:?}", trouble.kind),
        EngineError::Refused { code, .. } => code.to_string(),
    }
}

/// Asserts that a request is refused, in this way.
#[track_caller]
pub(crate) fn expect<T: std::fmt::Debug>(result: Result<T, EngineError>, wanted: &str) {
    match result {
        Ok(given) => panic!("it was not refused: {given:?}"),
        Err(error) => assert_eq!(word(&error), wanted, "{error}"),
    }
}
