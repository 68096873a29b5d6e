//! `deed files history`: every version of a file.

use super::shown::{origin, size};
use crate::args::Global;
use crate::commands::execution::membership::{ReplacedFile, superseding};
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::output::Success;
use crate::terminal::{self, Stream};
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::file_history;
use deed_model::FileVersion;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Show every version of a file with its origin, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed files history agents/monthly/report.csv")]
pub(crate) struct History {
    /// Path of the file.
    #[arg(value_name = "PATH")]
    path: String,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

/// A file with all its versions.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileHistory {
    /// The path.
    path: String,
    /// The versions, the newest first.
    versions: Vec<FileVersion>,
    /// The files whose place versions of this one took, by version.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    replaced: BTreeMap<u64, Vec<ReplacedFile>>,
}

impl History {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let deed_app::workspaces::FileHistory { file, replaced } =
            file_history(&global.session(), &self.workspace.choice(), &self.path)?;
        let versions: Vec<FileVersion> = file.versions.into_iter().rev().collect();
        let mut text = String::new();
        for version in &versions {
            let hash = version.content.map(|content| terminal::hash(Stream::Stdout, &content.sha256));
            let hash = hash.map(|hash| format!("  {hash}")).unwrap_or_default();
            let (number, size, origin) = (version.version, size(version), origin(version));
            let _ = writeln!(text, "{}@{number}  {}  {size}  {origin}{hash}", file.path, version.at);
            if let Some(by) = &version.superseded_by {
                let _ = writeln!(text, "  behind {}", superseding(by, &file.path));
            }
            for (path, removal) in replaced.get(&number).into_iter().flatten() {
                let _ = writeln!(text, "  in place of {path}, which is removed in its version {removal}");
            }
        }
        let replaced = replaced.iter().map(|(version, files)| (*version, files.iter().map(ReplacedFile::of).collect()));
        Ok(Success::new(FileHistory { path: file.path, versions, replaced: replaced.collect() }, text))
    }
}
