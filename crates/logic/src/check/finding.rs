//! Findings of the static check of a rule against a context.

use std::fmt;

use crate::shown::clip;

/// The weight of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It may fail, depending on the data.
    Warning,
    /// It fails whenever it is evaluated, or cannot mean what it says.
    Error,
}

/// One finding, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// JSON Pointer into the rule.
    pub pointer: String,
    /// The weight.
    pub severity: Severity,
    /// The kind of finding.
    pub kind: FindingKind,
}

/// The kind of a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum FindingKind {
    /// The context can have nothing at this path.
    UnknownVariable {
        /// The path, joined by dots.
        path: String,
        /// The field that was probably intended.
        suggestion: Option<String>,
    },
    /// The context may have nothing at this path, and the rule has no default.
    MaybeMissing {
        /// The path, joined by dots.
        path: String,
    },
    /// A path computed at evaluation, which no check can follow.
    DynamicVariable,
    /// An operand that does not fit its operator.
    TypeMismatch {
        /// The operator.
        op: &'static str,
        /// The expected operand, in words.
        expected: String,
        /// The actual operand, in words.
        found: String,
    },
    /// A comparison between values that are never equal.
    NeverEqual {
        /// The operator.
        op: &'static str,
        /// One side, in words.
        left: String,
        /// The other side, in words.
        right: String,
    },
    /// A condition that is not a boolean.
    NotBoolean {
        /// The actual type, in words.
        found: String,
    },
    /// An evaluation would take too many steps.
    Costly {
        /// The estimate.
        cost: u64,
    },
    /// The rule nests deeply.
    Deep {
        /// Its depth.
        depth: usize,
    },
}

impl FindingKind {
    /// Returns help, apart from the message.
    pub fn help(&self) -> Option<String> {
        match self {
            FindingKind::UnknownVariable { suggestion, .. } => {
                suggestion.as_ref().map(|name| format!("did you mean `{name}`?"))
            }
            FindingKind::MaybeMissing { .. } => Some("give a default: `{\"var\": [\"path\", default]}`".to_owned()),
            FindingKind::DynamicVariable
            | FindingKind::TypeMismatch { .. }
            | FindingKind::NeverEqual { .. }
            | FindingKind::NotBoolean { .. }
            | FindingKind::Costly { .. }
            | FindingKind::Deep { .. } => None,
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FindingKind::UnknownVariable { path, .. } => write!(f, "the context has no `{}`", clip(path)),
            FindingKind::MaybeMissing { path } => {
                write!(f, "the context may have no `{}` and there is no default", clip(path))
            }
            FindingKind::DynamicVariable => {
                f.write_str("the path of this variable is computed, so it cannot be checked")
            }
            FindingKind::TypeMismatch { op, expected, found } => {
                write!(f, "`{op}` needs {expected}, got {found}")
            }
            FindingKind::NeverEqual { op, left, right } => {
                write!(f, "`{op}` compares {left} with {right}, which are never equal")
            }
            FindingKind::NotBoolean { found } => {
                write!(f, "a condition must be true or false, got {found}")
            }
            FindingKind::Costly { cost } => write!(f, "the rule would take about {cost} steps"),
            FindingKind::Deep { depth } => write!(f, "the rule is nested {depth} levels deep"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}
