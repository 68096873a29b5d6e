//! `deed pack diff`: the changes between two versions, layer by layer, and the version number that they need.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::{AppError, packs};
use deed_pack::{Change, ChangeClass};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Compare two versions of a pack, and check that the version number fits.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack diff ctxpack.support@1.0.0 ./support")]
pub(crate) struct Diff {
    /// Older version: a folder such as ./support, or a version such as ctxpack.a@1.0.0.
    before: String,
    /// Newer version: a folder such as ./support, or a version such as ctxpack.a@1.0.0.
    after: String,
}

/// Two versions compared.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PackDiff {
    /// The older version.
    before: String,
    /// The newer version.
    after: String,
    /// The change of the version number that the differences need; null where there are none.
    required: Option<ChangeClass>,
    /// The change of the version number that was made.
    declared: String,
    /// The differences, layer by layer.
    changes: Vec<Change>,
}

impl Diff {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let (before, after) = (packs::bundle(&session, &self.before)?, packs::bundle(&session, &self.after)?);
        let (diff, report) = packs::compare(&before.bundle, &after.bundle)?;
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
        let data = PackDiff {
            before: diff.before.to_string(),
            after: diff.after.to_string(),
            required: diff.required,
            declared: diff.declared.to_string(),
            changes: diff.changes,
        };
        let found = report.has_errors();
        Ok(Success { found, ..Success::new(data, text).report(report) })
    }
}
