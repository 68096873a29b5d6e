//! Plans lowered: a hundred, a thousand and ten thousand steps.

use crate::table::{Table, median, times};
use deed_catalog::builtin;
use deed_diag::{Document, Format};
use deed_plan::lower;
use serde_json::{Value, json};
use std::error::Error;
use std::time::Duration;

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let catalog = builtin().map_err(|_| "the built-in catalogue cannot be read")?;
    let mut per_step = Vec::new();
    for (steps, rounds, aim, most) in [
        (100, 51, "at most 3 ms", Duration::from_millis(3)),
        (1_000, 15, "at most 30 ms", Duration::from_millis(30)),
        (10_000, 5, "at most 400 ms", Duration::from_millis(400)),
    ] {
        let text = plan(steps).to_string();
        let document =
            Document::read("bench.json", text.as_bytes(), Format::Json).map_err(|_| "the plan is no document")?;
        if lower(&document, catalog).compiled.is_none() {
            return Err("the plan does not compile".into());
        }
        let ours = median(rounds, 1, || lower(&document, catalog));
        let floor = median(rounds, 1, || serde_json::from_str::<Value>(&text).map(|value| value.is_object()));
        table.row(
            &format!("lower a plan of {steps} steps"),
            ours,
            &format!("parse its text {:.1} ms", floor.as_secs_f64() * 1e3),
            format!("{:.2}x", times(ours, floor)),
            aim,
            ours <= most,
        );
        per_step.push(format!("{:.1} us", ours.as_secs_f64() * 1e6 / steps as f64));
    }
    println!("plans, a step of 100, of 1,000 and of 10,000: {}", per_step.join(", "));
    Ok(())
}

/// Lanes of ten steps: the first reads what the mission is given by an adapter, each other what the one before gives.
fn plan(steps: usize) -> Value {
    let step = |index: usize| {
        let (lane, position) = (index / 10, index % 10);
        let id = |position: usize| format!("lane-{lane:05}-{position}");
        let (before, slot, accepted) = match position {
            0 => (json!([]), "raw_files", "table.json_rows"),
            _ => (json!([id(position - 1)]), "normalized_rows", "table.json_rows"),
        };
        json!({
            "id": id(position),
            "label": format!("Normalize part {index}"),
            "objective": "MUST keep every row and bring it to the canonical fields",
            "objective_words": "Normalize",
            "depends_on": before,
            "abstract_inputs": [{
                "slot": slot, "entity_schema_id": "billing.time_entry", "accepted_kind_keys": [accepted],
                "provenance_policy": "none",
            }],
            "abstract_outputs": [{
                "slot": "normalized_rows", "entity_schema_id": "billing.time_entry",
                "preferred_kind_keys": ["table.json_rows"],
            }],
            "expected_outputs": [{ "path": format!("output/{lane:05}/{position}.json"), "role": "supporting" }],
            "artifact_contracts": { format!("output/{lane:05}/{position}.json"): { "format": "json" } },
            "success_criteria": [format!("output/{lane:05}/{position}.json exists and matches its schema")],
        })
    };
    json!({
        "plan": "bench",
        "mission": { "objective": "Normalize all parts of the time sheets" },
        "domain_pack_ids": ["billing-audit"],
        "policy_profile_id": "strict.allow-normalizers.v1",
        "inputs": [{
            "slot": "raw_files", "path": "input/time.csv", "entity_schema_id": "billing.time_entry",
            "kind_key": "table.csv",
        }],
        "steps": (0..steps).map(step).collect::<Vec<_>>(),
    })
}
