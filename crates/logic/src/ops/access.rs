//! `var`: reads the data in scope, own properties only.
//!
//! Both modes read the fields of objects, the elements of arrays by canonical index, and the `length` of arrays. Compat
//! mode also reads the `length` and the code units of strings, which are own properties in JavaScript. Inherited
//! properties (`constructor`, `toString`) are never read.

use serde_json::Value;

use crate::eval::{Cx, EvalErrorKind, Fail, Out, Watch, describe, fail, unconvertible};
use crate::expr::{Expr, Path, Variable};
use crate::js;
use crate::mode::Mode;
use crate::value::{Val, index};

/// The result of following a path.
pub(super) enum Found<'a> {
    Value(Val<'a>),
    Nothing,
    /// Half a character, which is not a value.
    Split,
}

pub(crate) fn var<'a, W: Watch>(cx: &mut Cx<W>, expr: &'a Expr, var: &'a Variable, scope: &Val<'a>) -> Out<'a> {
    let mode = cx.mode;
    // Fast path: the usual variable is a fixed path that exists.
    if let (Path::Fields(segments), None, []) = (&var.path, &var.default, var.ignored.as_slice())
        && let Found::Value(value) = find(scope, segments, mode)
    {
        return Ok(value);
    }
    // The path decides everything, so it is read once and borrowed for the message.
    let computed;
    let segments = match &var.path {
        Path::Whole => None,
        Path::Fields(segments) => Some(segments.as_slice()),
        Path::Computed(path) => {
            let value = cx.eval(path, scope)?;
            cx.weigh(path, &value)?;
            computed = split(mode, path, &value)?;
            computed.as_deref()
        }
    };
    // json-logic-js evaluates the default before the path; strict mode only if it is needed.
    let default = match (mode, &var.default) {
        (Mode::Compat, Some(default)) => Some(cx.eval(default, scope)?),
        (Mode::Compat, None) | (Mode::Strict, _) => None,
    };
    for extra in &var.ignored {
        cx.eval(extra, scope)?;
    }
    let Some(segments) = segments else { return Ok(scope.clone()) };
    match find(scope, segments, mode) {
        Found::Value(value) => Ok(value),
        Found::Split => Err(fail(expr, EvalErrorKind::SplitCharacter)),
        Found::Nothing => match (mode, &var.default) {
            (Mode::Compat, _) => Ok(match default {
                None | Some(Val::Undefined) => Val::Null,
                Some(value) => value,
            }),
            (Mode::Strict, Some(default)) => cx.eval(default, scope),
            (Mode::Strict, None) => Err(fail(expr, EvalErrorKind::MissingVariable { path: segments.join(".") })),
        },
    }
}

/// Splits a computed path; `None` stands for the whole data.
pub(super) fn split(mode: Mode, at: &Expr, value: &Val<'_>) -> Result<Option<Vec<String>>, Fail> {
    let text = match (mode, value) {
        (Mode::Compat, Val::Undefined | Val::Null) => return Ok(None),
        (_, Val::Str(text)) if text.is_empty() => return Ok(None),
        (_, Val::Str(text)) => (&**text).into(),
        (Mode::Strict, Val::Num(n)) if n.fract() == 0.0 && *n >= 0.0 => js::number_text(*n).into(),
        (Mode::Strict, other) => {
            let expected = "a path that is a string or an index";
            let (op, found) = (crate::op::VAR, describe(other));
            return Err(fail(at, EvalErrorKind::TypeMismatch { op, expected, found }));
        }
        (Mode::Compat, other) => js::to_text(other).map_err(|_| unconvertible(at))?,
    };
    Ok(Some(text.split('.').map(str::to_owned).collect()))
}

/// Follows a path from a value.
pub(super) fn find<'a>(scope: &Val<'a>, segments: &[String], mode: Mode) -> Found<'a> {
    // Most paths lead through objects of the data, which can be followed without building values.
    let start = match (scope, segments) {
        (Val::Fields(fields), _) => Some((*fields, segments)),
        (Val::Scope(scope), [first, rest @ ..]) => match scope.get(first) {
            None => return Found::Nothing,
            Some(Value::Object(fields)) => Some((fields, rest)),
            Some(_) => None,
        },
        _ => None,
    };
    let (mut value, segments) = match start {
        Some((mut fields, mut rest)) => loop {
            let Some((segment, after)) = rest.split_first() else {
                return Found::Value(Val::Fields(fields));
            };
            rest = after;
            match fields.get(segment) {
                None => return Found::Nothing,
                Some(Value::Object(inner)) => fields = inner,
                Some(other) => break (Val::of(other), rest),
            }
        },
        None => (scope.clone(), segments),
    };
    for segment in segments {
        match own(&value, segment, mode) {
            // JavaScript returns undefined for a missing property.
            Found::Value(Val::Undefined) | Found::Nothing => return Found::Nothing,
            Found::Split => return Found::Split,
            Found::Value(next) => value = next,
        }
    }
    Found::Value(value)
}

fn own<'a>(value: &Val<'a>, name: &str, mode: Mode) -> Found<'a> {
    let found = match value {
        Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => value.field(name),
        Val::Items(items) => match name {
            "length" => length(items.len()),
            _ => index(name).and_then(|i| items.get(i)).map(Val::of),
        },
        Val::List(list) => match name {
            "length" => length(list.items.len()),
            _ => index(name).and_then(|i| list.items.get(i)).cloned(),
        },
        Val::Str(text) if mode == Mode::Compat => match (name, index(name)) {
            ("length", _) => length(js::length(text)),
            (_, None) => None,
            (_, Some(i)) => match js::unit_at(text, i) {
                None => None,
                Some(None) => return Found::Split,
                Some(Some(unit)) => Some(Val::text(unit)),
            },
        },
        Val::Undefined | Val::Null | Val::Bool(_) | Val::Num(_) | Val::Str(_) => None,
    };
    found.map_or(Found::Nothing, Found::Value)
}

#[allow(clippy::cast_precision_loss, reason = "no array in memory has 2^53 elements")]
fn length<'a>(len: usize) -> Option<Val<'a>> {
    Some(Val::Num(len as f64))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn reads_by_path() {
        let data = json!({"a": {"b": [10, 20]}, "n": null, "s": "héé"});
        check(json!({"var": "a.b.1"}), data.clone(), json!(20));
        check(json!({"var": ["a.b.length"]}), data.clone(), json!(2));
        check(json!({"var": ""}), json!(7), json!(7));
        check(json!({"var": 1}), json!(["x", "y"]), json!("y"));
        check(json!({"var": ["zz", 5]}), data.clone(), json!(5));
        check(json!({"var": [{"cat": ["a", ".b.0"]}]}), data.clone(), json!(10));
        compat(json!({"var": "s.length"}), data.clone(), json!(3));
        compat(json!({"var": "s.1"}), data.clone(), json!("é"));
        compat(json!({"var": "a.b.01"}), data, json!(null));
    }

    #[test]
    fn a_present_null_is_present() {
        check(json!({"var": ["n", 5]}), json!({"n": null}), json!(null));
        check(json!({"var": ["n.x", 5]}), json!({"n": null}), json!(5));
    }

    #[test]
    fn nothing_there() {
        let data = json!({"a": 1, "s": "x"});
        strict_fails(json!({"var": "b.c"}), data.clone(), "the context has no `b.c`");
        strict_fails(json!({"var": "s.length"}), data.clone(), "the context has no `s.length`");
        strict_fails(
            json!({"var": [{"!": [true]}]}),
            data.clone(),
            "`var` needs a path that is a string or an index, got the boolean `false`",
        );
        compat(json!({"var": "b.c"}), data.clone(), json!(null));
        compat(json!({"var": "constructor"}), data.clone(), json!(null));
        compat(json!({"var": null}), json!(3), json!(3));
        compat(json!({"var": 1.5}), json!([0, [1, 2, 3, 4, 5, 6]]), json!(6));
        compat_fails(json!({"var": "s.0"}), json!({"s": "😀"}), "a string was cut inside a character");
    }

    #[test]
    fn the_default_is_read_when_needed() {
        // In strict mode a default that would fail is harmless while it is not needed.
        strict(json!({"var": ["a", {"var": "zz"}]}), json!({"a": 1}), json!(1));
        strict_fails(json!({"var": ["b", {"var": "zz"}]}), json!({"a": 1}), "the context has no `zz`");
    }
}
