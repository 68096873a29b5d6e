//! `map`, `filter`, `reduce`: the body sees one element as its data, and nothing outside it.

use crate::eval::{Call, Cx, Fail, Out, TOO_DEEP, Watch, fail};
use crate::mode::Mode;
use crate::ops::mismatch;
use crate::value::{Elements, Val};

/// Returns the array to iterate over. json-logic-js treats anything else as an empty one.
pub(super) fn elements<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Result<Option<Elements<'a>>, Fail> {
    let value = cx.arg(call, 0)?;
    match (value.elements(), cx.mode) {
        (None, Mode::Strict) => Err(mismatch(call, "an array", &value)),
        (found, _) => Ok(found),
    }
}

/// Evaluates the body for one element. A missing body yields undefined.
pub(super) fn body<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, index: usize, element: &Val<'a>) -> Out<'a> {
    let Some(body) = call.args.get(1) else {
        cx.charge(call.expr, 1)?;
        return Ok(Val::Undefined);
    };
    cx.watch.element(Some(index));
    let out = cx.eval(body, element);
    cx.watch.element(None);
    out
}

pub(super) fn map<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let mut out = Vec::new();
    if let Some(elements) = elements(cx, call)? {
        for (i, element) in elements.iter().enumerate() {
            out.push(body(cx, call, i, &element)?);
        }
    }
    cx.list(call.expr, out)
}

pub(super) fn filter<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let mut out = Vec::new();
    if let Some(elements) = elements(cx, call)? {
        for (i, element) in elements.iter().enumerate() {
            let keep = body(cx, call, i, &element)?;
            if cx.condition(call.args.get(1).unwrap_or(call.expr), &keep)? {
                out.push(element);
            }
        }
    }
    cx.list(call.expr, out)
}

pub(super) fn reduce<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let found = elements(cx, call)?;
    let mut accumulator = match call.args.get(2) {
        Some(initial) => cx.eval(initial, call.scope)?,
        None => Val::Null,
    };
    if let Some(elements) = found {
        for (i, current) in elements.iter().enumerate() {
            let scope = Val::pair(current, accumulator).ok_or_else(|| fail(call.expr, TOO_DEEP))?;
            accumulator = body(cx, call, i, &scope)?;
        }
    }
    Ok(accumulator)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn over_arrays() {
        let data = json!({"n": [1, 2, 3]});
        let n = json!({"var": "n"});
        check(json!({"map": [n, {"*": [{"var": ""}, 2]}]}), data.clone(), json!([2, 4, 6]));
        check(json!({"filter": [n, {">": [{"var": ""}, 1]}]}), data.clone(), json!([2, 3]));
        let sum = json!({"+": [{"var": "accumulator"}, {"var": "current"}]});
        check(json!({"reduce": [n, sum, 10]}), data.clone(), json!(16));
        check(json!({"map": [[{"var": "n"}], {"var": "1"}]}), data, json!([2]));
    }

    #[test]
    fn over_other_things() {
        compat(json!({"map": [null, 1]}), json!({}), json!([]));
        compat(json!({"filter": ["abc", true]}), json!({}), json!([]));
        compat(json!({"reduce": [1, 2, 3]}), json!({}), json!(3));
        compat(json!({"reduce": [[], 2]}), json!({}), json!(null));
        compat_fails(json!({"map": [[1]]}), json!({}), "the result is undefined");
        strict_fails(json!({"map": [null, 1]}), json!({}), "`map` needs an array, got null");
        strict_fails(json!({"filter": [[1], 5]}), json!({}), "a condition must be true or false, got the number `5`");
    }

    #[test]
    fn an_undefined_accumulator_is_not_there() {
        let body = json!({"var": ["accumulator", 5]});
        compat(json!({"reduce": [[1], body, {"and": []}]}), json!({}), json!(5));
    }

    #[test]
    fn the_scope_of_reduce_is_a_value() {
        compat(json!({"reduce": [[7], {"var": ""}, 1]}), json!({}), json!({"current": 7, "accumulator": 1}));
        compat(json!({"reduce": [[7], {"===": [{"var": ""}, {"var": ""}]}, 1]}), json!({}), json!(true));
    }

    #[test]
    fn nothing_grows_without_bound() {
        let many: Vec<u32> = (0..300).collect();
        let wrap = json!({"reduce": [{"var": ""}, [{"var": "accumulator"}], 0]});
        let deep = "the evaluation built arrays nested deeper than 128 levels";
        strict_fails(wrap, json!(many), deep);
        let scope = json!({"reduce": [{"var": ""}, {"var": ""}, 0]});
        strict_fails(scope, json!(many), deep);
        let steps = "the evaluation took more than 1000000 steps";
        let acc = json!({"var": "accumulator"});
        let text = json!({"reduce": [{"var": ""}, {"cat": [acc, acc]}, "x"]});
        strict_fails(text, json!(many), steps);
        let list = json!({"reduce": [{"var": ""}, {"merge": [acc, acc]}, [1]]});
        strict_fails(list, json!(many), steps);
        let few: Vec<u32> = (0..60).collect();
        let shared = json!({"reduce": [{"var": ""}, [acc, acc], 0]});
        strict_fails(shared.clone(), json!(few), steps);
        // Writing out what is shared would never end either.
        compat_fails(json!({"cat": [shared]}), json!(few), steps);
        compat_fails(json!({"<": [1, shared]}), json!(few), steps);
        compat_fails(json!({"!=": [shared, 1]}), json!(few), steps);
        compat_fails(json!({"var": shared}), json!(few), steps);
        compat_fails(json!({"missing": [1, shared]}), json!(few), steps);
    }
}
