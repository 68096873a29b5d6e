//! The compiled form of a rule, open to every analysis.

use serde_json::Value;

use crate::op::Op;

/// One expression and the place in the rule it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// JSON Pointer into the rule.
    pub pointer: String,
    /// The kind of expression.
    pub kind: ExprKind,
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant: a scalar, or in compat mode an object that is not an operation.
    Literal(Value),
    /// An array whose elements are expressions.
    List(Vec<Expr>),
    /// A read from the data.
    Var(Box<Variable>),
    /// An operator and its arguments.
    Call {
        /// The operator.
        op: Op,
        /// Its arguments, in the order they are written.
        args: Vec<Expr>,
    },
}

/// A read from the data in scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The path.
    pub path: Path,
    /// The value if nothing is there.
    pub default: Option<Expr>,
    /// Arguments that json-logic-js evaluates and then ignores; always empty in strict mode.
    pub ignored: Vec<Expr>,
}

/// The part of the data that a variable reads.
#[derive(Clone, Debug, PartialEq)]
pub enum Path {
    /// All of the data in scope.
    Whole,
    /// A path known at compile time, already split.
    Fields(Vec<String>),
    /// A path computed at evaluation.
    Computed(Expr),
}

impl Expr {
    /// Iterates over the direct sub-expressions, in source order.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_) => Vec::new(),
            ExprKind::List(items) => items.iter().collect(),
            ExprKind::Call { args, .. } => args.iter().collect(),
            ExprKind::Var(var) => {
                let path = match &var.path {
                    Path::Computed(path) => Some(path),
                    Path::Whole | Path::Fields(_) => None,
                };
                path.into_iter().chain(&var.default).chain(&var.ignored).collect()
            }
        }
    }

    /// Returns true if both compute the same thing, wherever they stand.
    pub fn same(&self, other: &Expr) -> bool {
        match (&self.kind, &other.kind) {
            (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b,
            (ExprKind::List(a), ExprKind::List(b)) => all_same(a, b),
            (ExprKind::Call { op: a, args: left }, ExprKind::Call { op: b, args: right }) => {
                a == b && all_same(left, right)
            }
            (ExprKind::Var(a), ExprKind::Var(b)) => {
                let path = match (&a.path, &b.path) {
                    (Path::Whole, Path::Whole) => true,
                    (Path::Fields(a), Path::Fields(b)) => a == b,
                    (Path::Computed(a), Path::Computed(b)) => a.same(b),
                    (Path::Whole | Path::Fields(_) | Path::Computed(_), _) => false,
                };
                let default = match (&a.default, &b.default) {
                    (None, None) => true,
                    (Some(a), Some(b)) => a.same(b),
                    (None | Some(_), _) => false,
                };
                path && default && all_same(&a.ignored, &b.ignored)
            }
            (ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Call { .. } | ExprKind::Var(_), _) => false,
        }
    }

    /// Returns true for `missing` and `missing_some`, whose list stands for a boolean where it is itself a condition.
    pub fn lists_missing(&self) -> bool {
        matches!(self.kind, ExprKind::Call { op: Op::Missing | Op::MissingSome, .. })
    }

    /// Returns the value of a constant expression: a literal, or a list of constants.
    pub fn constant(&self) -> Option<Value> {
        match &self.kind {
            ExprKind::Literal(value) => Some(value.clone()),
            ExprKind::List(items) => items.iter().map(Expr::constant).collect(),
            ExprKind::Var(_) | ExprKind::Call { .. } => None,
        }
    }
}

fn all_same(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
}
