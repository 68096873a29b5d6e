//! `deed pack diff`: what changed, layer by layer, and which version number that needs.

use super::source::bundle;
use crate::args::Global;
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_diag::{Diagnostic, Report, Severity};
use deed_pack::{Bundle, Gate, diff, lint_gates};
use serde_json::json;
use std::fmt::Write as _;

/// Compare two versions layer by layer; refuses a version number that says too little.
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The older version: a folder, or a reference.
    before: String,
    /// The newer version: a folder, or a reference.
    after: String,
}

impl Diff {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (before, after) = (bundle(&self.before, global)?, bundle(&self.after, global)?);
        let (diff, report) = compared(&before, &after)?;
        let mut text = String::new();
        let mut layer = "";
        for change in &diff.changes {
            if change.layer != layer {
                let _ = writeln!(text, "{}", change.layer);
                layer = &change.layer;
            }
            let _ = writeln!(
                text,
                "  {:<6} {} {}  ({})",
                change.class.as_str(),
                change.what.as_str(),
                change.subject,
                change.why
            );
        }
        let required = diff.required.map_or("none", |c| c.as_str());
        let _ = writeln!(text, "{} -> {}  required {required}, declared {}", diff.before, diff.after, diff.declared);
        let data = json!({
            "before": diff.before,
            "after": diff.after,
            "required": diff.required,
            "declared": diff.declared,
            "changes": diff.changes,
        });
        let found = report.has_errors();
        Ok(Success { found, ..Success::new(data, text).report(report) })
    }
}

/// The difference, and what stands against it in the newer version.
pub(super) fn compared(before: &Bundle, after: &Bundle) -> Result<(deed_pack::Diff, Report), Failure> {
    // What the table rejects is what these two gates find in the newer version. Overlays are compared as
    // changes of their own.
    let gates = lint_gates(after, &[Gate::References, Gate::Risk]).report;
    let in_pack = |d: &&Diagnostic| d.place.as_ref().is_some_and(|p| p.source == after.document.source().name());
    let rejections: Vec<_> = gates
        .diagnostics()
        .iter()
        .filter(|d| d.severity == Severity::Error && !d.code.as_str().starts_with("D10"))
        .filter(in_pack)
        .cloned()
        .collect();
    let diff = diff(before, after, &rejections)?;
    let mut report = before.report();
    report.merge(after.report());
    diff.diagnostics.iter().cloned().for_each(|d| report.push(d));
    Ok((diff, report))
}
