//! A compiled rule: evaluation, explanation and static facts.

use serde_json::Value;

use crate::compile::{self, CompileError, Size};
use crate::eval::{Blind, Cx, EvalError, EvalErrorKind, Room, to_value};
use crate::explain::{self, Explanation};
use crate::expr::Expr;
use crate::limits::Limits;
use crate::mode::Mode;
use crate::scope::Scope;
use crate::value::Val;
use crate::variables::{self, VarUse};

/// A rule compiled once, to be evaluated any number of times.
#[derive(Clone, Debug)]
pub struct Program {
    root: Expr,
    mode: Mode,
    limits: Limits,
    size: Size,
}

impl Program {
    /// Compiles a rule under the default limits.
    ///
    /// # Errors
    /// All errors of the rule, each with its place.
    pub fn compile(rule: &Value, mode: Mode) -> Result<Program, Vec<CompileError>> {
        Program::compile_with(rule, mode, Limits::default())
    }

    /// Compiles a rule under the given limits.
    ///
    /// # Errors
    /// All errors of the rule, each with its place.
    pub fn compile_with(rule: &Value, mode: Mode, limits: Limits) -> Result<Program, Vec<CompileError>> {
        let (root, size) = compile::compile(rule, mode, limits)?;
        Ok(Program { root, mode, limits, size })
    }

    /// Returns the mode that it was compiled for.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the limits that it was compiled under.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the nesting depth of its expressions.
    pub fn depth(&self) -> usize {
        self.size.depth
    }

    /// Returns the number of its expressions.
    pub fn nodes(&self) -> usize {
        self.size.nodes
    }

    /// Returns the estimated steps of one evaluation, if every array it iterates over has 16 elements.
    pub fn static_cost(&self) -> u64 {
        self.size.cost
    }

    /// Returns the compiled expression.
    pub fn root(&self) -> &Expr {
        &self.root
    }

    /// Returns every variable that the rule reads, in source order.
    pub fn variables(&self) -> Vec<VarUse> {
        variables::collect(&self.root)
    }

    /// Evaluates the rule. Integral numbers are returned as JSON integers.
    ///
    /// # Errors
    /// If an operand has the wrong type, a variable is missing, or a limit is exceeded.
    pub fn eval(&self, data: &Value) -> Result<Value, EvalError> {
        self.eval_val(&Val::of(data))
    }

    /// Evaluates the rule over data in several places.
    ///
    /// # Errors
    /// As for [`eval`](Program::eval).
    pub fn eval_in(&self, scope: &Scope<'_>) -> Result<Value, EvalError> {
        self.eval_val(&Val::Scope(scope))
    }

    fn eval_val<'a>(&'a self, data: &Val<'a>) -> Result<Value, EvalError> {
        let mut cx = Cx::new(self.mode, self.limits.max_cost, Blind);
        let val = cx.eval(&self.root, data).map_err(|fail| *fail)?;
        self.result(&val)
    }

    /// Evaluates the rule as a predicate. In strict mode anything but a boolean, or the list of a rule that is itself a
    /// `missing` or `missing_some`, is an error; in compat mode the result of [`eval`](Program::eval) is judged by
    /// JsonLogic's truth.
    ///
    /// # Errors
    /// As for [`eval`](Program::eval).
    pub fn test(&self, data: &Value) -> Result<bool, EvalError> {
        self.test_val(&Val::of(data))
    }

    /// Evaluates the rule as a predicate over data in several places.
    ///
    /// # Errors
    /// As for [`eval`](Program::eval).
    pub fn test_in(&self, scope: &Scope<'_>) -> Result<bool, EvalError> {
        self.test_val(&Val::Scope(scope))
    }

    fn test_val<'a>(&'a self, data: &Val<'a>) -> Result<bool, EvalError> {
        let mut cx = Cx::new(self.mode, self.limits.max_cost, Blind);
        let val = cx.eval(&self.root, data).map_err(|fail| *fail)?;
        if self.mode == Mode::Compat {
            self.result(&val)?;
        }
        cx.condition(&self.root, &val).map_err(|fail| *fail)
    }

    /// Evaluates the rule like [`eval`](Program::eval), and records the result of every expression.
    pub fn explain(&self, data: &Value) -> Explanation {
        explain::explain(self, &Val::of(data))
    }

    /// Explains the evaluation over data in several places.
    pub fn explain_in(&self, scope: &Scope<'_>) -> Explanation {
        explain::explain(self, &Val::Scope(scope))
    }

    /// Converts a final value to JSON.
    pub(crate) fn result(&self, val: &Val<'_>) -> Result<Value, EvalError> {
        to_value(val, &mut Room::new(self.limits.max_cost)).map_err(|kind| self.error(kind))
    }

    fn error(&self, kind: EvalErrorKind) -> EvalError {
        EvalError { pointer: String::new(), kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_program_can_be_shared_between_threads() {
        fn shared<T: Send + Sync + Clone>(_: &T) {}
        shared(&Program::compile(&json!({"var": "x"}), Mode::Strict).unwrap());
    }

    #[test]
    fn a_predicate_is_true_or_false() {
        let rule = json!({"var": "x"});
        let strict = Program::compile(&rule, Mode::Strict).unwrap();
        let compat = Program::compile(&rule, Mode::Compat).unwrap();
        assert_eq!(strict.test(&json!({"x": true})), Ok(true));
        let error = strict.test(&json!({"x": "true"})).unwrap_err();
        assert_eq!(error.to_string(), "a condition must be true or false, got the string `\"true\"`");
        let missing = Program::compile(&json!({"missing": ["a", "x"]}), Mode::Strict).unwrap();
        assert_eq!(missing.test(&json!({"x": 1})), Ok(true));
        assert_eq!(missing.test(&json!({"x": 1, "a": null})), Ok(false));
        assert_eq!(missing.eval(&json!({"x": 1})), Ok(json!(["a"])));
        assert_eq!(compat.test(&json!({"x": []})), Ok(false));
        assert_eq!(compat.test(&json!({"x": "false"})), Ok(true));
        // A value that cannot be a result cannot be a verdict either.
        let undefined = Program::compile(&json!({"and": []}), Mode::Compat).unwrap();
        assert_eq!(undefined.test(&json!({})).unwrap_err().kind, EvalErrorKind::Undefined);
    }

    #[test]
    fn a_program_knows_its_size() {
        let rule = json!({"some": [{"var": "n"}, {">": [{"var": ""}, 1]}]});
        let program = Program::compile(&rule, Mode::Strict).unwrap();
        assert_eq!((program.depth(), program.nodes(), program.static_cost()), (3, 5, 50));
    }
}
