//! Canonical form and hash of a document of about 1 MB.

use crate::table::{Table, median, times};
use deed_canon::{TypeTag, hash, to_canonical};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::error::Error;

/// Orders as a service would return them: nested, with texts, numbers, fractions and escapes.
fn document() -> Value {
    let orders: Vec<Value> = (0..3600)
        .map(|i| {
            json!({
                "order_id": format!("ord_{i:06}"), "amount": f64::from(i) * 1.37 + 0.5, "currency": "INR", "paid": i % 3 == 0,
                "customer": { "name": format!("Zoë \"{i}\" Müller"), "city": "Köln", "visits": i },
                "lines": [{ "sku": "A-1", "n": 2, "price": 19.99 }, { "sku": "B-2", "n": 1, "price": 0.25 }],
                "note": "line one\nline two\ttabbed", "tags": ["a", "b", "c"], "refund": null,
            })
        })
        .collect();
    json!({ "orders": orders })
}

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let value = document();
    let tag: TypeTag = "deed/bench/v1".parse()?;
    let bytes = to_canonical(&value)?;
    let ours = median(31, 4, || hash(&tag, &value));
    let serialize = median(31, 4, || serde_json::to_vec(&value));
    let sha = median(31, 4, || Sha256::digest(&bytes));
    let ratio = times(ours, serialize + sha);
    let what = format!("canonicalize + hash {:.2} MB", bytes.len() as f64 / 1e6);
    let against = format!(
        "serde_json::to_vec {:.2} ms + SHA-256 {:.2} ms",
        serialize.as_secs_f64() * 1e3,
        sha.as_secs_f64() * 1e3
    );
    table.row(&what, ours, &against, format!("{ratio:.2}x"), "at most 2.5x", ratio <= 2.5);
    Ok(())
}
