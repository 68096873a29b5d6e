//! Errors of compiling a rule.

use std::fmt;

use crate::shown::clip;

/// One error of a rule, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// JSON Pointer into the rule.
    pub pointer: String,
    /// The kind of error.
    pub kind: CompileErrorKind,
}

/// The kind of a compile error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileErrorKind {
    /// No operator has this name.
    UnknownOperator {
        /// The name as written.
        name: String,
        /// The operator that was probably intended.
        suggestion: Option<String>,
    },
    /// An operator that this mode deliberately does not support.
    RefusedOperator {
        /// The name as written.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// The wrong number of arguments.
    Arity {
        /// The operator.
        op: String,
        /// The accepted number, in words.
        expected: String,
        /// The actual number.
        got: usize,
    },
    /// An object that does not have exactly one key.
    NotAnOperator {
        /// The number of its keys.
        keys: usize,
    },
    /// More levels than [`Limits::max_depth`](crate::Limits).
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// More expressions than [`Limits::max_nodes`](crate::Limits).
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// A static cost above [`Limits::max_cost`](crate::Limits).
    TooCostly {
        /// The estimate.
        cost: u64,
        /// The limit.
        limit: u64,
    },
    /// A path that `var` cannot read.
    BadVarPath {
        /// The path as written.
        path: String,
        /// The reason.
        reason: &'static str,
    },
}

impl CompileErrorKind {
    /// Returns help, apart from the message.
    pub fn help(&self) -> Option<String> {
        match self {
            CompileErrorKind::UnknownOperator { suggestion, .. } => {
                suggestion.as_ref().map(|name| format!("did you mean `{name}`?"))
            }
            CompileErrorKind::RefusedOperator { reason, .. } => Some((*reason).to_owned()),
            CompileErrorKind::Arity { .. }
            | CompileErrorKind::NotAnOperator { .. }
            | CompileErrorKind::TooDeep { .. }
            | CompileErrorKind::TooLarge { .. }
            | CompileErrorKind::TooCostly { .. }
            | CompileErrorKind::BadVarPath { .. } => None,
        }
    }
}

impl fmt::Display for CompileErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileErrorKind::UnknownOperator { name, .. } => write!(f, "unknown operator `{}`", clip(name)),
            CompileErrorKind::RefusedOperator { name, reason } => {
                write!(f, "operator `{name}` is refused: {reason}")
            }
            CompileErrorKind::Arity { op, expected, got } => {
                write!(f, "`{op}` takes {expected}, got {got}")
            }
            CompileErrorKind::NotAnOperator { keys } => {
                write!(f, "an operation is an object with exactly one key, this one has {keys}")
            }
            CompileErrorKind::TooDeep { limit } => {
                write!(f, "the rule is nested deeper than {limit} levels")
            }
            CompileErrorKind::TooLarge { limit } => {
                write!(f, "the rule has more than {limit} expressions")
            }
            CompileErrorKind::TooCostly { cost, limit } => {
                write!(f, "the rule would take about {cost} steps, the limit is {limit}")
            }
            CompileErrorKind::BadVarPath { path, reason } => {
                write!(f, "`var` cannot read `{}`: {reason}", clip(path))
            }
        }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for CompileError {}
