//! `deed pack diff`: what changed, layer by layer, and which version number that needs.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let (before, after) = (packs::bundle(&session, &self.before)?, packs::bundle(&session, &self.after)?);
        let (diff, report) = packs::compare(&before, &after)?;
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
