//! `deed files list`: the files of a workspace.

use super::shown::{origin, size};
use crate::args::Global;
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::output::Success;
use crate::text::writeln;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_app::workspaces::list_files;
use deed_model::FileVersion;
use deed_workspace::Area;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// An area of a workspace.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum AreaName {
    People,
    Agents,
}

/// List the files of a workspace, each with its newest version and its origin.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed files list
  deed files list agents/monthly/ --area agents")]
pub(crate) struct List {
    /// List only paths that begin so.
    #[arg(value_name = "BEGINNING")]
    beginning: Option<String>,
    /// List only files of people, or only files of agents.
    #[arg(long, value_name = "AREA", value_enum)]
    area: Option<AreaName>,
    /// List removed files too.
    #[arg(long)]
    removed: bool,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

/// The files of a workspace.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileList {
    /// The workspace.
    workspace: String,
    /// The files, by path.
    files: Vec<FileSummary>,
}

/// A file in short.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileSummary {
    /// The path.
    path: String,
    /// The newest version.
    latest: FileVersion,
    /// The number of its versions.
    versions: u64,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let area = self.area.map(|area| match area {
            AreaName::People => Area::People,
            AreaName::Agents => Area::Agents,
        });
        let (session, choice) = (global.session(), self.workspace.choice());
        let (workspace, listed) = list_files(&session, &choice, area, self.beginning.as_deref(), self.removed)?;
        let mut text = String::new();
        for file in &listed {
            let (version, size) = (file.latest.version, size(&file.latest));
            let _ = writeln!(text, "{}@{version}  {size}  {}", file.path, origin(&file.latest));
        }
        let empty = listed.is_empty();
        let summary = |file: deed_app::workspaces::ListedFile| FileSummary {
            path: file.path,
            latest: file.latest,
            versions: file.versions,
        };
        let data = FileList { workspace, files: listed.into_iter().map(summary).collect() };
        let success = Success::new(data, text);
        Ok(if empty { success.remark("no files; `deed files put FILE` adds one") } else { success })
    }
}
