//! `in`: a string in a string, or a value in an array.
//!
//! Strict compares elements deeply and never across types; compat compares them as `===` does.

use super::equality::deeply_equal;
use crate::eval::{Call, Cx, EvalErrorKind, Fail, Out, Watch, fail, unconvertible};
use crate::js;
use crate::mode::Mode;
use crate::ops::mismatch;
use crate::value::Val;

pub(super) fn contains<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let (needle, haystack) = cx.two(call)?;
    if let Val::Str(text) = &haystack {
        return inside_text(cx, call, &needle, text).map(Val::Bool);
    }
    if let Some(elements) = haystack.elements() {
        cx.charge_len(call.expr, elements.len())?;
        for element in elements.iter() {
            let same = match cx.mode {
                Mode::Strict => deeply_equal(cx, call.expr, &needle, &element)?,
                Mode::Compat => js::strictly_equal(&needle, &element),
            };
            if same {
                return Ok(Val::Bool(true));
            }
        }
        return Ok(Val::Bool(false));
    }
    match cx.mode {
        Mode::Strict => Err(mismatch(call, "a string or an array to look in", &haystack)),
        Mode::Compat if haystack.field("indexOf").is_some() => {
            let reason = "`indexOf` of the object is not a function";
            Err(fail(call.expr, EvalErrorKind::Throws { reason }))
        }
        Mode::Compat => Ok(Val::Bool(false)),
    }
}

fn inside_text<W: Watch>(cx: &mut Cx<W>, call: Call<'_, '_>, needle: &Val<'_>, text: &str) -> Result<bool, Fail> {
    cx.charge_len(call.expr, text.len() / 16)?;
    match (cx.mode, needle) {
        // json-logic-js finds nothing in an empty string, not even the empty string.
        (Mode::Compat, _) if text.is_empty() => Ok(false),
        (_, Val::Str(needle)) => Ok(text.contains(&**needle)),
        (Mode::Strict, other) => Err(mismatch(call, "a string to look for in a string", other)),
        (Mode::Compat, other) => {
            let needle = js::to_text(other).map_err(|_| unconvertible(call.expr))?;
            Ok(text.contains(needle.as_ref()))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn in_strings() {
        check(json!({"in": ["ring", "Springfield"]}), json!({}), json!(true));
        check(json!({"in": ["i", "team"]}), json!({}), json!(false));
        strict(json!({"in": ["", ""]}), json!({}), json!(true));
        compat(json!({"in": ["", ""]}), json!({}), json!(false));
        compat(json!({"in": [1, "a1"]}), json!({}), json!(true));
        strict_fails(
            json!({"in": [1, "a1"]}),
            json!({}),
            "`in` needs a string to look for in a string, got the number `1`",
        );
    }

    #[test]
    fn in_arrays() {
        check(json!({"in": ["a", ["a", "b"]]}), json!({}), json!(true));
        check(json!({"in": [1, ["1", null]]}), json!({}), json!(false));
        strict(json!({"in": [[1], [[1]]]}), json!({}), json!(true));
        compat(json!({"in": [[1], [[1]]]}), json!({}), json!(false));
        compat(json!({"in": [1, null]}), json!({}), json!(false));
        compat(json!({"in": [1, 5]}), json!({}), json!(false));
        strict_fails(
            json!({"in": [1, 5]}),
            json!({}),
            "`in` needs a string or an array to look in, got the number `5`",
        );
    }
}
