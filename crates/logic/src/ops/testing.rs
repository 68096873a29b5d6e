//! The helper that makes a new operator case one line long.

use serde_json::Value;

use crate::{EvalErrorKind, Mode, Program};

/// Evaluates a rule.
pub(crate) fn run(mode: Mode, rule: &Value, data: &Value) -> Result<Value, EvalErrorKind> {
    Program::compile(rule, mode).unwrap().eval(data).map_err(|e| e.kind)
}

/// A rule gives this value in strict mode.
pub(crate) fn strict(rule: Value, data: Value, expected: Value) {
    assert_eq!(run(Mode::Strict, &rule, &data), Ok(expected), "strict {rule} on {data}");
}

/// A rule gives this value in compat mode.
pub(crate) fn compat(rule: Value, data: Value, expected: Value) {
    assert_eq!(run(Mode::Compat, &rule, &data), Ok(expected), "compat {rule} on {data}");
}

/// A rule gives this value in both modes.
pub(crate) fn check(rule: Value, data: Value, expected: Value) {
    strict(rule.clone(), data.clone(), expected.clone());
    compat(rule, data, expected);
}

/// A rule fails in strict mode with this message.
pub(crate) fn strict_fails(rule: Value, data: Value, message: &str) {
    let error = run(Mode::Strict, &rule, &data).unwrap_err();
    assert_eq!(error.to_string(), message, "strict {rule} on {data}");
}

/// A rule fails in compat mode with this message.
pub(crate) fn compat_fails(rule: Value, data: Value, message: &str) {
    let error = run(Mode::Compat, &rule, &data).unwrap_err();
    assert_eq!(error.to_string(), message, "compat {rule} on {data}");
}
