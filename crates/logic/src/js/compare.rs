//! Equality, order and truth as in JavaScript (and, for empty arrays, JsonLogic).

use std::cmp::Ordering;

use super::convert::{Unconvertible, to_number, to_primitive};
use super::text::compare_utf16;
use crate::value::{Kind, Val};

/// Returns the truth as JsonLogic defines it: JavaScript's, except that an empty array is false.
pub(crate) fn truthy(value: &Val<'_>) -> bool {
    match value {
        Val::Undefined | Val::Null => false,
        Val::Bool(b) => *b,
        Val::Num(n) => *n != 0.0 && !n.is_nan(),
        Val::Str(text) => !text.is_empty(),
        Val::Items(items) => !items.is_empty(),
        Val::List(list) => !list.items.is_empty(),
        Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => true,
    }
}

/// `a === b`.
pub(crate) fn strictly_equal<'a>(a: &Val<'a>, b: &Val<'a>) -> bool {
    match (a, b) {
        (Val::Undefined, Val::Undefined) | (Val::Null, Val::Null) => true,
        (Val::Bool(a), Val::Bool(b)) => a == b,
        (Val::Num(a), Val::Num(b)) => a == b,
        (Val::Str(a), Val::Str(b)) => a == b,
        (
            Val::Undefined
            | Val::Null
            | Val::Bool(_)
            | Val::Num(_)
            | Val::Str(_)
            | Val::Items(_)
            | Val::Fields(_)
            | Val::List(_)
            | Val::Scope(_)
            | Val::Pair(_),
            _,
        ) => a.identical(b),
    }
}

/// `a == b`.
pub(crate) fn loosely_equal<'a>(a: &Val<'a>, b: &Val<'a>) -> Result<bool, Unconvertible> {
    use Kind::{Array, Bool, Null, Number, Object, String, Undefined};
    Ok(match (a.kind(), b.kind()) {
        (Undefined | Null, Undefined | Null) => true,
        (Undefined | Null, Bool | Number | String | Array | Object)
        | (Bool | Number | String | Array | Object, Undefined | Null) => false,
        (Array | Object, Array | Object) | (Number, Number) | (String, String) | (Bool, Bool) => strictly_equal(a, b),
        (Bool | Number | String, Bool | Number | String) => to_number(a)? == to_number(b)?,
        (Bool, Array | Object) => return loosely_equal(&Val::Num(to_number(a)?), b),
        (Array | Object, Bool) => return loosely_equal(a, &Val::Num(to_number(b)?)),
        (Array | Object, Number | String) => return loosely_equal(&to_primitive(a)?, b),
        (Number | String, Array | Object) => return loosely_equal(a, &to_primitive(b)?),
    })
}

/// Compares two values; `None` if NaN is involved.
fn order(a: &Val<'_>, b: &Val<'_>) -> Result<Option<Ordering>, Unconvertible> {
    if let (Val::Num(a), Val::Num(b)) = (a, b) {
        return Ok(a.partial_cmp(b));
    }
    let (a, b) = (to_primitive(a)?, to_primitive(b)?);
    if let (Val::Str(a), Val::Str(b)) = (&a, &b) {
        return Ok(Some(compare_utf16(a, b)));
    }
    Ok(to_number(&a)?.partial_cmp(&to_number(&b)?))
}

/// `a < b`.
pub(crate) fn less(a: &Val<'_>, b: &Val<'_>) -> Result<bool, Unconvertible> {
    Ok(order(a, b)? == Some(Ordering::Less))
}

/// `a <= b`.
pub(crate) fn less_or_equal(a: &Val<'_>, b: &Val<'_>) -> Result<bool, Unconvertible> {
    Ok(matches!(order(a, b)?, Some(Ordering::Less | Ordering::Equal)))
}
