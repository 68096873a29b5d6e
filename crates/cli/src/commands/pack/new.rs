//! `deed pack new`: a pack to begin with.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_diag::{Code, Diagnostic, Place};
use deed_pack::{ScaffoldOptions, scaffold};
use serde_json::json;
use std::path::PathBuf;

const BAD_ID: Code = Code::new("D0015");
const NOT_EMPTY: Code = Code::new("D0016");

/// Write the smallest pack worth having; it passes lint as it stands.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// The pack's id, e.g. ctxpack.support.
    pack_id: String,
    /// Where to write it; a folder named after the pack otherwise.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Whose pack it is; the registry's tenant otherwise.
    #[arg(long)]
    tenant: Option<String>,
}

impl New {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let folder = self.dir.clone().unwrap_or_else(|| PathBuf::from(&self.pack_id));
        let home_tenant = || global.session().maybe_home().map(|h| h.map(|h| h.config.tenant));
        let tenant_id = match &self.tenant {
            Some(tenant) => tenant.clone(),
            None => home_tenant()?.unwrap_or_else(|| "tenant_local".to_owned()),
        };
        let options =
            ScaffoldOptions { pack_id: self.pack_id.clone(), tenant_id, created_at: global.session().stamp()?.at };
        let written = scaffold(&options).map_err(|e| {
            AppError::refused(
                Diagnostic::error(BAD_ID, e.to_string()).stage("new").help("write an id such as `ctxpack.support`"),
            )
        })?;
        // Looked at before anything is written, so that a refusal leaves nothing behind.
        if let Some(taken) = written.iter().map(|f| folder.join(f.path)).find(|p| p.exists()) {
            return Err(AppError::refused(
                Diagnostic::error(NOT_EMPTY, "there is a pack here already")
                    .stage("new")
                    .at(Place::file(taken.display().to_string()))
                    .help("choose another folder with `--dir`"),
            ));
        }
        for (done, file) in written.iter().enumerate() {
            let result = files::write(&folder.join(file.path), file.text.as_bytes(), Existing::Keep, Access::Shared);
            if let Err(failure) = result {
                // All or nothing: take back what was written, and the folders that are empty again.
                let before = written.iter().take(done).map(|f| folder.join(f.path));
                before.for_each(|path| drop(std::fs::remove_file(path)));
                drop(std::fs::remove_dir(folder.join("overlays")));
                drop(std::fs::remove_dir(&folder));
                return Err(failure);
            }
        }
        let paths: Vec<String> = written.iter().map(|f| folder.join(f.path).display().to_string()).collect();
        let text = paths.iter().map(|p| format!("{p}\n")).collect::<String>();
        Ok(Success::new(json!({ "files": paths }), text).remark(format!("next: `deed pack lint {}`", folder.display())))
    }
}
