//! `deed artifacts export`: files of a run, written where one wants them, their hashes taken again.

use crate::args::Global;
use crate::commands::execution::{load, rolled_back, store_failure};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_diag::{Code, Diagnostic, did_you_mean};
use deed_model::ArtifactRecord;
use deed_ports::BlobRead;
use deed_store::RunStore;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

const NO_SUCH_FILE: Code = Code::new("D2064");

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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (home, store, loaded) = load(global, &self.run)?;
        let all: Vec<ArtifactRecord> = loaded.state.artifacts().map(|(record, _)| record.clone()).collect();
        let mut wanted = Vec::new();
        for path in &self.paths {
            if loaded.state.sets().any(|set| set.path == *path) {
                wanted.extend(loaded.state.files_at(path).map(|(record, _)| record.clone()));
                continue;
            }
            let found = all.iter().find(|record| record.path == *path).ok_or_else(|| {
                let like = did_you_mean(path, all.iter().map(|record| record.path.as_str()));
                let message = format!("the run has no file {}", deed_diag::quote(path));
                let help = like.unwrap_or_else(|| "`deed artifacts list` shows those that it has".to_owned());
                Failure::refused(Diagnostic::error(NO_SUCH_FILE, message).stage("artifacts").help(help))
            })?;
            wanted.push(found.clone());
        }
        if self.paths.is_empty() {
            wanted = all.into_iter().filter(|record| record.path.starts_with("output/")).collect();
        }
        let mut text = String::new();
        let mut data: Vec<Value> = Vec::new();
        for record in &wanted {
            let target = self.out.join(&record.path);
            write(&store, record, &target)?;
            text.push_str(&format!("{}\n", target.display()));
            data.push(json!({ "path": record.path, "written": target, "sha256": record.sha256 }));
        }
        Ok(Success::new(Value::Array(data), text).report(rolled_back(&home)?))
    }
}

/// Written beside and moved into place, once the hash is seen to be right.
fn write(store: &RunStore, record: &ArtifactRecord, target: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::writing(target, &error);
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    store.check_blob(&record.sha256).map_err(|error| store_failure(&error))?;
    let mut blob = store.open(&record.sha256).map_err(|error| store_failure(&error))?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    std::io::copy(&mut blob, &mut file).map_err(failed)?;
    file.flush().map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let shared = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(file.path(), shared).map_err(failed)?;
    }
    file.persist(target).map_err(|error| failed(error.error))?;
    Ok(())
}
