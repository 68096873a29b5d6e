//! The operators, one file per family. Each file implements both modes, strict and compat.

mod access;
mod arithmetic;
mod choice;
mod connective;
mod equality;
mod extreme;
mod iteration;
mod log;
mod membership;
mod merge;
mod missing;
mod ordering;
mod quantifier;
mod text;

#[cfg(test)]
mod testing;

pub(crate) use access::var;

use crate::eval::{Call, Cx, EvalErrorKind, Fail, Out, Watch, describe, fail};
use crate::op::Op;
use crate::value::Val;
use equality::{Equality, Sense};
use extreme::Extreme;
use ordering::Order;

/// Applies an operator to its arguments.
pub(crate) fn call<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    match call.op {
        Op::And => connective::and(cx, call),
        Op::Or => connective::or(cx, call),
        Op::Not => connective::not(cx, call),
        Op::Truthy => connective::truthy(cx, call),
        Op::If => choice::choose(cx, call),
        Op::Equal => equality::equal(cx, call, Equality::Loose, Sense::Same),
        Op::NotEqual => equality::equal(cx, call, Equality::Loose, Sense::Different),
        Op::StrictEqual => equality::equal(cx, call, Equality::Exact, Sense::Same),
        Op::StrictNotEqual => equality::equal(cx, call, Equality::Exact, Sense::Different),
        Op::Less => ordering::between(cx, call, Order::Less),
        Op::LessEqual => ordering::between(cx, call, Order::LessEqual),
        Op::Greater => ordering::compare(cx, call, Order::Greater),
        Op::GreaterEqual => ordering::compare(cx, call, Order::GreaterEqual),
        Op::Add => arithmetic::add(cx, call),
        Op::Subtract => arithmetic::subtract(cx, call),
        Op::Multiply => arithmetic::multiply(cx, call),
        Op::Divide => arithmetic::divide(cx, call),
        Op::Remainder => arithmetic::remainder(cx, call),
        Op::Max => extreme::extreme(cx, call, Extreme::Max),
        Op::Min => extreme::extreme(cx, call, Extreme::Min),
        Op::Map => iteration::map(cx, call),
        Op::Filter => iteration::filter(cx, call),
        Op::Reduce => iteration::reduce(cx, call),
        Op::All => quantifier::all(cx, call),
        Op::None => quantifier::none(cx, call),
        Op::Some => quantifier::some(cx, call),
        Op::Merge => merge::merge(cx, call),
        Op::In => membership::contains(cx, call),
        Op::Cat => text::cat(cx, call),
        Op::Substr => text::substr(cx, call),
        Op::Missing => missing::missing(cx, call),
        Op::MissingSome => missing::missing_some(cx, call),
        Op::Log => log::log(cx, call),
    }
}

/// Returns the error for an operand of the wrong type.
fn mismatch(call: Call<'_, '_>, expected: &'static str, found: &Val<'_>) -> Fail {
    let (op, found) = (call.op.name(), describe(found));
    fail(call.expr, EvalErrorKind::TypeMismatch { op, expected, found })
}

/// Returns a number that strict arithmetic may use.
fn number(call: Call<'_, '_>, value: &Val<'_>) -> Result<f64, Fail> {
    match value {
        Val::Num(n) => Ok(*n),
        other => Err(mismatch(call, "numbers", other)),
    }
}

/// Returns a strict arithmetic result, which must be finite.
fn finite<'a>(call: Call<'_, '_>, n: f64) -> Out<'a> {
    if n.is_nan() {
        Err(fail(call.expr, EvalErrorKind::NotANumber))
    } else if n.is_infinite() {
        Err(fail(call.expr, EvalErrorKind::Infinite))
    } else {
        Ok(Val::Num(n))
    }
}
