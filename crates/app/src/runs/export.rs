//! Writes files of a run to a folder; their hashes are checked first.

use super::load::{LoadedRun, plan_of, store_error};
use crate::classified::RestrictedCopies;
use crate::error::AppError;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes, did_you_mean};
use deed_model::ArtifactRecord;
use deed_ports::BlobRead as _;
use deed_runtime::StepStatus;
use deed_store::RunStore;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use tracing::info_span;

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its path in the run.
    pub path: String,
    /// The file that was written.
    pub target: PathBuf,
    /// Its hash.
    pub sha256: ContentHash,
}

/// Writes files of a run to a folder: those at `paths`, which may name sets, or all beneath `output/`.
///
/// # Errors
/// The run has no such file, its stored bytes were altered, its pack is RESTRICTED and that was not allowed, or the folder
/// cannot be written.
pub fn export(
    store: &RunStore,
    loaded: &LoadedRun,
    paths: &[String],
    folder: &Path,
    restricted: RestrictedCopies,
) -> Result<Vec<ExportedFile>, AppError> {
    let _span = info_span!("export").entered();
    let level = loaded.state.request.as_ref().and_then(|request| request.options.classification);
    restricted.check(level, "its exported files", &format!("the run `{}`", loaded.run_id))?;
    let mut written = Vec::new();
    for record in wanted(store, loaded, paths)? {
        let target = folder.join(&record.path);
        write(store, &record, &target)?;
        written.push(ExportedFile { path: record.path, target, sha256: record.sha256 });
    }
    Ok(written)
}

/// Reads a file of a run, after its hash was checked.
///
/// # Errors
/// The run has no such file, or its stored bytes were altered.
pub fn read_file(store: &RunStore, loaded: &LoadedRun, path: &str) -> Result<(ArtifactRecord, Vec<u8>), AppError> {
    let record = find(store, loaded, path)?;
    store.check_blob(&record.sha256).map_err(|error| store_error(&error))?;
    let mut bytes = Vec::new();
    let mut blob = store.open(&record.sha256).map_err(|error| store_error(&error))?;
    blob.read_to_end(&mut bytes).map_err(|error| AppError::reading(Path::new(path), &error))?;
    Ok((record, bytes))
}

fn find(store: &RunStore, loaded: &LoadedRun, path: &str) -> Result<ArtifactRecord, AppError> {
    let found = loaded.state.artifacts().find(|(record, _)| record.path == path);
    found.map(|(record, _)| record.clone()).ok_or_else(|| {
        if let Some(diagnostic) = not_kept(store, loaded, path) {
            return AppError::refused(diagnostic.stage("artifacts"));
        }
        let like = did_you_mean(path, loaded.state.artifacts().map(|(record, _)| record.path.as_str()));
        let message = format!("the run has no file {}", deed_diag::quote(path));
        let help = like.unwrap_or_else(|| "`deed artifacts list` shows those that it has".to_owned());
        AppError::refused(Diagnostic::error(codes::UNKNOWN_RUN_FILE, message).stage("artifacts").help(help))
    })
}

/// Explains why an output of the plan is not there: its step failed, or has not ended.
fn not_kept(store: &RunStore, loaded: &LoadedRun, path: &str) -> Option<Diagnostic> {
    let plan = plan_of(store, &loaded.state)?;
    let step = plan.steps.iter().find(|step| step.writes(path))?;
    let (run, id, path) = (&loaded.run_id, deed_diag::quote(&step.step_id), deed_diag::quote(path));
    let (message, help) = match loaded.state.step(&step.step_id).map(|state| &state.status) {
        Some(StepStatus::Failed { .. }) => (
            format!("step {id} failed and kept no outputs, {path} among them"),
            format!("`deed runs show {run}` says why it failed; `deed receipts show {run}` what it had written"),
        ),
        Some(StepStatus::Succeeded) => return None,
        _ => (
            format!("step {id}, which writes {path}, has not succeeded"),
            format!("`deed runs show {run}` says where the run stands"),
        ),
    };
    Some(Diagnostic::error(codes::UNKNOWN_RUN_FILE, message).help(help))
}

fn wanted(store: &RunStore, loaded: &LoadedRun, paths: &[String]) -> Result<Vec<ArtifactRecord>, AppError> {
    if paths.is_empty() {
        let outputs = loaded.state.artifacts().map(|(record, _)| record).filter(|r| r.path.starts_with("output/"));
        return Ok(outputs.cloned().collect());
    }
    let mut wanted = Vec::new();
    for path in paths {
        if loaded.state.sets().any(|set| set.path == *path) {
            wanted.extend(loaded.state.files_at(path).map(|(record, _)| record.clone()));
            continue;
        }
        wanted.push(find(store, loaded, path)?);
    }
    Ok(wanted)
}

/// Writes a temporary file and moves it into place once its hash was checked.
fn write(store: &RunStore, record: &ArtifactRecord, target: &Path) -> Result<(), AppError> {
    let failed = |error: std::io::Error| AppError::writing(target, &error);
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    store.check_blob(&record.sha256).map_err(|error| store_error(&error))?;
    let mut blob = store.open(&record.sha256).map_err(|error| store_error(&error))?;
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
