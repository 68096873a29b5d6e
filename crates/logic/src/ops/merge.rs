//! `merge`: arrays end to end; anything else counts as an array of one.

use crate::eval::{Call, Cx, Out, Watch};

pub(super) fn merge<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let mut out = Vec::new();
    for value in cx.all(call)? {
        match value.elements() {
            Some(elements) => {
                cx.charge_len(call.expr, elements.len())?;
                out.extend(elements.iter());
            }
            None => out.push(value),
        }
    }
    cx.list(call.expr, out)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn merged() {
        check(json!({"merge": [[1, 2], 3, [[4]], null]}), json!({}), json!([1, 2, 3, [4], null]));
        compat(json!({"merge": []}), json!({}), json!([]));
    }
}
