//! `deed gate show`: the subject of an approval, with the files behind it.

use super::anew;
use crate::args::Global;
use crate::commands::execution::membership::{LapseData, lapse_line};
use crate::commands::execution::shown::{self, plain};
use crate::output::Success;
use crate::terminal::{self, Stream, cut};
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{
    FIRST_ROWS, FileChange, GateReview, Lapse, Preview, ReviewedFile, gates, has_lapsed, lapses, load, lost_approvals,
    review, rolled_back, shell_word,
};
use deed_diag::Invariant as _;
use deed_model::{Approval, GateSubject};
use deed_runtime::GateState;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Columns that a cell of a table takes at most on a terminal.
const CELL: usize = 24;
/// Columns before a line of a file.
const MARK: usize = 4;

/// Show what a gate asks, the files behind it, and what changed since the last approval.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed gate show last
  deed gate show week-46 payout --all")]
pub(crate) struct Show {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Gate to show [default: all that wait].
    #[arg(value_name = "GATE")]
    gate: Option<String>,
    /// Show all rows and lines of the files, and not only the first.
    #[arg(long)]
    all: bool,
}

/// A gate, and what an approver looks at.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownGate {
    /// The subject that an approval is bound to.
    subject: GateSubject,
    /// Its hash.
    subject_hash: String,
    /// The decision; null where it waits.
    decided: Option<Approval>,
    /// True where the question has lapsed.
    lapsed: bool,
    /// The last approval or question of this gate that lapsed, with the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    lapse: Option<LapseData>,
    /// The files behind the decision. They are not part of the hash, except those that the subject lists.
    review: GateReview,
    /// The other gates of the run that wait, where no gate was named.
    others: Vec<ShownGate>,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let (home, store, loaded) = load(&session, &self.run)?;
        let rows = if self.all { usize::MAX } else { FIRST_ROWS };
        let mut texts = Vec::new();
        let mut shown = Vec::new();
        let mut earlier = lapses(&loaded.entries);
        earlier.extend(lost_approvals(&session, &loaded.state)?);
        for gate in gates(&loaded, self.gate.as_deref())? {
            let review = review(&store, &loaded, gate, rows)?;
            let lapsed = loaded.state.ended.is_none() && gate.is_open() && has_lapsed(&session, &gate.subject)?;
            let lapse = earlier.get(&gate.subject.gate_id);
            texts.push(text(&loaded.run_id, gate, &review, lapsed, lapse));
            shown.push(ShownGate {
                subject: gate.subject.clone(),
                subject_hash: gate.subject_hash.to_string(),
                decided: gate.decided.as_ref().map(|signed| signed.approval.clone()),
                lapsed,
                lapse: lapse.map(LapseData::of),
                review,
                others: Vec::new(),
            });
        }
        let others = shown.split_off(1);
        let first = shown.pop().invariant("a run without a gate that waits is refused");
        let success = Success::new(ShownGate { others, ..first }, texts.join("\n"));
        Ok(success.report(rolled_back(&home)?))
    }
}

/// A gate in lines.
fn text(run_id: &str, gate: &GateState, review: &GateReview, lapsed: bool, lapse: Option<&Lapse>) -> String {
    let mut text = shown::gate_text(&gate.subject, Some(&gate.subject_hash));
    if let Some(signed) = &gate.decided {
        let _ = writeln!(text, "  decided by {} at {}", signed.approval.approver, signed.approval.decided_at);
    }
    if let Some(lapse) = lapse {
        let _ = writeln!(text, "  earlier   {}", lapse_line(lapse));
    }
    if lapsed {
        let _ = writeln!(text, "  lapsed    {}", anew(run_id));
    }
    text.push_str(&terminal::fit(Stream::Stdout, &reviewed(run_id, review)));
    text
}

/// The files behind a decision, in lines.
fn reviewed(run_id: &str, review: &GateReview) -> String {
    let mut out = String::new();
    for file in &review.files {
        let read_by = match file.read_by.as_slice() {
            [] => String::new(),
            steps => format!(", read by {}", steps.join(", ")),
        };
        let change = file.change.as_ref().map_or_else(String::new, |change| format!("  [{}]", changed(change)));
        let bytes = shown::count(file.bytes, "byte");
        let _ = writeln!(out, "file {} ({bytes}{read_by}){change}", plain(&file.path));
        preview(&mut out, run_id, file);
    }
    for path in &review.gone {
        let _ = writeln!(out, "file {} is gone", plain(path));
    }
    if let Some(run) = &review.compared_with {
        let _ = writeln!(out, "compared with {run}, the last run of this plan that was approved here and succeeded");
    } else if !review.files.is_empty() {
        out.push_str("no earlier run of this plan was approved at this gate and succeeded\n");
    }
    out
}

fn changed(change: &FileChange) -> String {
    match change {
        FileChange::Same => "unchanged".to_owned(),
        FileChange::New => "new".to_owned(),
        FileChange::Changed { added: Some(added), removed: Some(removed) } => {
            let word = if added.saturating_add(*removed) == 1 { "row" } else { "rows" };
            format!("+{added} -{removed} {word}")
        }
        FileChange::Changed { .. } => "changed".to_owned(),
    }
}

/// A text that is cut on a terminal, and whole elsewhere.
fn shortened(text: &str, width: usize) -> String {
    if terminal::is_terminal(Stream::Stdout) { cut(text, width) } else { text.to_owned() }
}

fn preview(out: &mut String, run_id: &str, file: &ReviewedFile) {
    let line = terminal::width(Stream::Stdout).unwrap_or(usize::MAX).saturating_sub(MARK);
    let more = |out: &mut String, left: usize, one: &str| {
        if left > 0 {
            let command = format!("deed artifacts cat {run_id} {}", shell_word(&file.path));
            let _ = writeln!(out, "  | and {} more; all: `{command}`", shown::count(left, one));
        }
    };
    match &file.preview {
        Preview::Rows { columns, rows, total } => {
            let cell = |text: &String| shortened(&shown::in_a_line(text), CELL);
            let table: Vec<Vec<String>> =
                std::iter::once(columns).chain(rows).map(|row| row.iter().map(cell).collect()).collect();
            let width = |at: usize| table.iter().filter_map(|row| row.get(at)).map(|c| c.chars().count()).max();
            let widths: Vec<usize> = (0..columns.len()).map(|at| width(at).unwrap_or(0)).collect();
            for row in table.iter().filter(|row| !row.is_empty()) {
                let cells: Vec<String> =
                    row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
                let _ = writeln!(out, "  | {}", shortened(cells.join("  ").trim_end(), line));
            }
            if rows.is_empty() {
                out.push_str("  | (no rows)\n");
            }
            more(out, total.saturating_sub(rows.len()), "row");
        }
        Preview::Text { lines, total } => {
            for text in lines {
                let _ = writeln!(out, "  | {}", shortened(&plain(text), line));
            }
            match total {
                Some(total) => more(out, total.saturating_sub(lines.len()), "line"),
                None => out.push_str("  | and more: the file is too large to count its lines\n"),
            }
        }
        Preview::Binary => out.push_str("  | not text; `deed artifacts cat` prints it\n"),
    }
}
