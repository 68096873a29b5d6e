//! The evaluator: walks a compiled rule over the data, one step per expression.

mod error;
mod output;
mod watch;

pub use error::{EvalError, EvalErrorKind};
pub(crate) use output::{Room, describe, to_value};
pub(crate) use watch::{Blind, Watch};

use crate::expr::{Expr, ExprKind};
use crate::js;
use crate::mode::Mode;
use crate::ops;
use crate::value::{DEEPEST_BUILT, Val};

/// An error, boxed to keep the success path small.
pub(crate) type Fail = Box<EvalError>;

/// The value of an expression, or an error.
pub(crate) type Out<'a> = Result<Val<'a>, Fail>;

/// One evaluation: its mode, its remaining steps, and its watcher.
pub(crate) struct Cx<W> {
    pub(crate) mode: Mode,
    pub(crate) watch: W,
    left: u64,
    limit: u64,
}

/// An operator applied in a scope.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a, 's> {
    pub(crate) expr: &'a Expr,
    pub(crate) op: crate::op::Op,
    pub(crate) args: &'a [Expr],
    pub(crate) scope: &'s Val<'a>,
}

impl<W: Watch> Cx<W> {
    pub(crate) fn new(mode: Mode, limit: u64, watch: W) -> Cx<W> {
        Cx { mode, watch, left: limit, limit }
    }

    /// Evaluates an expression. A constant is read in place unless there is a watcher, which saves a call for about
    /// every second expression of a typical rule.
    #[inline]
    pub(crate) fn eval<'a>(&mut self, expr: &'a Expr, scope: &Val<'a>) -> Out<'a> {
        match &expr.kind {
            ExprKind::Literal(value) if !W::SEES => {
                self.charge(expr, 1)?;
                Ok(Val::of(value))
            }
            ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Var(_) | ExprKind::Call { .. } => {
                self.watched(expr, scope)
            }
        }
    }

    fn watched<'a>(&mut self, expr: &'a Expr, scope: &Val<'a>) -> Out<'a> {
        self.watch.enter(expr);
        let out = self.step(expr, scope);
        self.watch.leave(expr, &out);
        out
    }

    #[inline]
    fn step<'a>(&mut self, expr: &'a Expr, scope: &Val<'a>) -> Out<'a> {
        self.charge(expr, 1)?;
        match &expr.kind {
            ExprKind::Literal(value) => Ok(Val::of(value)),
            ExprKind::List(items) => {
                let mut out = Vec::with_capacity(items.len());
                for item in items {
                    out.push(self.eval(item, scope)?);
                }
                self.list(expr, out)
            }
            ExprKind::Var(var) => ops::var(self, expr, var, scope),
            ExprKind::Call { op, args } => ops::call(self, Call { expr, op: *op, args, scope }),
        }
    }

    /// Charges steps to the budget.
    #[inline]
    pub(crate) fn charge(&mut self, expr: &Expr, steps: u64) -> Result<(), Fail> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(fail(expr, EvalErrorKind::StepLimit { limit: self.limit })),
        }
    }

    /// Charges a step for each item of a collection.
    pub(crate) fn charge_len(&mut self, expr: &Expr, len: usize) -> Result<(), Fail> {
        self.charge(expr, u64::try_from(len).unwrap_or(u64::MAX))
    }

    /// Evaluates an argument; undefined if it is missing.
    #[inline]
    pub(crate) fn arg<'a>(&mut self, call: Call<'a, '_>, index: usize) -> Out<'a> {
        match call.args.get(index) {
            Some(arg) => self.eval(arg, call.scope),
            None => Ok(Val::Undefined),
        }
    }

    /// Evaluates an argument that may be converted, and charges for the conversion.
    #[inline]
    pub(crate) fn weighed<'a>(&mut self, call: Call<'a, '_>, index: usize) -> Out<'a> {
        let value = self.arg(call, index)?;
        self.weigh(call.expr, &value)?;
        Ok(value)
    }

    /// Charges for reading a value: a long string costs more than one step, and so does converting an array, which only
    /// compat mode does.
    #[inline]
    pub(crate) fn weigh(&mut self, expr: &Expr, value: &Val<'_>) -> Result<(), Fail> {
        let heavy = match value {
            Val::Str(text) => text.len() >= 64,
            Val::Items(_) | Val::List(_) => self.mode == Mode::Compat,
            Val::Undefined | Val::Null | Val::Bool(_) | Val::Num(_) | Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => {
                false
            }
        };
        if heavy { self.charge(expr, value.weight()) } else { Ok(()) }
    }

    /// Evaluates both operands of a binary operator. Further arguments are evaluated and ignored, as in json-logic-js,
    /// because they may still fail.
    #[inline]
    pub(crate) fn two<'a>(&mut self, call: Call<'a, '_>) -> Result<(Val<'a>, Val<'a>), Fail> {
        let a = self.weighed(call, 0)?;
        let b = self.weighed(call, 1)?;
        self.ignore(call, 2)?;
        Ok((a, b))
    }

    /// Evaluates the arguments that an operator does not use.
    pub(crate) fn ignore<'a>(&mut self, call: Call<'a, '_>, from: usize) -> Result<(), Fail> {
        for arg in call.args.iter().skip(from) {
            self.eval(arg, call.scope)?;
        }
        Ok(())
    }

    /// Evaluates all arguments in order.
    pub(crate) fn all<'a>(&mut self, call: Call<'a, '_>) -> Result<Vec<Val<'a>>, Fail> {
        (0..call.args.len()).map(|i| self.weighed(call, i)).collect()
    }

    /// Builds an array.
    pub(crate) fn list<'a>(&self, expr: &Expr, items: Vec<Val<'a>>) -> Out<'a> {
        Val::list(items).ok_or_else(|| fail(expr, TOO_DEEP))
    }

    /// Returns the truth of a condition: JavaScript's truthiness in compat mode. In strict mode a boolean, or the list
    /// of a `missing` or `missing_some` that is itself the condition: it holds if something is missing.
    pub(crate) fn condition(&self, expr: &Expr, value: &Val<'_>) -> Result<bool, Fail> {
        match (self.mode, value) {
            (Mode::Strict, Val::Bool(b)) => Ok(*b),
            (Mode::Strict, other) => match other.elements() {
                Some(missing) if expr.lists_missing() => Ok(missing.len() > 0),
                Some(_) | None => Err(fail(expr, EvalErrorKind::NotBoolean { found: describe(other) })),
            },
            (Mode::Compat, other) => Ok(js::truthy(other)),
        }
    }
}

/// Returns the error for values nested beyond the limit.
pub(crate) const TOO_DEEP: EvalErrorKind = EvalErrorKind::TooDeep { limit: DEEPEST_BUILT };

/// Returns an error at an expression.
pub(crate) fn fail(expr: &Expr, kind: EvalErrorKind) -> Fail {
    Box::new(EvalError { pointer: expr.pointer.clone(), kind })
}

/// Returns the error for an object that JavaScript cannot convert to a string or number.
pub(crate) fn unconvertible(expr: &Expr) -> Fail {
    let reason = "an object with its own `toString` cannot be converted";
    fail(expr, EvalErrorKind::Throws { reason })
}
