//! `deed profile diff`: the changes between two versions, and the version number that they need.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::{AppError, profiles};
use deed_profile::{ProfileChange, ProfileChangeClass};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Compare two versions of a profile, and check that the version number fits.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile diff ./team-1.yaml ./team-2.yaml")]
pub(crate) struct Diff {
    /// Older version: a shipped profile, or a file such as ./team.yaml.
    before: String,
    /// Newer version: a shipped profile, or a file such as ./team.yaml.
    after: String,
}

/// Two versions compared.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ComparedProfiles {
    /// The older version.
    before: String,
    /// The newer version.
    after: String,
    /// The change of the version number that the differences need; null where there are none.
    required: Option<ProfileChangeClass>,
    /// The differences, by field.
    changes: Vec<ProfileChange>,
}

impl Diff {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let diff = profiles::compare(&global.session(), &self.before, &self.after)?;
        let mut text = String::new();
        for change in &diff.changes {
            let _ = writeln!(text, "{:<6} {}  ({})", change.class.as_str(), change.pointer, change.why);
        }
        let required = diff.required.map_or("none", |class| class.as_str());
        let _ = writeln!(text, "{} -> {}  required {required}", diff.before, diff.after);
        let data = ComparedProfiles {
            before: diff.before.to_string(),
            after: diff.after.to_string(),
            required: diff.required,
            changes: diff.changes,
        };
        let found = diff.report.has_errors();
        Ok(Success { found, ..Success::new(data, text).report(diff.report) })
    }
}
