//! `max` and `min`.

use crate::eval::{Call, Cx, Out, Watch, unconvertible};
use crate::js;
use crate::mode::Mode;
use crate::ops::{finite, number};
use crate::value::Val;

/// The extreme.
#[derive(Clone, Copy)]
pub(super) enum Extreme {
    Max,
    Min,
}

pub(super) fn extreme<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>, which: Extreme) -> Out<'a> {
    let mut best = match which {
        Extreme::Max => f64::NEG_INFINITY,
        Extreme::Min => f64::INFINITY,
    };
    // All are evaluated before any is converted, in the order in which JavaScript would throw.
    for value in cx.all(call)? {
        let n = match cx.mode {
            Mode::Strict => number(call, &value)?,
            Mode::Compat => js::to_number(&value).map_err(|_| unconvertible(call.expr))?,
        };
        best = pick(best, n, which);
    }
    match cx.mode {
        Mode::Strict => finite(call, best),
        Mode::Compat => Ok(Val::Num(best)),
    }
}

/// NaN wins, and plus zero is greater than minus zero.
fn pick(best: f64, n: f64, which: Extreme) -> f64 {
    if best.is_nan() || n.is_nan() {
        return f64::NAN;
    }
    let greater = n > best || (n == best && best.is_sign_negative());
    match which {
        Extreme::Max => {
            if greater {
                n
            } else {
                best
            }
        }
        Extreme::Min => {
            if greater {
                best
            } else {
                n
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn extremes() {
        check(json!({"max": [1, 3, 2]}), json!({}), json!(3));
        check(json!({"min": [1, -3, 2]}), json!({}), json!(-3));
        check(json!({"min": [2, 2]}), json!({}), json!(2));
        compat(json!({"max": ["7", null]}), json!({}), json!(7));
        compat_fails(json!({"max": []}), json!({}), "the result is infinite");
        compat_fails(json!({"max": [1, "x"]}), json!({}), "the result is not a number");
        strict_fails(json!({"max": [1, "7"]}), json!({}), "`max` needs numbers, got the string `\"7\"`");
    }
}
