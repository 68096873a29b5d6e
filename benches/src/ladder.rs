//! Payloads up the ladder: clean ones, a dirty text, and the guard alone.

use crate::table::{Table, median, times};
use deed_detect::Guard;
use deed_ladder::{Input, Ladder, climb};
use deed_model::{LadderContract, LadderOutcome, Phase, Proposals};
use serde_json::{Value, json};
use std::error::Error;
use std::time::Duration;

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let ladder = ladder()?;
    clean(table, &ladder)?;
    dirty(table, &ladder)?;
    guard(table);
    Ok(())
}

/// Orders of some lines each, with a rule in every rung that needs no model.
fn ladder() -> Result<Ladder, Box<dyn Error>> {
    let contract: LadderContract = serde_json::from_value(json!({
        "contract": "bench.orders",
        "schema": {
            "type": "object",
            "required": ["orders"],
            "additionalProperties": false,
            "properties": { "orders": { "type": "array", "items": {
                "type": "object",
                "required": ["order_id", "user_id", "status", "total"],
                "additionalProperties": false,
                "properties": {
                    "order_id": { "type": "string", "pattern": "^ord_[0-9]+$" },
                    "user_id": { "type": "string" },
                    "status": { "enum": ["active", "paused", "closed"] },
                    "total": { "type": "number", "minimum": 0 },
                    "placed": { "type": "string", "format": "date" },
                    "note": { "type": "string" },
                    "lines": { "type": "array", "items": {
                        "type": "object",
                        "required": ["sku", "n", "price"],
                        "properties": { "sku": { "type": "string" }, "n": { "type": "integer" }, "price": { "type": "number" } }
                    } }
                }
            } } }
        },
        "guard": { "personal": ["credit_card", "email", "phone"] },
        "synonyms": [{ "at": "/orders/*", "from": ["customer_id"], "to": "user_id" }],
        "defaults": { "values": [{ "at": "/orders/*/status", "value": "active" }] },
        "transforms": [{ "id": "names", "at": "/orders/*/note", "apply": "trim" }],
        "vector": { "subject": "order" },
        "allowed_keys": [{ "at": "", "keys": ["orders"] }],
        "domain": [{ "id": "some", "rule": { "!=": [{ "var": "orders" }, []] }, "message": "there are no orders" }],
        "edit_budget": { "most_changes": 50 }
    }))?;
    Ladder::new(contract).map_err(|faults| format!("{faults:?}").into())
}

/// Orders until the text has about so many bytes.
fn payload(bytes: usize) -> Value {
    let one = |i: usize| {
        json!({
            "order_id": format!("ord_{i:06}"), "user_id": format!("u{i}"), "status": "active", "total": 40.23,
            "placed": "2024-05-17", "note": "leave it at the door",
            "lines": [{ "sku": "A-1", "n": 2, "price": 19.99 }, { "sku": "B-2", "n": 1, "price": 0.25 }],
        })
    };
    let size = one(0).to_string().len() + 1;
    json!({ "orders": (0..bytes.div_ceil(size)).map(one).collect::<Vec<_>>() })
}

fn clean(table: &mut Table, ladder: &Ladder) -> Result<(), Box<dyn Error>> {
    let none = Proposals::default();
    let mut per_byte = Vec::new();
    for (bytes, rounds, batch, aim, most) in [
        (1_000, 101, 200, "at most 12 us", Duration::from_micros(12)),
        (1_000_000, 15, 1, "at most 12 ms, linear", Duration::from_millis(12)),
    ] {
        let text = payload(bytes).to_string();
        let climbed = climb(ladder, Input::Text(&text), Phase::StepOutput, &none);
        if climbed.report.outcome != LadderOutcome::Accepted || !climbed.report.changes.is_empty() {
            return Err("the payload is not clean".into());
        }
        let ours = median(rounds, batch, || climb(ladder, Input::Text(&text), Phase::StepOutput, &none));
        let parsed: Value = serde_json::from_str(&text)?;
        let floor = median(rounds, batch, || serde_json::from_str::<Value>(&text).map(|value| value.is_object()));
        let judged = median(rounds, batch, || ladder.imprint().schema().is_valid(&parsed));
        let what = format!("a clean payload of {:.1} KB up all rungs", text.len() as f64 / 1e3);
        let against = format!("parse {:.1} us + validate {:.1} us", micros(floor), micros(judged));
        let ratio = times(ours, floor + judged);
        table.row(&what, ours, &against, format!("{ratio:.2}x"), aim, ours <= most);
        per_byte.push(format!("{:.1} ns", ours.as_secs_f64() * 1e9 / text.len() as f64));
    }
    println!("clean payloads, a byte at 1 KB and at 1 MB: {}", per_byte.join(", "));
    Ok(())
}

fn dirty(table: &mut Table, ladder: &Ladder) -> Result<(), Box<dyn Error>> {
    let strict = payload(1_000).to_string();
    let text = format!("```json\n{}\n```", strict.replace('"', "'").replace("},{", "},\n{").replace("]}", ",]}"));
    let none = Proposals::default();
    let climbed = climb(ladder, Input::Text(&text), Phase::StepOutput, &none);
    if climbed.payload != Some(payload(1_000)) {
        return Err("the dirty text is not read as it should be".into());
    }
    let ours = median(101, 100, || climb(ladder, Input::Text(&text), Phase::StepOutput, &none));
    let floor = median(101, 100, || climb(ladder, Input::Text(&strict), Phase::StepOutput, &none));
    table.row(
        &format!("a dirty text of {:.1} KB (fence, commas, quotes)", text.len() as f64 / 1e3),
        ours,
        &format!("the same, clean {:.1} us", micros(floor)),
        format!("{:.2}x", times(ours, floor)),
        "at most 35 us",
        ours <= Duration::from_micros(35),
    );
    Ok(())
}

fn guard(table: &mut Table) {
    let text = payload(1_000_000).to_string();
    let guard = Guard::standard(Vec::new());
    let ours = median(15, 1, || guard.may_hold_anything(&text));
    let floor = median(15, 1, || text.bytes().fold(0_u64, |sum, byte| sum.rotate_left(5) ^ u64::from(byte)));
    let speed = text.len() as f64 / ours.as_secs_f64() / 1e6;
    table.row(
        &format!("the guard over {:.1} MB of clean JSON", text.len() as f64 / 1e6),
        ours,
        &format!("mixing its bytes {:.0} MB/s", text.len() as f64 / floor.as_secs_f64() / 1e6),
        format!("{speed:.0} MB/s"),
        "at least 500 MB/s",
        speed >= 500.0,
    );
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
