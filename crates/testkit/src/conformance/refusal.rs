//! Refusals as one word: the code of what was refused, or the sort of trouble that a store is in.

use deed_ports::EngineError;

/// Nobody knows the run.
pub(crate) const NO_SUCH_RUN: &str = "D2004";
/// Another role is asked.
pub(crate) const OTHER_ROLE: &str = "D2011";
/// Nobody asks that, or not any more, or it is no answer.
pub(crate) const NOT_ASKED: &str = "D2012";
/// The gate was decided before.
pub(crate) const DECIDED: &str = "D2068";
/// Another process drives the run.
pub(crate) const HELD: &str = "Held";
/// The name stands for another run.
pub(crate) const CONFLICT: &str = "Conflict";

/// The word for an error.
pub(crate) fn word(error: &EngineError) -> String {
    match error {
        EngineError::Store(trouble) => format!("{:?}", trouble.kind),
        EngineError::Refused { code, .. } => code.to_string(),
    }
}

/// What was asked for has to be refused, in this way.
#[track_caller]
pub(crate) fn expect<T: std::fmt::Debug>(result: Result<T, EngineError>, wanted: &str) {
    match result {
        Ok(given) => panic!("it was not refused: {given:?}"),
        Err(error) => assert_eq!(word(&error), wanted, "{error}"),
    }
}
