//! Explanations: the result of every expression of one evaluation.

mod decisive;
mod record;
mod render;

use serde_json::Value;

use crate::eval::{Cx, EvalError};
use crate::op::Op;
use crate::program::Program;
use crate::value::Val;

/// One expression of an evaluation and those below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// JSON Pointer into the rule.
    pub pointer: String,
    /// The label of the expression.
    pub label: Label,
    /// Its outcome.
    pub outcome: Outcome,
    /// The index of the element that it was evaluated for, inside an iteration.
    pub element: Option<usize>,
    /// The sub-expressions, in the order of evaluation, then those that were not evaluated.
    pub children: Vec<Explanation>,
    /// The number of evaluations below that were left out to keep the tree small.
    pub elided: usize,
}

/// The label of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// A constant.
    Literal,
    /// An array of expressions.
    List,
    /// A read of this path; empty for the whole data.
    Variable(String),
    /// A read of a computed path.
    ComputedVariable,
    /// An operator.
    Operator(Op),
}

/// The outcome of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// This value.
    Value(Value),
    /// A value that has no JSON or is too large to keep, described in words.
    Other(String),
    /// An error.
    Error(EvalError),
    /// It was not evaluated.
    NotEvaluated,
}

/// Evaluates a program and records every expression.
pub(crate) fn explain<'a>(program: &'a Program, data: &Val<'a>) -> Explanation {
    let recorder = record::Recorder::default();
    let mut cx = Cx::new(program.mode(), program.limits().max_cost, recorder);
    let out = cx.eval(program.root(), data);
    let outcome = match out.map_err(|fail| *fail).and_then(|val| program.result(&val)) {
        Ok(value) => Outcome::Value(value),
        Err(error) => Outcome::Error(error),
    };
    cx.watch.finish(program.root(), outcome)
}
