//! Predicates over data of which a part is not known yet.
//!
//! Evaluation has a fixed order and stops as soon as it is decided. A predicate that was decided without reading the
//! unknown part therefore has the same result whatever that part will be; one that read it depends on it.

use crate::eval::EvalError;
use crate::program::Program;
use crate::scope::Scope;
use std::cell::Cell;

/// The truth of a predicate while a part of the data is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// It is false, whatever the unknown part will be.
    Fails,
    /// It depends on the unknown part.
    Depends,
    /// It is true, whatever the unknown part will be.
    Holds,
}

impl Program {
    /// Evaluates the rule as a predicate while one field of the data is not known yet.
    ///
    /// ```
    /// use deed_logic::{Mode, Program, Scope, Truth};
    /// use serde_json::json;
    ///
    /// let rule = json!({"and": [{"==": [{"var": "role"}, "agent"]}, {">": [{"var": "call.amount"}, 3000]}]});
    /// let program = Program::compile(&rule, Mode::Strict).unwrap();
    /// let (agent, lead) = (json!({"role": "agent"}), json!({"role": "lead"}));
    /// let truth = |data: &serde_json::Value| program.test_before(&Scope::new(data.as_object().unwrap(), &[]), "call");
    /// assert_eq!(truth(&agent), Ok(Truth::Depends));
    /// assert_eq!(truth(&lead), Ok(Truth::Fails));
    /// ```
    ///
    /// # Errors
    /// As for [`eval`](Program::eval), if the evaluation fails before it reads the unknown field.
    pub fn test_before(&self, scope: &Scope<'_>, unknown: &str) -> Result<Truth, EvalError> {
        let read = Cell::new(false);
        let result = self.test_in(&scope.without(unknown, &read));
        match (read.get(), result) {
            (true, _) => Ok(Truth::Depends),
            (false, Ok(true)) => Ok(Truth::Holds),
            (false, Ok(false)) => Ok(Truth::Fails),
            (false, Err(error)) => Err(error),
        }
    }
}
