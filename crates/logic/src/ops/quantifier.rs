//! `all`, `none`, `some`. As in json-logic-js, `all` of an empty array is false.

use super::iteration::{body, elements};
use crate::eval::{Call, Cx, Fail, Out, Watch};
use crate::value::{Elements, Val};

pub(super) fn all<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let Some(elements) = elements(cx, call)?.filter(|found| found.len() > 0) else {
        return Ok(Val::Bool(false));
    };
    Ok(Val::Bool(!meets(cx, call, &elements, false)?))
}

pub(super) fn none<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    match elements(cx, call)? {
        Some(elements) => Ok(Val::Bool(!meets(cx, call, &elements, true)?)),
        None => Ok(Val::Bool(true)),
    }
}

pub(super) fn some<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    match elements(cx, call)? {
        Some(elements) => Ok(Val::Bool(meets(cx, call, &elements, true)?)),
        None => Ok(Val::Bool(false)),
    }
}

/// Returns true if the predicate gives `wanted` for an element; the first one decides.
fn meets<'a, W: Watch>(
    cx: &mut Cx<W>,
    call: Call<'a, '_>,
    elements: &Elements<'a>,
    wanted: bool,
) -> Result<bool, Fail> {
    for (i, element) in elements.iter().enumerate() {
        let holds = body(cx, call, i, &element)?;
        if cx.condition(call.args.get(1).unwrap_or(call.expr), &holds)? == wanted {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn quantified() {
        let data = json!({"n": [1, 2, 3]});
        let rule = |op: &str, least: i32| json!({op: [{"var": "n"}, {">": [{"var": ""}, least]}]});
        check(rule("all", 0), data.clone(), json!(true));
        check(rule("all", 1), data.clone(), json!(false));
        check(rule("some", 2), data.clone(), json!(true));
        check(rule("some", 3), data.clone(), json!(false));
        check(rule("none", 3), data.clone(), json!(true));
        check(rule("none", 2), data, json!(false));
    }

    #[test]
    fn over_nothing() {
        check(json!({"all": [[], true]}), json!({}), json!(false));
        check(json!({"none": [[], true]}), json!({}), json!(true));
        check(json!({"some": [[], true]}), json!({}), json!(false));
        compat(json!({"all": [null, true]}), json!({}), json!(false));
        compat(json!({"none": [{"var": "zz"}, true]}), json!({}), json!(true));
        strict_fails(json!({"all": [null, true]}), json!({}), "`all` needs an array, got null");
    }
}
