//! `deed pack new`: a new pack that passes lint.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::scaffold::{NewContextPack, context_pack};
use deed_pack::ScaffoldSize;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Write a new pack that passes lint, with a request to compile.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack new ctxpack.support
  deed pack new ctxpack.support --minimal --dir support")]
pub(crate) struct New {
    /// Id of the pack, such as ctxpack.support.
    pack_id: String,
    /// Write the smallest pack: one decision, no tools, no rules.
    #[arg(long)]
    minimal: bool,
    /// Folder to write to [default: a folder named after the pack].
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Tenant that owns the pack [default: the registry's tenant].
    #[arg(long)]
    tenant: Option<String>,
}

/// A pack that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NewPack {
    /// Its files.
    files: Vec<String>,
}

impl New {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let new = NewContextPack {
            pack_id: self.pack_id.clone(),
            folder: self.dir.clone(),
            tenant: self.tenant.clone(),
            size: if self.minimal { ScaffoldSize::Minimal } else { ScaffoldSize::Full },
        };
        let (folder, files) = context_pack(&global.session(), &new)?;
        let paths: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        let text = paths.iter().map(|path| format!("{path}\n")).collect::<String>();
        Ok(Success::new(NewPack { files: paths }, text).remark(format!("next: `deed pack lint {}`", folder.display())))
    }
}
