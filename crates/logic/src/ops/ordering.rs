//! `<`, `<=`, `>`, `>=`, and between with three operands.
//!
//! Strict: numbers with numbers, strings with strings by UTF-16 code units. Compat: JavaScript's.

use std::cmp::Ordering;

use crate::eval::{Call, Cx, EvalErrorKind, Fail, Out, Watch, describe, fail, unconvertible};
use crate::js;
use crate::mode::Mode;
use crate::value::Val;

/// The comparison.
#[derive(Clone, Copy)]
pub(super) enum Order {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Compares two operands; further ones are ignored.
pub(super) fn compare<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, order: Order) -> Out<'a> {
    let (a, b) = cx.two(call)?;
    Ok(Val::Bool(holds(cx.mode, call, order, &a, &b)?))
}

/// Compares two operands, or three in a row.
pub(super) fn between<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, order: Order) -> Out<'a> {
    let a = cx.weighed(call, 0)?;
    let b = cx.weighed(call, 1)?;
    let c = cx.weighed(call, 2)?;
    cx.ignore(call, 3)?;
    let mode = cx.mode;
    let first = holds(mode, call, order, &a, &b)?;
    Ok(Val::Bool(match (mode, c) {
        (_, Val::Undefined) => first,
        // Both pairs are compared, so that a comparison across types is never hidden by a false one.
        (Mode::Strict, c) => holds(mode, call, order, &b, &c)? && first,
        (Mode::Compat, c) => first && holds(mode, call, order, &b, &c)?,
    }))
}

fn holds(mode: Mode, call: Call<'_, '_>, order: Order, a: &Val<'_>, b: &Val<'_>) -> Result<bool, Fail> {
    match mode {
        Mode::Strict => ordered(call, order, a, b),
        Mode::Compat => coerced(order, a, b).map_err(|_| unconvertible(call.expr)),
    }
}

fn ordered(call: Call<'_, '_>, order: Order, a: &Val<'_>, b: &Val<'_>) -> Result<bool, Fail> {
    let ordering = match (a, b) {
        (Val::Num(a), Val::Num(b)) => a.partial_cmp(b),
        (Val::Str(a), Val::Str(b)) => Some(js::compare_utf16(a, b)),
        (a, b) => {
            let (op, left, right) = (call.op.name(), describe(a), describe(b));
            return Err(fail(call.expr, EvalErrorKind::MixedComparison { op, left, right }));
        }
    };
    Ok(match order {
        Order::Less => ordering == Some(Ordering::Less),
        Order::LessEqual => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        Order::Greater => ordering == Some(Ordering::Greater),
        Order::GreaterEqual => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
    })
}

fn coerced(order: Order, a: &Val<'_>, b: &Val<'_>) -> Result<bool, js::Unconvertible> {
    match order {
        Order::Less => js::less(a, b),
        Order::LessEqual => js::less_or_equal(a, b),
        Order::Greater => js::less(b, a),
        Order::GreaterEqual => js::less_or_equal(b, a),
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn numbers_and_strings() {
        check(json!({">": [2, 1]}), json!({}), json!(true));
        check(json!({">=": [1, 1]}), json!({}), json!(true));
        check(json!({"<": ["a", "b"]}), json!({}), json!(true));
        check(json!({"<": ["\u{1f600}", "\u{ff5e}"]}), json!({}), json!(true));
        check(json!({"<": [1, 2, 3]}), json!({}), json!(true));
        check(json!({"<=": [1, 1, 0]}), json!({}), json!(false));
    }

    #[test]
    fn across_types() {
        strict_fails(json!({"<": ["1", 2]}), json!({}), "`<` cannot compare the string `\"1\"` with the number `2`");
        strict_fails(json!({"<": [5, 1, "x"]}), json!({}), "`<` cannot compare the number `1` with the string `\"x\"`");
        strict_fails(json!({">": [null, 2]}), json!({}), "`>` cannot compare null with the number `2`");
        compat(json!({"<": ["1", 2]}), json!({}), json!(true));
        compat(json!({"<": [null, 1]}), json!({}), json!(true));
        compat(json!({"<": [[2], [10]]}), json!({}), json!(false));
        compat(json!({">": [3]}), json!({}), json!(false));
    }
}
