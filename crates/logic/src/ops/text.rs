//! `cat` and `substr`. Lengths and positions are UTF-16 code units in both modes; a cut inside a character is an error,
//! since JSON text cannot represent the halves.

use std::borrow::Cow;

use crate::eval::{Call, Cx, EvalErrorKind, Fail, Out, Watch, fail, unconvertible};
use crate::js;
use crate::mode::Mode;
use crate::ops::mismatch;
use crate::value::Val;

pub(super) fn cat<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let mut out = String::new();
    for value in cx.all(call)? {
        let part = match (cx.mode, &value) {
            (_, Val::Str(text)) => Cow::Borrowed(&**text),
            (Mode::Strict, Val::Num(n)) => Cow::Owned(js::number_text(*n)),
            (Mode::Strict, other) => return Err(mismatch(call, "strings and numbers", other)),
            (Mode::Compat, Val::Undefined | Val::Null) => continue,
            (Mode::Compat, other) => js::to_text(other).map_err(|_| unconvertible(call.expr))?,
        };
        cx.charge_len(call.expr, part.len())?;
        out.push_str(&part);
    }
    Ok(Val::text(out))
}

/// The end of a substring: a length, a distance from the end, or the end itself.
enum End {
    Length(f64),
    Before(f64),
    Whole,
}

pub(super) fn substr<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let source = cx.weighed(call, 0)?;
    let start = cx.weighed(call, 1)?;
    let end = cx.weighed(call, 2)?;
    cx.ignore(call, 3)?;
    let (text, start, end) = match cx.mode {
        Mode::Strict => {
            let Val::Str(text) = &source else {
                return Err(mismatch(call, "a string to cut", &source));
            };
            let end = match &end {
                Val::Undefined => End::Whole,
                other => match whole(call, other)? {
                    n if n < 0.0 => End::Before(n),
                    n => End::Length(n),
                },
            };
            (Cow::Borrowed(&**text), whole(call, &start)?, end)
        }
        Mode::Compat => {
            let thrown = |_| unconvertible(call.expr);
            let text = js::to_text(&source).map_err(thrown)?;
            let from = js::to_number(&start).map_err(thrown)?;
            (text, from, compat_end(&end).map_err(thrown)?)
        }
    };
    cx.charge_len(call.expr, text.len() / 16)?;
    cut(call, &text, start, &end)
}

fn whole(call: Call<'_, '_>, value: &Val<'_>) -> Result<f64, Fail> {
    match value {
        Val::Num(n) if n.fract() == 0.0 => Ok(*n),
        other => Err(mismatch(call, "whole numbers as positions", other)),
    }
}

fn compat_end(end: &Val<'_>) -> Result<End, js::Unconvertible> {
    Ok(match js::to_primitive(end)? {
        Val::Undefined => End::Whole,
        // A negative length given as text is concatenated with the length of the rest, not added to it; the result is
        // not a number, so nothing is left.
        text @ Val::Str(_) => match js::to_number(&text)? {
            n if n < 0.0 => End::Length(0.0),
            n => End::Length(n),
        },
        other => match js::to_number(&other)? {
            n if n < 0.0 => End::Before(n),
            n => End::Length(n),
        },
    })
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "all are clamped to the length of the text before they are cast"
)]
fn cut<'a>(call: Call<'_, '_>, text: &str, start: f64, end: &End) -> Out<'a> {
    let size = js::length(text) as f64;
    let start = js::to_integer(start);
    let start = if start < 0.0 { (size + start).max(0.0) } else { start.min(size) };
    let rest = size - start;
    let length = match end {
        End::Whole => rest,
        End::Length(n) => js::to_integer(*n).clamp(0.0, rest),
        End::Before(n) => js::to_integer(rest + n).clamp(0.0, rest),
    };
    js::substring(text, start as usize, length as usize)
        .map(Val::text)
        .ok_or_else(|| fail(call.expr, EvalErrorKind::SplitCharacter))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn joined() {
        check(json!({"cat": ["a", 1.5, "é"]}), json!({}), json!("a1.5é"));
        check(json!({"cat": "ice"}), json!({}), json!("ice"));
        check(json!({"cat": [1e21]}), json!({}), json!("1e+21"));
        compat(json!({"cat": [null, [1, [2, null]], true]}), json!({}), json!("1,2,true"));
        compat(json!({"cat": [{"a": 1, "b": 2}]}), json!({}), json!("[object Object]"));
        strict_fails(json!({"cat": ["a", true]}), json!({}), "`cat` needs strings and numbers, got the boolean `true`");
    }

    #[test]
    fn cut() {
        check(json!({"substr": ["jsonlogic", 4]}), json!({}), json!("logic"));
        check(json!({"substr": ["jsonlogic", -5, -2]}), json!({}), json!("log"));
        check(json!({"substr": ["jsonlogic", 1, -50]}), json!({}), json!(""));
        check(json!({"substr": ["a😀b", 1, 2]}), json!({}), json!("😀"));
        compat(json!({"substr": ["jsonlogic", 1, "-5"]}), json!({}), json!(""));
        compat(json!({"substr": ["jsonlogic", "4", null]}), json!({}), json!(""));
        compat(json!({"substr": [12345, 1.9, 2.9]}), json!({}), json!("23"));
        compat(json!({"substr": ["abc"]}), json!({}), json!("abc"));
        let split = "a string was cut inside a character";
        strict_fails(json!({"substr": ["😀", 1]}), json!({}), split);
        strict_fails(
            json!({"substr": ["abc", 0.5]}),
            json!({}),
            "`substr` needs whole numbers as positions, got the number `0.5`",
        );
    }
}
