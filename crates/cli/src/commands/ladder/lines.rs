//! Many payloads in one command: one a line in, one answer a line out, with progress on a terminal.

use crate::output::{Success, versioned};
use crate::progress;
use deed_app::AppError;
use deed_app::ladders::Climber;
use deed_app::lines::Lines;
use deed_diag::codes;
use deed_model::LadderOutcome;
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Climbs with every line. A line that is refused does not stop the others; the command then ends with 1.
pub(super) fn climb(climber: &Climber, path: &Path) -> Result<Success, AppError> {
    let mut lines = Lines::open(path)?;
    let bar = progress::bar(lines.size());
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut accepted, mut rejected, mut changed) = (0_u64, 0_u64, 0_u64);
    while let Some(line) = lines.read_next()? {
        bar.inc(line.bytes.len() as u64);
        if line.is_blank() {
            continue;
        }
        let answer = match climber.line(&line) {
            Ok(climbed) => {
                let report = climbed.report;
                if report.outcome == LadderOutcome::Accepted {
                    accepted += 1
                } else {
                    rejected += 1
                }
                changed += u64::from(!report.changes.is_empty());
                json!({ "outcome": report.outcome, "payload": climbed.payload, "report": report })
            }
            Err(message) => {
                rejected += 1;
                json!({ "outcome": "rejected", "error": { "code": codes::BAD_PAYLOAD_LINE, "message": message } })
            }
        };
        bar.set_message(format!("{accepted} accepted, {rejected} rejected"));
        match writeln!(out, "{}", versioned(with_line(line.number, answer))) {
            Ok(()) => {}
            // The reader has closed the pipe.
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => break,
            Err(e) => return Err(AppError::printing(&e)),
        }
    }
    match out.flush() {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => return Err(AppError::printing(&e)),
        Ok(()) | Err(_) => {}
    }
    bar.finish_and_clear();
    let summary = format!("{}: {accepted} accepted, {rejected} rejected, {changed} changed", lines.name());
    let success = Success { found: rejected > 0, bulk: true, ..Success::default() };
    Ok(success.report(climber.warnings().clone()).remark(summary))
}

/// An answer with the number of its line.
fn with_line(number: u64, mut answer: Value) -> Value {
    if let Some(map) = answer.as_object_mut() {
        map.insert("line".to_owned(), json!(number));
    }
    answer
}
