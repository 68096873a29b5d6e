//! JavaScript's abstract conversions.

use std::borrow::Cow;

use super::parse;
use crate::value::Val;

/// The error for an object whose own `toString` hides the inherited one: JavaScript throws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unconvertible;

/// `String(number)`.
pub(crate) fn number_text(n: f64) -> String {
    // Minus zero is written without its sign.
    if n == 0.0 {
        return "0".to_owned();
    }
    ryu_js::Buffer::new().format(n).to_owned()
}

/// `String(value)`.
pub(crate) fn to_text<'v>(value: &'v Val<'_>) -> Result<Cow<'v, str>, Unconvertible> {
    Ok(match value {
        Val::Undefined => Cow::Borrowed("undefined"),
        Val::Null => Cow::Borrowed("null"),
        Val::Bool(true) => Cow::Borrowed("true"),
        Val::Bool(false) => Cow::Borrowed("false"),
        Val::Num(n) => Cow::Owned(number_text(*n)),
        Val::Str(text) => Cow::Borrowed(text),
        Val::Items(_) | Val::List(_) => {
            let mut out = String::new();
            join(value, ",", &mut out)?;
            Cow::Owned(out)
        }
        Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => match value.field("toString") {
            Some(_) => return Err(Unconvertible),
            None => Cow::Borrowed("[object Object]"),
        },
    })
}

/// `array.join(separator)`: null and undefined become empty.
fn join(array: &Val<'_>, separator: &str, out: &mut String) -> Result<(), Unconvertible> {
    let Some(elements) = array.elements() else { return Ok(()) };
    for (i, item) in elements.iter().enumerate() {
        if i > 0 {
            out.push_str(separator);
        }
        match item {
            Val::Undefined | Val::Null => {}
            Val::Items(_) | Val::List(_) => join(&item, ",", out)?,
            Val::Bool(_) | Val::Num(_) | Val::Str(_) | Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => {
                out.push_str(&to_text(&item)?);
            }
        }
    }
    Ok(())
}

/// `ToPrimitive(value)`: arrays and objects become text, everything else stays.
pub(crate) fn to_primitive<'a>(value: &Val<'a>) -> Result<Val<'a>, Unconvertible> {
    match value {
        Val::Items(_) | Val::List(_) | Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => {
            Ok(Val::text(to_text(value)?.into_owned()))
        }
        Val::Undefined | Val::Null | Val::Bool(_) | Val::Num(_) | Val::Str(_) => Ok(value.clone()),
    }
}

/// `Number(value)`.
pub(crate) fn to_number(value: &Val<'_>) -> Result<f64, Unconvertible> {
    Ok(match value {
        Val::Undefined => f64::NAN,
        Val::Null | Val::Bool(false) => 0.0,
        Val::Bool(true) => 1.0,
        Val::Num(n) => *n,
        Val::Str(text) => parse::to_number(text),
        Val::Items(_) | Val::List(_) | Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => {
            parse::to_number(&to_text(value)?)
        }
    })
}

/// `ToIntegerOrInfinity(number)`.
pub(crate) fn to_integer(n: f64) -> f64 {
    if n.is_nan() { 0.0 } else { n.trunc() }
}
