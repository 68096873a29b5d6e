//! The rows of a table as payloads.

use super::findings::Findings;
use deed_adapters::{Settings, find};
use deed_diag::Invariant as _;
use deed_model::ReadAs;
use serde_json::Value;
use std::io::Cursor;

/// Calls a function with every row, counted from 1.
pub(super) fn each(
    read_as: ReadAs,
    bytes: &[u8],
    findings: &mut Findings,
    mut row: impl FnMut(u64, &Value, &mut Findings),
) {
    match read(read_as, bytes) {
        Ok(rows) => {
            for (number, value) in (1..).zip(&rows) {
                row(number, value, findings);
            }
        }
        Err(why) => findings.unreadable(read_as.as_str(), why),
    }
}

/// Reads all rows.
pub(super) fn read(read_as: ReadAs, bytes: &[u8]) -> Result<Vec<Value>, String> {
    let id = if read_as == ReadAs::TsvRows { "tsv_to_json_rows.v1" } else { "csv_to_json_rows.v1" };
    let adapter = find(id).invariant("tables of text have an adapter");
    let mut written = Vec::new();
    adapter
        .run(&mut [&mut Cursor::new(bytes)], &mut written, &Settings::default())
        .map_err(|error| format!("it cannot be read as a table: {error}"))?;
    match deed_canon::parse(&written) {
        Ok(Value::Array(rows)) => Ok(rows),
        Ok(_) => Err("it cannot be read as a table: it has no rows".to_owned()),
        Err(error) => Err(format!("it cannot be read as a table: {error}")),
    }
}
