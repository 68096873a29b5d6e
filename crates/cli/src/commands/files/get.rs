//! `deed files get`: prints a version of a file, or writes it to a file.

use crate::args::Global;
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::output::Success;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use deed_app::AppError;
use deed_app::files::Existing;
use deed_app::workspaces::{FileContent, read_content, write_content};
use deed_model::FileVersion;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Print a version of a file after checking its hash, or write it to a file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed files get people/hours.csv
  deed files get agents/monthly/report.csv@2 --out report.csv")]
pub(crate) struct Get {
    /// Path, with a version where it is not the newest: `@2`, `@latest` or `@sha256:…`.
    #[arg(value_name = "PATH[@VERSION]")]
    reference: String,
    /// File to write.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that is there.
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

/// A version of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileVersionContent {
    /// The path.
    path: String,
    /// The version.
    version: FileVersion,
    /// The encoding of `content`: `utf-8` or `base64`; null with `--out`.
    encoding: Option<&'static str>,
    /// The content; null with `--out`.
    content: Option<String>,
    /// The file that was written, with `--out`.
    out: Option<String>,
}

impl Get {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (session, choice) = (global.session(), self.workspace.choice());
        if let Some(out) = &self.out {
            let existing = if self.force { Existing::Replace } else { Existing::Keep };
            return Ok(written(write_content(&session, &choice, &self.reference, out, existing)?, out));
        }
        let found = read_content(&session, &choice, &self.reference)?;
        let (encoding, content) = match std::str::from_utf8(&found.bytes) {
            Ok(text) => ("utf-8", text.to_owned()),
            Err(_) => ("base64", STANDARD.encode(&found.bytes)),
        };
        let data = FileVersionContent {
            path: found.path,
            version: found.version,
            encoding: Some(encoding),
            content: Some(content),
            out: None,
        };
        // The file is the caller's, and is printed as it is.
        Ok(Success { verbatim: true, ..Success::new(data, found.bytes).exact() })
    }
}

fn written(found: FileContent, out: &Path) -> Success {
    let text = format!("{}@{} in {}\n", found.path, found.version.version, out.display());
    let data = FileVersionContent {
        path: found.path,
        version: found.version,
        encoding: None,
        content: None,
        out: Some(out.display().to_string()),
    };
    Success::new(data, text)
}
