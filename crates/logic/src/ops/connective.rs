//! `and`, `or`, `!`, `!!`. Strict operands are booleans; compat returns the deciding operand.

use crate::eval::{Call, Cx, Fail, Out, Watch};
use crate::value::Val;

pub(super) fn and<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    until(cx, call, false)
}

pub(super) fn or<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    until(cx, call, true)
}

pub(super) fn not<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    Ok(Val::Bool(!operand(cx, call)?))
}

pub(super) fn truthy<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    Ok(Val::Bool(operand(cx, call)?))
}

/// Returns the first operand whose truth is `stop`, or else the last.
fn until<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, stop: bool) -> Out<'a> {
    let mut last = Val::Undefined;
    for arg in call.args {
        last = cx.eval(arg, call.scope)?;
        if cx.condition(arg, &last)? == stop {
            return Ok(last);
        }
    }
    Ok(last)
}

fn operand<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Result<bool, Fail> {
    let value = cx.arg(call, 0)?;
    cx.ignore(call, 1)?;
    cx.condition(call.args.first().unwrap_or(call.expr), &value)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn booleans() {
        check(json!({"and": [true, false]}), json!({}), json!(false));
        check(json!({"or": [false, true]}), json!({}), json!(true));
        check(json!({"!": true}), json!({}), json!(false));
        check(json!({"!!": [true]}), json!({}), json!(true));
    }

    #[test]
    fn what_follows_the_decision_is_not_evaluated() {
        strict(json!({"and": [false, {"var": "x"}]}), json!({}), json!(false));
        strict(json!({"or": [true, {"var": "x"}]}), json!({}), json!(true));
    }

    #[test]
    fn truth_of_other_values() {
        compat(json!({"and": [1, "", 3]}), json!({}), json!(""));
        compat(json!({"or": [[], null, "a"]}), json!({}), json!("a"));
        compat(json!({"!": [[]]}), json!({}), json!(true));
        compat(json!({"!": []}), json!({}), json!(true));
        compat_fails(json!({"and": []}), json!({}), "the result is undefined");
        strict_fails(json!({"and": [1, true]}), json!({}), "a condition must be true or false, got the number `1`");
        strict_fails(json!({"!": [null]}), json!({}), "a condition must be true or false, got null");
    }
}
