//! `+`, `-`, `*`, `/`, `%`. Strict: finite numbers only, no division by zero.

use crate::eval::{Call, Cx, EvalErrorKind, Fail, Out, Watch, fail, unconvertible};
use crate::js;
use crate::mode::Mode;
use crate::ops::{finite, number};
use crate::value::Val;

pub(super) fn add<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    match cx.mode {
        Mode::Strict => fold(cx, call, |a, b| a + b),
        Mode::Compat => {
            let mut total = 0.0;
            for value in cx.all(call)? {
                total += parse(cx, call, &value)?;
            }
            Ok(Val::Num(total))
        }
    }
}

pub(super) fn multiply<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    match cx.mode {
        Mode::Strict => fold(cx, call, |a, b| a * b),
        Mode::Compat => {
            let mut values = cx.all(call)?.into_iter();
            // A single argument is returned as it is, unparsed.
            let Some(mut product) = values.next() else {
                let reason = "`*` without arguments has no value";
                return Err(fail(call.expr, EvalErrorKind::Throws { reason }));
            };
            for value in values {
                let (left, right) = (parse(cx, call, &product)?, parse(cx, call, &value)?);
                product = Val::Num(left * right);
            }
            Ok(product)
        }
    }
}

pub(super) fn subtract<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let (a, b) = cx.two(call)?;
    let left = operand(cx.mode, call, &a)?;
    let difference = match b {
        Val::Undefined => -left,
        b => left - operand(cx.mode, call, &b)?,
    };
    result(cx.mode, call, difference)
}

pub(super) fn divide<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    quotient(cx, call, |a, b| a / b)
}

pub(super) fn remainder<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    quotient(cx, call, |a, b| a % b)
}

/// Adds or multiplies any number of operands strictly.
fn fold<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, with: fn(f64, f64) -> f64) -> Out<'a> {
    let mut total = None;
    for arg in call.args {
        let n = number(call, &cx.eval(arg, call.scope)?)?;
        total = Some(total.map_or(n, |total| with(total, n)));
    }
    finite(call, total.unwrap_or(0.0))
}

fn quotient<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, of: fn(f64, f64) -> f64) -> Out<'a> {
    let (a, b) = cx.two(call)?;
    let (left, right) = (operand(cx.mode, call, &a)?, operand(cx.mode, call, &b)?);
    if cx.mode == Mode::Strict && right == 0.0 {
        return Err(fail(call.expr, EvalErrorKind::DivisionByZero));
    }
    result(cx.mode, call, of(left, right))
}

/// Returns a number: strictly typed in strict mode, `Number(value)` in compat mode.
fn operand(mode: Mode, call: Call<'_, '_>, value: &Val<'_>) -> Result<f64, Fail> {
    match mode {
        Mode::Strict => number(call, value),
        Mode::Compat => js::to_number(value).map_err(|_| unconvertible(call.expr)),
    }
}

/// Compat mode allows NaN and infinity in between; they are errors only as a result.
fn result<'a>(mode: Mode, call: Call<'_, '_>, n: f64) -> Out<'a> {
    match mode {
        Mode::Strict => finite(call, n),
        Mode::Compat => Ok(Val::Num(n)),
    }
}

/// `parseFloat(value)`.
fn parse<W: Watch>(cx: &mut Cx<W>, call: Call<'_, '_>, value: &Val<'_>) -> Result<f64, Fail> {
    match value {
        // Adding zero drops the sign of minus zero, as the detour over text does.
        Val::Num(n) => Ok(*n + 0.0),
        other => {
            let text = js::to_text(other).map_err(|_| unconvertible(call.expr))?;
            cx.charge_len(call.expr, text.len())?;
            Ok(js::parse_float(&text))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn numbers() {
        check(json!({"+": [1, 2, 3.5]}), json!({}), json!(6.5));
        check(json!({"-": [3]}), json!({}), json!(-3));
        check(json!({"-": [3, 5]}), json!({}), json!(-2));
        check(json!({"*": [2, 3, 4]}), json!({}), json!(24));
        check(json!({"/": [1, 4]}), json!({}), json!(0.25));
        check(json!({"%": [-7, 3]}), json!({}), json!(-1));
        check(json!({"+": [{"var": "x"}]}), json!({"x": 3.0}), json!(3));
    }

    #[test]
    fn coercion() {
        compat(json!({"+": ["1", " 2x"]}), json!({}), json!(3));
        compat(json!({"*": ["1"]}), json!({}), json!("1"));
        compat(json!({"-": ["5", true]}), json!({}), json!(4));
        compat(json!({"+": []}), json!({}), json!(0));
        compat(json!({"-": [[]]}), json!({}), json!(0));
        compat(json!({"/": ["0x10", 2]}), json!({}), json!(8));
        compat_fails(json!({"*": []}), json!({}), "`*` without arguments has no value");
        compat_fails(json!({"+": [null]}), json!({}), "the result is not a number");
        strict_fails(json!({"+": [1, "2"]}), json!({}), "`+` needs numbers, got the string `\"2\"`");
    }

    #[test]
    fn parsing_drops_the_sign_of_zero() {
        // 1 / -0 would be below zero.
        let rule = json!({"<": [{"/": [1, {"*": [{"var": "z"}, 1]}]}, 0]});
        compat(rule, json!({"z": -0.0}), json!(false));
    }

    #[test]
    fn by_zero_and_beyond() {
        strict_fails(json!({"/": [1, 0]}), json!({}), "division by zero");
        strict_fails(json!({"%": [1, 0]}), json!({}), "division by zero");
        strict_fails(json!({"*": [1e308, 10]}), json!({}), "the result is infinite");
        compat_fails(json!({"/": [1, 0]}), json!({}), "the result is infinite");
        compat_fails(json!({"%": [1, 0]}), json!({}), "the result is not a number");
        // Infinity on the way to a boolean is a value in JavaScript.
        compat(json!({"<": [1, {"/": [1, 0]}]}), json!({}), json!(true));
    }
}
