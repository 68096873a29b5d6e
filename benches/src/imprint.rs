//! Templates of a whole API, and a filled template lowered.

use crate::table::{Table, median, times};
use deed_imprint::{Imprint, Supplied};
use deed_schema::{Api, Part, Schema, read_foreign};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    stripe(table)?;
    lower(table)
}

/// The description of Stripe, if the corpus is there.
fn description() -> Option<String> {
    let corpus = std::env::var_os("DEED_CORPUS").map_or_else(|| PathBuf::from("../shared/corpus"), PathBuf::from);
    let path = corpus.join("openapi/stripe.com_2022-11-15.yaml.gz");
    let unpacked = Command::new("gzip").arg("-dc").arg(path).output().ok().filter(|out| out.status.success())?;
    String::from_utf8(unpacked.stdout).ok()
}

fn stripe(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let Some(text) = description() else {
        println!("the corpus is absent: the templates of a whole API are not measured");
        return Ok(());
    };
    let mut best = (Duration::MAX, Duration::MAX, 0);
    for _ in 0..5 {
        let start = Instant::now();
        let document = read_foreign(&text)?;
        let read = start.elapsed();
        let api = Api::new(document)?;
        let mut templates = 0;
        for operation in api.operations() {
            if let Some(schema) = api.schema(&operation, Part::Request) {
                Imprint::new(schema?)?;
                templates += 1;
            }
        }
        best = best.min((start.elapsed(), read, templates));
    }
    let (whole, read, templates) = best;
    table.row(
        &format!("templates of {templates} operations, load included"),
        whole,
        &format!("reading the YAML alone {:.0} ms", read.as_secs_f64() * 1e3),
        format!("{:.2}x", times(whole, read)),
        "below 1 s",
        whole < Duration::from_secs(1),
    );
    Ok(())
}

/// A form of fifty fields: texts, numbers, choices, lists and two levels of objects.
fn form() -> (Value, Value) {
    let mut properties = Map::new();
    let mut filled = Map::new();
    for index in 0..10 {
        let inner = json!({
            "type": "object",
            "required": ["name", "amount"],
            "additionalProperties": false,
            "properties": {
                "name": { "type": "string", "maxLength": 80 },
                "amount": { "type": "number", "minimum": 0 },
                "kind": { "enum": ["card", "bank", "cash"] },
                "tags": { "type": "array", "items": { "type": "string" } },
                "note": { "type": "string", "description": "Anything worth knowing" },
            }
        });
        properties.insert(format!("part_{index}"), inner);
        filled.insert(
            format!("part_{index}"),
            json!({ "name": "Anna", "amount": 12.5, "kind": "card", "tags": ["a"], "note": "{OPTIONAL|string}" }),
        );
    }
    (json!({ "type": "object", "properties": properties, "additionalProperties": false }), Value::Object(filled))
}

fn lower(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let (schema, filled) = form();
    let imprint = Imprint::new(Schema::new(schema)?)?;
    let none = Supplied::new();
    let ours = median(51, 50, || imprint.lower(&filled, &none));
    let floor = median(51, 50, || imprint.schema().is_valid(&filled));
    table.row(
        "lower a filled template of 50 fields",
        ours,
        &format!("validating alone {:.1} us", floor.as_secs_f64() * 1e6),
        format!("{:.2}x", times(ours, floor)),
        "at most 100 us",
        ours <= Duration::from_micros(100),
    );
    Ok(())
}
