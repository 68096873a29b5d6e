//! `if` (also `?:`): conditions and branches in pairs, then the else.

use crate::eval::{Call, Cx, Out, Watch};
use crate::value::Val;

pub(super) fn choose<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let mut rest = call.args;
    loop {
        match rest {
            // Only compat mode has an `if` without an else.
            [] => return Ok(Val::Null),
            [otherwise] => return cx.eval(otherwise, call.scope),
            [condition, branch, tail @ ..] => {
                let value = cx.eval(condition, call.scope)?;
                if cx.condition(condition, &value)? {
                    return cx.eval(branch, call.scope);
                }
                rest = tail;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn branches() {
        check(json!({"if": [true, 1, 2]}), json!({}), json!(1));
        check(json!({"?:": [false, 1, 2]}), json!({}), json!(2));
        check(json!({"if": [false, 1, true, 2, 3]}), json!({}), json!(2));
        compat(json!({"if": [0, 1]}), json!({}), json!(null));
        compat(json!({"if": []}), json!({}), json!(null));
        compat(json!({"if": ["x"]}), json!({}), json!("x"));
        strict_fails(
            json!({"if": ["x", 1, 2]}),
            json!({}),
            "a condition must be true or false, got the string `\"x\"`",
        );
    }
}
