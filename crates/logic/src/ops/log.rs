//! `log`: the identity in compat mode. Nothing is written; strict mode refuses it at compile.

use crate::eval::{Call, Cx, Out, Watch};

pub(super) fn log<'a, W: Watch>(cx: &mut Cx<W>, call: Call<'a, '_>) -> Out<'a> {
    let value = cx.arg(call, 0)?;
    cx.ignore(call, 1)?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::*;
    use serde_json::json;

    #[test]
    fn passes_its_value_through() {
        compat(json!({"log": ["x", 2]}), json!({}), json!("x"));
        compat_fails(json!({"log": []}), json!({}), "the result is undefined");
    }
}
