//! `deed artifacts export`: files of a run, written where one wants them, their hashes taken again.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{export, load, rolled_back};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Write files of a run to a folder: those beneath `output/`, or those that are named.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Files of it, such as output/report.html, or whole sets, such as 'output/pages/*.html'.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// The folder; its tree is that of the workspace.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

impl Export {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, store, loaded) = load(&global.session(), &self.run)?;
        let mut text = String::new();
        let mut data: Vec<Value> = Vec::new();
        for file in export(&store, &loaded, &self.paths, &self.out)? {
            text.push_str(&format!("{}\n", file.target.display()));
            data.push(json!({ "path": file.path, "written": file.target, "sha256": file.sha256 }));
        }
        Ok(Success::new(Value::Array(data), text).report(rolled_back(&home)?))
    }
}
