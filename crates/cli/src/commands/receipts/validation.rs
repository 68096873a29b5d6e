//! The verdicts of validation packs in a receipt.

use crate::commands::execution::shown::{count, plain};
use crate::text::writeln;
use serde_json::Value;
use std::fmt::Write as _;

/// Appends the verdicts of a receipt, each with its findings and both hashes of a correction.
pub(super) fn lines(out: &mut String, statement: &Value) {
    let records = statement.pointer("/predicate/validation").and_then(Value::as_array).into_iter().flatten();
    for record in records {
        let text = |pointer: &str| record.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let (phase, verdict, path) = (text("/phase"), text("/verdict").replace('_', " "), text("/path"));
        let pack = text("/pack_ref");
        let of = [path, pack].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("  ");
        let line = format!("  {:<8} {phase} {verdict}  {of}", "judged");
        let _ = writeln!(out, "{}", line.trim_end());
        let after = text("/correction/after");
        if !after.is_empty() {
            let changes = record.pointer("/correction/changes").and_then(Value::as_u64).unwrap_or(0);
            let _ = writeln!(out, "           {}: {} became {after}", count(changes, "change"), text("/before"));
            let _ = writeln!(out, "           record {}", plain(text("/correction/report/path")));
        }
        for finding in record.get("findings").and_then(Value::as_array).into_iter().flatten() {
            let text = |key: &str| finding.get(key).and_then(Value::as_str).unwrap_or_default();
            let row = finding.get("row").and_then(Value::as_u64).map_or_else(String::new, |row| format!(" row {row}"));
            let at = if text("pointer").is_empty() { String::new() } else { format!(" at {}", plain(text("pointer"))) };
            let message = plain(text("message"));
            let _ = writeln!(out, "           {} {}{row}{at}: {message}", text("code"), text("by"));
        }
        let more = record.get("unlisted").and_then(Value::as_u64).unwrap_or(0);
        if more > 0 {
            let _ = writeln!(out, "           and {more} more");
        }
    }
}
