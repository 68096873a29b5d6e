//! `deed init`: a registry, a place for keys, and whose they are.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, FOLDER, Home};
use serde_json::json;
use std::path::PathBuf;

/// Make a registry in this folder, with embedded defaults: SQLite and a directory.
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Where; the working folder otherwise.
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// The tenant whose environments are pinned here.
    #[arg(long, default_value = "tenant_local")]
    tenant: String,
}

impl Init {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let root = global.home.clone().unwrap_or_else(|| self.folder.join(FOLDER));
        Home::init(&root, &self.tenant)?;
        let data = json!({ "home": root.display().to_string(), "tenant": self.tenant });
        Ok(Success::new(data, format!("{}\n", root.display())).remark(format!(
            "made {} for `{}`; next: `deed keys generate NAME`",
            root.display(),
            self.tenant
        )))
    }
}
