//! `deed catalog new`: a pack to begin with.

use crate::output::Success;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_catalog::{NewPack, PackKind, scaffold};
use deed_diag::{Code, Diagnostic, quote};
use deed_model::EntitySchemaId;
use serde_json::json;
use std::path::PathBuf;

const BAD_NAME: Code = Code::new("D1821");

/// Begin a domain pack or a workflow pack; its lint says what is left to write.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// What sort of pack.
    #[arg(value_enum)]
    kind: Sort,
    /// Its name, such as insurance-claims.
    name: String,
    /// The domain of its entities; the first word of the name otherwise.
    #[arg(long)]
    domain: Option<String>,
    /// Where to write it; a folder of that name otherwise.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Sort {
    Domain,
    Workflow,
}

impl New {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let first = self.name.split('-').next().unwrap_or_default().to_owned();
        let domain = self.domain.clone().unwrap_or(first);
        let named = !self.name.is_empty()
            && self.name.len() <= 80
            && domain != "generic"
            && self.name.split('-').all(|word| {
                word.starts_with(|c: char| c.is_ascii_lowercase())
                    && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            });
        if !named || format!("{domain}.record").parse::<EntitySchemaId>().is_err() {
            let message = format!("{} and {} do not name a pack and a domain", quote(&self.name), quote(&domain));
            let help = "a pack has lowercase words with dashes, a domain one lowercase word";
            return Err(AppError::usage(Diagnostic::error(BAD_NAME, message).stage("catalog").help(help)));
        }
        let kind = match self.kind {
            Sort::Domain => PackKind::Domain,
            Sort::Workflow => PackKind::Workflow,
        };
        let folder = self.dir.clone().unwrap_or_else(|| PathBuf::from(&self.name));
        let written = scaffold(&NewPack { kind, id: self.name.clone(), domain });
        let files = written.iter().map(|(name, text)| (folder.join(name), text.as_bytes()));
        files::write_all(files.collect(), Existing::Keep, Access::Shared)?;
        let names: Vec<String> = written.iter().map(|(name, _)| folder.join(name).display().to_string()).collect();
        let text = names.iter().map(|name| format!("{name}\n")).collect::<String>();
        let next = format!("fill in what `deed catalog lint {}` names, then `deed catalog add` it", folder.display());
        Ok(Success::new(json!({ "written": names }), text).remark(next))
    }
}
