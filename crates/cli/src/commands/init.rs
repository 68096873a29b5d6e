//! `deed init`: a new project, with a registry and a folder for keys.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, FOLDER, Home};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Make a project: a folder `.deed` with a registry, runs and keys.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed init
  deed init --tenant tenant_acme")]
pub(crate) struct Init {
    /// Folder to make it in.
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Tenant that the registry is for; packs of other tenants cannot be pinned in it.
    #[arg(long, default_value = "tenant_local")]
    tenant: String,
}

/// A registry that was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Initialized {
    /// Its folder.
    home: String,
    /// The tenant that it is for.
    tenant: String,
}

impl Init {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let root = global.home.clone().unwrap_or_else(|| self.folder.join(FOLDER));
        Home::init(&root, &self.tenant)?;
        let data = Initialized { home: root.display().to_string(), tenant: self.tenant.clone() };
        Ok(Success::new(data, format!("{}\n", root.display())).remark(format!(
            "made {} for `{}`; next: `deed keys generate NAME`",
            root.display(),
            self.tenant
        )))
    }
}
