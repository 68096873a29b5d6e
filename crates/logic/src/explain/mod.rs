//! What happened at every expression of one evaluation.

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
    /// What stands there.
    pub label: Label,
    /// What came of it.
    pub outcome: Outcome,
    /// For which element it was evaluated, inside an iteration.
    pub element: Option<usize>,
    /// The expressions below, in the order they were evaluated, then those that were not.
    pub children: Vec<Explanation>,
    /// How many evaluations below were left out to keep the tree small.
    pub elided: usize,
}

/// What stands at an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// A constant.
    Literal,
    /// An array of expressions.
    List,
    /// A read of this path; empty for the whole data.
    Variable(String),
    /// A read of a path that is computed.
    ComputedVariable,
    /// An operator.
    Operator(Op),
}

/// What came of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It gave this value.
    Value(Value),
    /// It gave something that has no JSON or is too large to keep, described in words.
    Other(String),
    /// It failed.
    Error(EvalError),
    /// It was not evaluated.
    NotEvaluated,
}

/// Evaluates a program and keeps the record.
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
