//! `and`, `or`, `!`, `!!`. Strict operands are conditions, and the result is a boolean; compat returns the deciding
//! operand.

use crate::eval::{Call, Cx, Fail, Out, Watch};
use crate::mode::Mode;
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

/// Returns the first operand whose truth is `stop`, or else the last; in strict mode its truth.
fn until<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, stop: bool) -> Out<'a> {
    let mut last = Val::Undefined;
    for arg in call.args {
        let value = cx.eval(arg, call.scope)?;
        let holds = cx.condition(arg, &value)?;
        last = match cx.mode {
            Mode::Strict => Val::Bool(holds),
            Mode::Compat => value,
        };
        if holds == stop {
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
    fn the_list_of_missing_is_a_condition() {
        let data = json!({"a": 1, "rows": [{"p": 1}, {"q": 2}]});
        check(json!({"!": {"missing": ["a"]}}), data.clone(), json!(true));
        check(json!({"!": [{"missing": ["a", "b"]}]}), data.clone(), json!(false));
        check(json!({"!!": {"missing_some": [1, ["a", "b"]]}}), data.clone(), json!(false));
        check(json!({"if": [{"missing": "b"}, 1, 2]}), data.clone(), json!(1));
        check(json!({"none": [{"var": "rows"}, {"missing": "p"}]}), data.clone(), json!(false));
        check(json!({"filter": [{"var": "rows"}, {"missing": "p"}]}), data.clone(), json!([{"q": 2}]));
        // A connective is a boolean in strict mode, also where a list decided it.
        strict(json!({"and": [true, {"missing": "b"}]}), data.clone(), json!(true));
        compat(json!({"and": [true, {"missing": "b"}]}), data.clone(), json!(["b"]));
        strict(json!({"!": {"or": [{"missing": "a"}, {"missing": "b"}]}}), data, json!(false));
        // Only the list that stands there itself: any other list is an error, also one that was made from it.
        let not_boolean = |rule| {
            let message = "a condition must be true or false, got the array `[\"b\"]`";
            strict_fails(rule, json!({"a": 1, "l": ["b"]}), message);
        };
        not_boolean(json!({"!": {"var": "l"}}));
        not_boolean(json!({"!": [["b"]]}));
        not_boolean(json!({"!": {"merge": [{"missing": "b"}]}}));
        not_boolean(json!({"!": {"if": [true, {"missing": "b"}, true]}}));
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
