//! Reading dirty text takes a bounded multiple of the text, counted by the allocator.
//!
//! A program of its own with one test: the counting allocator is global, and any other test would be counted too.
#![allow(clippy::unwrap_used, reason = "tests")]

use deed_ladder::{Input, Ladder, climb};
use deed_model::{LadderContract, LadderOutcome, Phase, Proposals};
use peak_alloc::PeakAlloc;
use serde_json::{Value, json};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Times the text.
const MOST: f64 = 12.0;
const SIZE: usize = 2 << 20;
/// Other notations are read up to 256 KiB.
const SMALL: usize = 200 << 10;
/// The value of a short row takes more than its text, which does not repeat the keys.
const NOTE: &str = "called twice on Monday and once on Tuesday, no answer so far; the neighbour says that they are away until the end \
    of the month, and that the parcel may be left in the shed behind the house, which is not locked";

fn repeated(open: &str, part: impl Fn(usize) -> String, close: &str) -> String {
    repeated_to(SIZE, open, part, close)
}

fn repeated_to(size: usize, open: &str, part: impl Fn(usize) -> String, close: &str) -> String {
    let mut text = open.to_owned();
    let mut index = 0;
    while text.len() < size {
        text.push_str(&part(index));
        index += 1;
    }
    text + close
}

fn ratio(name: &str, schema: Value, text: &str) -> (String, f64) {
    let contract: LadderContract = serde_json::from_value(json!({ "contract": "memory", "schema": schema })).unwrap();
    let ladder = Ladder::new(contract).unwrap();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let climbed = climb(&ladder, Input::Text(text), Phase::StepOutput, &Proposals::default());
    let peak = MEMORY.peak_usage() - before;
    let kept = MEMORY.current_usage() - before;
    assert_eq!(climbed.report.outcome, LadderOutcome::Accepted, "{name}: {:?}", climbed.report.findings.first());
    assert!(!climbed.report.repairs.is_empty(), "{name}");
    let ratio = peak as f64 / text.len() as f64;
    println!(
        "{name}: {} bytes, peak {peak} ({ratio:.1}x), kept {kept}, {} repairs",
        text.len(),
        climbed.report.repairs.len()
    );
    (name.to_owned(), ratio)
}

#[test]
fn dirty_text_takes_at_most_twelve_times_its_size() {
    let record = |i: usize| {
        format!(
            "{{'id': {i}, 'name': 'customer number {i}', 'note': 'called twice, no answer so far', 'active': True}},\n"
        )
    };
    let proper = |i: usize| {
        format!(
            "{{\"id\": {i}, \"name\": \"customer number {i}\", \"note\": \"called twice, no answer so far\", \"active\": true,}}, // {i}\n"
        )
    };
    let word = |i: usize| format!("'word number {i}', ");
    let number = |i: usize| format!("{i}, ");
    let line = |i: usize| format!("line {i} of a long text with an \"inner\" quote\n");
    let lua = |i: usize| format!("  {{ id = {i}, name = \"customer number {i}\", note = \"{NOTE}\" }}, -- in order\n");
    let row = |i: usize| format!("({i}, 'customer number {i}', '{NOTE}'),\n");
    let item = |i: usize| format!("<item><id>{i}</id><name>customer number {i}</name><note>{NOTE}</note></item>\n");
    let rows = json!({ "type": "array", "items": { "type": "object", "properties": {
        "id": { "type": "integer" }, "name": { "type": "string" }, "note": { "type": "string" } } } });
    let insert = "INSERT INTO t (id, name, note) VALUES\n";
    let found = [
        ratio("literals of Lua", rows.clone(), &repeated_to(SMALL, "return {\n", lua, "}\n")),
        ratio("rows of an INSERT", rows.clone(), &repeated_to(SMALL, insert, row, "(0, 'last', 'row');")),
        ratio("elements of XML", rows, &repeated_to(SMALL, "<items>\n", item, "</items>\n")),
        ratio("records with commas and comments", json!({ "type": "array" }), &repeated("Here:\n[", proper, "]")),
        ratio("words", json!({ "type": "array" }), &repeated("[", word, "]")),
        ratio("numbers", json!({ "type": "array" }), &repeated("```json\n[", number, "]\n```")),
        // Nearly every string needs two repairs, each of which is in the record.
        ratio("records in single quotes", json!({ "type": "array" }), &repeated("Here:\n[", record, "]")),
        ratio("one text", json!({ "type": "object" }), &repeated("{'text': '", line, "'}")),
    ];
    let over: Vec<&(String, f64)> = found.iter().filter(|(_, ratio)| *ratio > MOST).collect();
    assert!(over.is_empty(), "{over:?}");
}
