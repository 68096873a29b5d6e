//! `missing` and `missing_some`: the paths that the data does not have.
//!
//! Strict: a path is missing if nothing is there; a null or an empty string is something. Compat:
//! null and the empty string count as missing, as in json-logic-js. There a key that is itself an
//! array is read as a path with a default, and a key that is an object would be run as a rule;
//! the former is followed, the latter is refused.

use super::access::{Found, find, split};
use crate::eval::{Call, Cx, EvalErrorKind, Fail, Out, Watch, fail, unconvertible};
use crate::js;
use crate::mode::Mode;
use crate::ops::mismatch;
use crate::value::{Kind, Val};

pub(super) fn missing<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let values = cx.all(call)?;
    let missing = absentees(cx, call, values)?;
    cx.list(call.expr, missing)
}

pub(super) fn missing_some<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let values = cx.all(call)?;
    let missing = match cx.mode {
        Mode::Strict => strict_some(cx, call, values)?,
        Mode::Compat => compat_some(cx, call, values)?,
    };
    cx.list(call.expr, missing)
}

/// Returns the keys: given as arguments, or all in one array.
fn absentees<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, values: Vec<Val<'a>>) -> Result<Vec<Val<'a>>, Fail> {
    let keys = match values.first().and_then(Val::elements) {
        Some(elements) => elements.iter().collect(),
        None => values,
    };
    cx.charge_len(call.expr, keys.len())?;
    let mut out = Vec::new();
    for key in keys {
        let absent = match cx.mode {
            Mode::Strict => absent(call, &key)?,
            Mode::Compat => compat_absent(call, &key)?,
        };
        if absent {
            out.push(key);
        }
    }
    Ok(out)
}

fn absent(call: Call<'_, '_>, key: &Val<'_>) -> Result<bool, Fail> {
    if !matches!(key, Val::Str(_) | Val::Num(_)) {
        return Err(mismatch(call, "paths as strings or indices", key));
    }
    let Some(segments) = split(Mode::Strict, call.expr, key)? else { return Ok(false) };
    Ok(matches!(find(call.scope, &segments, Mode::Strict), Found::Nothing))
}

fn compat_absent(call: Call<'_, '_>, key: &Val<'_>) -> Result<bool, Fail> {
    inert(call, key)?;
    let (path, default) = match key.elements() {
        Some(elements) => (elements.get(0).unwrap_or(Val::Undefined), elements.get(1)),
        None => (key.clone(), None),
    };
    let value = match split(Mode::Compat, call.expr, &path)? {
        None => call.scope.clone(),
        Some(segments) => match find(call.scope, &segments, Mode::Compat) {
            Found::Value(value) => value,
            Found::Split => return Err(fail(call.expr, EvalErrorKind::SplitCharacter)),
            Found::Nothing => match default {
                None | Some(Val::Undefined) => Val::Null,
                Some(value) => value,
            },
        },
    };
    Ok(match value {
        Val::Null => true,
        Val::Str(text) => text.is_empty(),
        Val::Undefined
        | Val::Bool(_)
        | Val::Num(_)
        | Val::Items(_)
        | Val::Fields(_)
        | Val::Scope(_)
        | Val::List(_)
        | Val::Pair(_) => false,
    })
}

/// Refuses data that json-logic-js would evaluate as a rule.
fn inert(call: Call<'_, '_>, key: &Val<'_>) -> Result<(), Fail> {
    if key.entries().is_some_and(|entries| entries.len() == 1) {
        return Err(fail(call.expr, EvalErrorKind::DataAsLogic));
    }
    if let Some(elements) = key.elements() {
        for element in elements.iter() {
            inert(call, &element)?;
        }
    }
    Ok(())
}

fn strict_some<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, values: Vec<Val<'a>>) -> Result<Vec<Val<'a>>, Fail> {
    let mut values = values.into_iter();
    let (need, options) = (values.next(), values.next());
    let need = match need {
        Some(Val::Num(n)) => n,
        other => {
            let found = other.unwrap_or(Val::Undefined);
            return Err(mismatch(call, "a number of paths that must be there", &found));
        }
    };
    let options = options.unwrap_or(Val::Undefined);
    let Some(elements) = options.elements() else {
        return Err(mismatch(call, "an array of paths", &options));
    };
    let missing = absentees(cx, call, vec![options])?;
    Ok(if enough(elements.len(), missing.len(), need) { Vec::new() } else { missing })
}

#[allow(clippy::cast_precision_loss, reason = "no array in memory has 2^53 elements")]
fn enough(options: usize, missing: usize, need: f64) -> bool {
    (options.saturating_sub(missing)) as f64 >= need
}

fn compat_some<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, values: Vec<Val<'a>>) -> Result<Vec<Val<'a>>, Fail> {
    let mut values = values.into_iter();
    let need = values.next().unwrap_or(Val::Undefined);
    let options = values.next().unwrap_or(Val::Undefined);
    // json-logic-js applies `{"missing": options}` as a rule of its own.
    inert(call, &options)?;
    let keys = match options.elements() {
        Some(elements) => elements.iter().collect(),
        None => vec![options.clone()],
    };
    let missing = absentees(cx, call, keys)?;
    let length = match (options.kind(), &options) {
        (Kind::Undefined | Kind::Null, _) => {
            let reason = "`missing_some` without an array of paths has no value";
            return Err(fail(call.expr, EvalErrorKind::Throws { reason }));
        }
        (_, options) => match find(options, &["length".to_owned()], Mode::Compat) {
            Found::Value(length) => length,
            Found::Nothing | Found::Split => Val::Undefined,
        },
    };
    let thrown = |_| unconvertible(call.expr);
    #[allow(clippy::cast_precision_loss, reason = "no array in memory has 2^53 elements")]
    let present = js::to_number(&length).map_err(thrown)? - missing.len() as f64;
    let enough = js::less_or_equal(&need, &Val::Num(present)).map_err(thrown)?;
    Ok(if enough { Vec::new() } else { missing })
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn absent_paths() {
        let data = json!({"a": 1, "b": {"c": 2}});
        check(json!({"missing": ["a", "b.c", "b.d", "x"]}), data.clone(), json!(["b.d", "x"]));
        check(json!({"missing": [["a", "x"]]}), data.clone(), json!(["x"]));
        check(json!({"missing": {"merge": ["a", "y"]}}), data.clone(), json!(["y"]));
        check(json!({"missing_some": [1, ["a", "x"]]}), data.clone(), json!([]));
        check(json!({"missing_some": [2, ["a", "x"]]}), data, json!(["x"]));
    }

    #[test]
    fn null_and_the_empty_string() {
        let data = json!({"n": null, "e": ""});
        strict(json!({"missing": ["n", "e"]}), data.clone(), json!([]));
        compat(json!({"missing": ["n", "e"]}), data, json!(["n", "e"]));
    }

    #[test]
    fn odd_keys() {
        compat(json!({"missing": ["x", ["y", 1]]}), json!({}), json!(["x"]));
        compat(json!({"missing_some": ["1", "ab"]}), json!({}), json!([]));
        compat_fails(json!({"missing_some": [1]}), json!({}), "`missing_some` without an array of paths has no value");
        compat_fails(
            json!({"missing": [{"var": "k"}]}),
            json!({"k": {"var": "x"}}),
            "`missing` was given an object, which would be run as a rule",
        );
        strict_fails(
            json!({"missing": [true]}),
            json!({}),
            "`missing` needs paths as strings or indices, got the boolean `true`",
        );
    }
}
