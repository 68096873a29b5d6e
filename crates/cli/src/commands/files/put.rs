//! `deed files put`: uploads files to a workspace.

use crate::args::Global;
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::output::Success;
use crate::text::{count, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::{Upload, upload};
use deed_store::Outcome;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Add a file, or all files of a folder, as new versions. Links are not followed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed files put hours.csv
  deed files put november people/2026-11 --note \"from the time sheets\"")]
pub(crate) struct Put {
    /// File or folder; `-` reads standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Path in the workspace; ending with `/`, a folder there [default: the name below `people/`].
    #[arg(value_name = "PATH")]
    path: Option<String>,
    /// Remark, for the history.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Version that this replaces, 0 for none; refused if another one is the newest.
    #[arg(long, value_name = "VERSION")]
    base: Option<u64>,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

/// Files that were uploaded.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PutFiles {
    /// The workspace.
    workspace: String,
    /// The files.
    files: Vec<PutFile>,
    /// True where an event was recorded; false where nothing had changed.
    recorded: bool,
}

/// A file that was uploaded.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PutFile {
    /// The path.
    path: String,
    /// Its newest version.
    version: u64,
    /// The hash of its content.
    sha256: String,
    /// The size in bytes.
    size_bytes: u64,
    /// True where the newest version had this content already, and no version was added.
    unchanged: bool,
}

impl Put {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let request =
            Upload { source: self.file.clone(), path: self.path.clone(), note: self.note.clone(), base: self.base };
        let (workspace, uploaded, outcome) = upload(&global.session(), &self.workspace.choice(), &request)?;
        let mut text = String::new();
        for file in &uploaded {
            let unchanged = if file.unchanged { ", unchanged" } else { "" };
            let size = count(file.content.size_bytes, "byte");
            let _ = writeln!(text, "{}@{}  {size}{unchanged}", file.path, file.version);
        }
        let put = |file: deed_app::workspaces::UploadedFile| PutFile {
            path: file.path,
            version: file.version,
            sha256: file.content.sha256.to_string(),
            size_bytes: file.content.size_bytes,
            unchanged: file.unchanged,
        };
        let recorded = outcome != Outcome::AlreadyDone;
        let data = PutFiles { workspace, files: uploaded.into_iter().map(put).collect(), recorded };
        Ok(Success::new(data, text).remark(format!("uploaded: {outcome}")))
    }
}
