//! `deed init`: a registry, a place for keys, and whose they are.

use crate::args::Global;
use crate::commands::registry::failure;
use crate::failure::Failure;
use crate::home::{FOLDER, Home, registry_in};
use crate::output::Success;
use clap::Args;
use deed_diag::{Code, Diagnostic, Place};
use deed_store::Registry;
use serde_json::json;
use std::path::PathBuf;

const THERE_ALREADY: Code = Code::new("D0011");

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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let root = global.home.clone().unwrap_or_else(|| self.folder.join(FOLDER));
        if Home::is_at(&root) {
            return Err(Failure::refused(
                Diagnostic::error(THERE_ALREADY, "there is a registry here already")
                    .stage("init")
                    .at(Place::file(root.display().to_string()))
                    .help("use it as it is; to begin anew, move the folder away"),
            ));
        }
        let registry = registry_in(&root);
        // A crash between the two steps leaves a registry without a configuration; the next init takes it over.
        if Registry::open(&registry).is_err() {
            Registry::create(&registry).map_err(failure)?;
        }
        Home::create(&root, &self.tenant)?;
        let data = json!({ "home": root.display().to_string(), "tenant": self.tenant });
        Ok(Success::new(data, format!("{}\n", root.display())).remark(format!(
            "made {} for `{}`; next: `deed keys generate NAME`",
            root.display(),
            self.tenant
        )))
    }
}
