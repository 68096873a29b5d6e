//! `deed catalog new`: a new pack of types.

use crate::output::Success;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_app::scaffold::{NewTypePack, type_pack};
use deed_catalog::PackKind;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Write a new domain or workflow pack; its lint names what is left to fill in.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed catalog new domain insurance-claims
  deed catalog lint insurance-claims")]
pub(crate) struct New {
    /// Kind of the pack.
    #[arg(value_enum)]
    kind: Sort,
    /// Name of the pack, such as insurance-claims.
    name: String,
    /// Domain of its entities [default: the first word of the name].
    #[arg(long)]
    domain: Option<String>,
    /// Folder to write to [default: a folder named after the pack].
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Sort {
    Domain,
    Workflow,
}

/// A pack of types that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NewTypes {
    /// Its files.
    written: Vec<String>,
}

impl New {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let kind = match self.kind {
            Sort::Domain => PackKind::Domain,
            Sort::Workflow => PackKind::Workflow,
        };
        let new = NewTypePack { kind, name: self.name.clone(), domain: self.domain.clone(), folder: self.dir.clone() };
        let (folder, files) = type_pack(&new)?;
        let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        let text = names.iter().map(|name| format!("{name}\n")).collect::<String>();
        let next = format!("fill in what `deed catalog lint {}` names, then `deed catalog add` it", folder.display());
        Ok(Success::new(NewTypes { written: names }, text).remark(next))
    }
}
