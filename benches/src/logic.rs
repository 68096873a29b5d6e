//! The high-value rule of the support pack, compiled once and evaluated.

use crate::table::{Table, median, times};
use deed_logic::{Mode, Program};
use serde_json::{Value, json};
use std::error::Error;
use std::time::Duration;

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let rule = json!({ "and": [
        { "==": [{ "var": "user.role" }, "support_agent"] },
        { ">": [{ "var": "request.context.refund_amount" }, 3000] },
    ] });
    let data = json!({
        "user": { "role": "support_agent", "id": "u_1" }, "safety_mode": "destructive", "run_id": "run_1",
        "request": { "message": "Refund", "context": { "refund_amount": 4200, "identity_verified": true } },
        "intent": { "id": "support.refund", "class": null, "task": null }, "env": { "currency": "INR" },
    });
    // The floor: the same reads and comparisons, written by hand.
    let by_hand = |data: &Value| {
        data.pointer("/user/role").and_then(Value::as_str) == Some("support_agent")
            && data.pointer("/request/context/refund_amount").and_then(Value::as_f64).is_some_and(|n| n > 3000.0)
    };
    let floor = median(101, 20_000, || by_hand(std::hint::black_box(&data)));
    for mode in [Mode::Strict, Mode::Compat] {
        let program = Program::compile(&rule, mode).map_err(|e| format!("{e:?}"))?;
        let time = median(101, 20_000, || program.test(std::hint::black_box(&data)));
        let against = format!("two serde_json pointers by hand, {} ns", floor.as_nanos());
        let ratio = format!("{:.2}x", times(time, floor));
        let what = format!("high-value rule, compiled, {mode}");
        table.row(&what, time, &against, ratio, "at most 200 ns", time <= Duration::from_nanos(200));
    }
    Ok(())
}
