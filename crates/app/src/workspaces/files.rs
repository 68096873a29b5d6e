//! Files of a workspace: listed, read, and removed.

use super::choice::WorkspaceChoice;
use super::keep::replaced_where;
use super::open::{OpenWorkspace, chosen};
use super::{findings, refused};
use crate::error::AppError;
use crate::files::{self, Existing};
use crate::registry::{self, without_secret};
use crate::runs::{store, store_error};
use crate::session::Session;
use deed_diag::codes;
use deed_model::{FileSuccessor, FileVersion, StoredContent};
use deed_ports::BlobRead as _;
use deed_store::{Outcome, RunStore};
use deed_workspace::{Area, FilePath, FileRecord, FileRef, Removal, WorkspaceState, remove, resolve};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

/// The largest file that is read whole, for printing.
const LARGEST: u64 = 256 * 1024 * 1024;

/// A file of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// The path.
    pub path: String,
    /// Its newest version; one that is superseded only if no other counts.
    pub latest: FileVersion,
    /// The number of its versions.
    pub versions: u64,
}

/// Lists the files of a workspace, by path: those of one area or of both, those that begin with a text, and removed ones if
/// `removed`.
///
/// # Errors
/// There is no such workspace, or its log cannot be read.
pub fn list_files(
    session: &Session,
    choice: &WorkspaceChoice,
    area: Option<Area>,
    beginning: Option<&str>,
    removed: bool,
) -> Result<(String, Vec<ListedFile>), AppError> {
    let opened = chosen(session, choice)?;
    let state = opened.state()?;
    let area = area.map(|area| format!("{}/", area.as_str()));
    let wanted = |file: &&FileRecord| {
        (removed || file.is_live())
            && area.as_ref().is_none_or(|area| file.path.starts_with(area))
            && beginning.is_none_or(|beginning| file.path.starts_with(beginning))
    };
    let listed = state.files().filter(wanted).filter_map(|file| {
        let latest = file.latest().or_else(|| file.last())?.clone();
        Some(ListedFile { path: file.path.clone(), latest, versions: file.versions.len() as u64 })
    });
    let listed = listed.collect();
    Ok((opened.name, listed))
}

/// A file with all its versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHistory {
    /// The file.
    pub file: FileRecord,
    /// The files whose place its versions took, by version: each with the version that says so.
    pub replaced: BTreeMap<u64, Vec<(String, u64)>>,
}

/// Returns a file with all its versions.
///
/// # Errors
/// There is no such workspace or file.
pub fn file_history(session: &Session, choice: &WorkspaceChoice, path: &str) -> Result<FileHistory, AppError> {
    let opened = chosen(session, choice)?;
    let state = opened.state()?;
    let reference = FileRef::read(path).map_err(findings)?;
    match state.file(reference.path.text()) {
        Some(file) => {
            let of = |version: u64| {
                replaced_where(&state, |by: &FileSuccessor| by.path == file.path && by.version == version)
            };
            let numbers = file.versions.iter().map(|version| version.version);
            let replaced = numbers.map(|number| (number, of(number))).filter(|(_, replaced)| !replaced.is_empty());
            Ok(FileHistory { file: file.clone(), replaced: replaced.collect() })
        }
        // The refusal is that of a reference to it.
        None => {
            Err(resolve(&state, &reference).map_or_else(findings, |_| AppError::internal("a file is there or not")))
        }
    }
}

/// The content of a version of a file.
#[derive(Debug)]
pub struct FileContent {
    /// The path.
    pub path: String,
    /// The version.
    pub version: FileVersion,
    /// The content by its hash.
    pub content: StoredContent,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Reads a version of a file, after its hash was checked.
///
/// # Errors
/// There is no such version, it is too large to be printed, or its content was altered or lost.
pub fn read_content(session: &Session, choice: &WorkspaceChoice, reference: &str) -> Result<FileContent, AppError> {
    let (_, store, found) = located(session, choice, reference)?;
    if found.content.size_bytes > LARGEST {
        let message = format!("`{}` has {} bytes, too many to print", found.path, found.content.size_bytes);
        return Err(refused(codes::DOCUMENT_TOO_LARGE, message, "write it to a file: `--out FILE`"));
    }
    let mut bytes = Vec::new();
    let mut blob = store.open(&found.content.sha256).map_err(|error| store_error(&error))?;
    blob.read_to_end(&mut bytes).map_err(|error| AppError::reading(Path::new(&found.path), &error))?;
    Ok(FileContent { bytes, ..found })
}

/// Writes a version of a file to a folder of the caller, after its hash was checked: whole or not at all.
///
/// # Errors
/// There is no such version, its content was altered or lost, or the target exists or cannot be written.
pub fn write_content(
    session: &Session,
    choice: &WorkspaceChoice,
    reference: &str,
    out: &Path,
    existing: Existing,
) -> Result<FileContent, AppError> {
    let (_, store, found) = located(session, choice, reference)?;
    if existing == Existing::Keep && out.exists() {
        // The refusal is that of every command that writes.
        files::write(out, &[], Existing::Keep, files::Access::Shared)?;
    }
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder).map_err(|error| AppError::writing(out, &error))?;
    }
    let mut blob = store.open(&found.content.sha256).map_err(|error| store_error(&error))?;
    files::write_with(out, |to| {
        std::io::copy(&mut blob, to).and_then(|_| to.flush()).map_err(|error| AppError::writing(out, &error))
    })?;
    Ok(found)
}

fn located(
    session: &Session,
    choice: &WorkspaceChoice,
    reference: &str,
) -> Result<(OpenWorkspace, RunStore, FileContent), AppError> {
    let opened = chosen(session, choice)?;
    let state = opened.state()?;
    let reference = FileRef::read(reference).map_err(findings)?;
    let (record, version, content) = resolve(&state, &reference).map_err(findings)?;
    let store = store(session)?.1.ok_or_else(|| {
        let message = format!("the content of `{}` is not there", record.path);
        refused(codes::STORED_FILE_MISSING, message, "restore the folder `runs` of the home from a backup")
    })?;
    store.check_blob(&content.sha256).map_err(|error| store_error(&error))?;
    let found = FileContent { path: record.path.clone(), version: version.clone(), content, bytes: Vec::new() };
    Ok((opened, store, found))
}

/// Removes a file: its next version says so, and the versions before it stay.
///
/// # Errors
/// There is no such file, no reason is given, or the actor is no person of the workspace.
pub fn remove_file(
    session: &Session,
    choice: &WorkspaceChoice,
    path: &str,
    reason: &str,
) -> Result<(String, FileVersion, Outcome), AppError> {
    without_secret("--reason", reason)?;
    let opened = chosen(session, choice)?;
    let stamp = session.stamp()?;
    let path = FilePath::read(path).map_err(findings)?;
    let removal = Removal { path: &path, reason, actor: &stamp.actor };
    let outcome =
        opened.store.append(&stamp, |state: &WorkspaceState| remove(state, removal)).map_err(registry::error)?;
    let state = opened.state()?;
    let version = state.file(path.text()).and_then(FileRecord::latest).cloned();
    let version = version.ok_or_else(|| AppError::internal("a file that was removed has a version"))?;
    Ok((path.text().to_owned(), version, outcome))
}
