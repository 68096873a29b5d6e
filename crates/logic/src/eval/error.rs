//! Errors of an evaluation.

use std::fmt;

use crate::shown::clip;

/// A failed evaluation, with the expression that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// JSON Pointer into the rule.
    pub pointer: String,
    /// The kind of error.
    pub kind: EvalErrorKind,
}

/// The kind of an evaluation error. Values are quoted in at most 60 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalErrorKind {
    /// The data has nothing at this path and the rule has no default.
    MissingVariable {
        /// The path, joined by dots.
        path: String,
    },
    /// An operand of the wrong type.
    TypeMismatch {
        /// The operator.
        op: &'static str,
        /// The expected operand, in words.
        expected: &'static str,
        /// The actual operand, in words.
        found: String,
    },
    /// A comparison between values of different types.
    MixedComparison {
        /// The operator.
        op: &'static str,
        /// The left value, in words.
        left: String,
        /// The right value, in words.
        right: String,
    },
    /// A division or a remainder by zero.
    DivisionByZero,
    /// The result, or a part of it, is not a number.
    NotANumber,
    /// The result, or a part of it, is infinite.
    Infinite,
    /// The result, or a part of it, is undefined.
    Undefined,
    /// A condition or a predicate returned something other than true or false.
    NotBoolean {
        /// The actual value, in words.
        found: String,
    },
    /// The evaluation took more steps than the limit.
    StepLimit {
        /// The limit.
        limit: u64,
    },
    /// The evaluation built arrays nested too deeply.
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// A string was cut in the middle of a character.
    SplitCharacter,
    /// `missing` was given an object that json-logic-js would run as a rule.
    DataAsLogic,
    /// json-logic-js throws here.
    Throws {
        /// The reason.
        reason: &'static str,
    },
}

impl fmt::Display for EvalErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalErrorKind::MissingVariable { path } => {
                write!(f, "the context has no `{}`", clip(path))
            }
            EvalErrorKind::TypeMismatch { op, expected, found } => {
                write!(f, "`{op}` needs {expected}, got {found}")
            }
            EvalErrorKind::MixedComparison { op, left, right } => {
                write!(f, "`{op}` cannot compare {left} with {right}")
            }
            EvalErrorKind::DivisionByZero => f.write_str("division by zero"),
            EvalErrorKind::NotANumber => f.write_str("the result is not a number"),
            EvalErrorKind::Infinite => f.write_str("the result is infinite"),
            EvalErrorKind::Undefined => f.write_str("the result is undefined"),
            EvalErrorKind::NotBoolean { found } => {
                write!(f, "a condition must be true or false, got {found}")
            }
            EvalErrorKind::StepLimit { limit } => {
                write!(f, "the evaluation took more than {limit} steps")
            }
            EvalErrorKind::TooDeep { limit } => {
                write!(f, "the evaluation built arrays nested deeper than {limit} levels")
            }
            EvalErrorKind::SplitCharacter => f.write_str("a string was cut inside a character"),
            EvalErrorKind::DataAsLogic => f.write_str("`missing` was given an object, which would be run as a rule"),
            EvalErrorKind::Throws { reason } => f.write_str(reason),
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for EvalError {}
