//! Many payloads in one run: one a line in, one answer a line out, with progress on a terminal.

use super::climb::name;
use crate::lines::next_line;
use crate::output::Success;
use crate::progress;
use deed_app::AppError;
use deed_diag::{Code, Invariant as _, MAX_DOCUMENT_BYTES, codes};
use deed_ladder::{Input, Ladder, climb as send};
use deed_model::{LadderOutcome, Phase, Proposals};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Sends every line up the ladder. A line that is refused does not stop the others; the command then ends with 1.
pub(super) fn climb(ladder: &Ladder, phase: Phase, proposals: &Proposals, path: &Path) -> Result<Success, AppError> {
    let (mut reader, size): (Box<dyn BufRead>, Option<u64>) = if path == Path::new("-") {
        (Box::new(io::stdin().lock()), None)
    } else {
        let file = File::open(path).map_err(|e| AppError::reading(path, &e))?;
        let size = file.metadata().ok().map(|meta| meta.len());
        (Box::new(BufReader::new(file)), size)
    };
    let bar = progress::bar(size);
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut number, mut accepted, mut rejected, mut changed) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut line = Vec::new();
    while next_line(&mut reader, &mut line).map_err(|e| AppError::reading(path, &e))? {
        number += 1;
        bar.inc(line.len() as u64);
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match one(ladder, phase, proposals, &line) {
            Ok((answer, outcome, changes)) => {
                if outcome == LadderOutcome::Accepted {
                    accepted += 1
                } else {
                    rejected += 1
                }
                changed += u64::from(changes > 0);
                answer
            }
            Err(message) => {
                rejected += 1;
                json!({ "outcome": "rejected", "error": { "code": codes::BAD_PAYLOAD_LINE, "message": message } })
            }
        };
        bar.set_message(format!("{accepted} accepted, {rejected} rejected"));
        match writeln!(out, "{}", with_line(number, answer)) {
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
    let summary = format!("{}: {accepted} accepted, {rejected} rejected, {changed} changed", name(path));
    Ok(Success { found: rejected > 0, bulk: true, ..Success::default() }.remark(summary))
}

fn one(
    ladder: &Ladder,
    phase: Phase,
    proposals: &Proposals,
    line: &[u8],
) -> Result<(Value, LadderOutcome, usize), String> {
    if line.len() as u64 > MAX_DOCUMENT_BYTES {
        return Err("the line is too long".to_owned());
    }
    let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8 text".to_owned())?;
    let climbed = send(ladder, Input::Text(text.trim_end_matches(['\n', '\r'])), phase, proposals);
    let (outcome, changes) = (climbed.report.outcome, climbed.report.changes.len());
    Ok((json!({ "outcome": outcome, "payload": climbed.payload, "report": climbed.report }), outcome, changes))
}

fn with_line(number: u64, mut answer: Value) -> Value {
    if let Some(map) = answer.as_object_mut() {
        map.insert("line".to_owned(), json!(number));
    }
    answer
}

/// Returns the code of a finding.
pub(super) fn code(text: &str) -> Code {
    Code::parse(text).invariant("every finding of the ladder has a page")
}
