//! `==`, `!=`, `===`, `!==`.
//!
//! Strict: `==` compares within one type, deeply, and anything with null; `===` says false across
//! types. Compat: JavaScript's tables, with arrays and objects compared by identity.

use crate::eval::{Call, Cx, EvalErrorKind, Fail, Out, Watch, describe, fail, unconvertible};
use crate::expr::Expr;
use crate::js;
use crate::mode::Mode;
use crate::value::{Kind, Val};

/// `==` or `===`.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Equality {
    Loose,
    Exact,
}

/// The answer that means true.
#[derive(Clone, Copy)]
pub(super) enum Sense {
    Same,
    Different,
}

pub(super) fn equal<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, equality: Equality, sense: Sense) -> Out<'a> {
    let (a, b) = cx.two(call)?;
    let equal = match (cx.mode, equality) {
        (Mode::Strict, equality) => {
            if equality == Equality::Loose && !comparable(&a, &b) {
                let (op, left, right) = (call.op.name(), describe(&a), describe(&b));
                return Err(fail(call.expr, EvalErrorKind::MixedComparison { op, left, right }));
            }
            deeply_equal(cx, call.expr, &a, &b)?
        }
        (Mode::Compat, Equality::Loose) => js::loosely_equal(&a, &b).map_err(|_| unconvertible(call.expr))?,
        (Mode::Compat, Equality::Exact) => js::strictly_equal(&a, &b),
    };
    Ok(Val::Bool(match sense {
        Sense::Same => equal,
        Sense::Different => !equal,
    }))
}

fn comparable(a: &Val<'_>, b: &Val<'_>) -> bool {
    let (a, b) = (a.kind(), b.kind());
    a == b || a == Kind::Null || b == Kind::Null
}

/// Compares two values deeply. Parts of different types are different.
pub(super) fn deeply_equal<W: Watch>(cx: &mut Cx<W>, at: &Expr, a: &Val<'_>, b: &Val<'_>) -> Result<bool, Fail> {
    match (a, b) {
        (Val::Undefined, Val::Undefined) | (Val::Null, Val::Null) => return Ok(true),
        (Val::Bool(a), Val::Bool(b)) => return Ok(a == b),
        (Val::Num(a), Val::Num(b)) => return Ok(a == b),
        (Val::Str(a), Val::Str(b)) => return Ok(a == b),
        _ => {}
    }
    if let (Some(a), Some(b)) = (a.elements(), b.elements()) {
        if a.len() != b.len() {
            return Ok(false);
        }
        cx.charge_len(at, a.len())?;
        for (a, b) in a.iter().zip(b.iter()) {
            if !deeply_equal(cx, at, &a, &b)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if let (Some(left), Some(right)) = (a.entries(), b.entries()) {
        if left.len() != right.len() {
            return Ok(false);
        }
        cx.charge_len(at, left.len())?;
        for (name, left) in left {
            match b.field(name) {
                Some(right) if deeply_equal(cx, at, &left, &right)? => {}
                Some(_) | None => return Ok(false),
            }
        }
        return Ok(true);
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn within_a_type() {
        check(json!({"==": [1, 1.0]}), json!({}), json!(true));
        check(json!({"!=": ["a", "b"]}), json!({}), json!(true));
        check(json!({"===": [true, true]}), json!({}), json!(true));
        check(json!({"!==": [1, 2]}), json!({}), json!(true));
    }

    #[test]
    fn against_null() {
        check(json!({"==": [{"var": "x"}, null]}), json!({"x": null}), json!(true));
        check(json!({"==": [null, false]}), json!({}), json!(false));
        check(json!({"!=": ["a", null]}), json!({}), json!(true));
        check(json!({"==": [0, null]}), json!({}), json!(false));
    }

    #[test]
    fn across_types() {
        strict_fails(json!({"==": [1, "1"]}), json!({}), "`==` cannot compare the number `1` with the string `\"1\"`");
        compat(json!({"==": [1, "1"]}), json!({}), json!(true));
        compat(json!({"==": [true, "1"]}), json!({}), json!(true));
        compat(json!({"==": ["true", true]}), json!({}), json!(false));
        compat(json!({"==": [[], 0]}), json!({}), json!(true));
        compat(json!({"==": [null]}), json!({}), json!(true));
        check(json!({"===": [1, "1"]}), json!({}), json!(false));
        check(json!({"!==": [1, null]}), json!({}), json!(true));
    }

    #[test]
    fn arrays_and_objects() {
        let data = json!({"a": [1, {"b": 2}], "c": [1, {"b": 2}], "d": [1, {"b": "2"}]});
        let rule = |x: &str, y: &str| json!({"==": [{"var": x}, {"var": y}]});
        strict(rule("a", "c"), data.clone(), json!(true));
        strict(rule("a", "d"), data.clone(), json!(false));
        compat(rule("a", "c"), data.clone(), json!(false));
        compat(rule("a", "a"), data, json!(true));
        strict(json!({"==": [[1, "x"], [1, "x"]]}), json!({}), json!(true));
        compat(json!({"==": [[1], [1]]}), json!({}), json!(false));
    }

    #[test]
    fn an_object_that_cannot_be_converted() {
        let data = json!({"o": {"toString": 1, "x": 2}});
        compat_fails(json!({"==": [{"var": "o"}, 1]}), data, "an object with its own `toString` cannot be converted");
    }
}
