//! Uploads of people: plain files, whose content is on disk before the log names it.

use super::choice::WorkspaceChoice;
use super::open::{OpenWorkspace, chosen};
use super::{findings, refused};
use crate::error::AppError;
use crate::home::Home;
use crate::registry::{self, without_secret};
use crate::runs::store_error;
use crate::session::Session;
use deed_diag::{codes, quote};
use deed_model::StoredContent;
use deed_store::{Outcome, RunStore};
use deed_workspace::{FilePath, NewFile, WorkspaceState, put};
use nix::fcntl::OFlag;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Files that one upload has at most.
const MOST_FILES: usize = 10_000;

/// An upload.
#[derive(Debug, Clone, Default)]
pub struct Upload {
    /// A file, a folder whose files are all uploaded, or `-` for standard input.
    pub source: PathBuf,
    /// The path in the workspace; otherwise the name of the file or folder, below `people/`.
    pub path: Option<String>,
    /// A remark.
    pub note: Option<String>,
    /// The version that is replaced, 0 for none; refused if another is the newest.
    pub base: Option<u64>,
}

/// A file that was uploaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadedFile {
    /// The path in the workspace.
    pub path: String,
    /// Its newest version.
    pub version: u64,
    /// The content.
    pub content: StoredContent,
    /// True if the newest version had this content already.
    pub unchanged: bool,
}

/// Uploads files to a workspace, all of them or none.
///
/// # Errors
/// The source is not a plain file, a path cannot be used, the actor is no person of the workspace, or the quota is exceeded.
pub fn upload(
    session: &Session,
    choice: &WorkspaceChoice,
    upload: &Upload,
) -> Result<(String, Vec<UploadedFile>, Outcome), AppError> {
    if let Some(note) = &upload.note {
        without_secret("--note", note)?;
    }
    let opened = chosen(session, choice)?;
    let stamp = session.stamp()?;
    let sources = sources(upload)?;
    for (path, _) in &sources {
        without_secret("PATH", path.text())?;
    }
    // What would be refused anyway is refused before anything is stored.
    let before = opened.state()?;
    let empty = StoredContent { sha256: deed_canon::ContentHash::of_bytes(b""), size_bytes: 0 };
    let sketch: Vec<NewFile> = sources.iter().map(|(path, source)| file(upload, path, source, empty)).collect();
    put(&before, &sketch, &stamp.actor).map_err(findings)?;
    let files = stored(&opened, upload, &sources)?;
    let outcome = opened.store.append(&stamp, |state| put(state, &files, &stamp.actor)).map_err(registry::error)?;
    let after = opened.state()?;
    let uploaded = files.iter().map(|file| told(&before, &after, file)).collect();
    Ok((opened.name, uploaded, outcome))
}

fn told(before: &WorkspaceState, after: &WorkspaceState, file: &NewFile) -> UploadedFile {
    let path = file.path.text();
    let newest = |state: &WorkspaceState| state.file(path).and_then(|file| file.latest()).map_or(0, |v| v.version);
    let version = newest(after);
    UploadedFile { path: path.to_owned(), version, content: file.content, unchanged: version == newest(before) }
}

fn file(upload: &Upload, path: &FilePath, source: &Path, content: StoredContent) -> NewFile {
    let name = source.file_name().and_then(|name| name.to_str()).filter(|_| source != Path::new("-"));
    let name = name.filter(|name| without_secret("FILE", name).is_ok());
    NewFile {
        path: path.clone(),
        content,
        source: name.map(str::to_owned),
        note: upload.note.clone(),
        base: upload.base,
    }
}

/// Stores the content of files; nothing is recorded yet.
fn stored(opened: &OpenWorkspace, upload: &Upload, sources: &[(FilePath, PathBuf)]) -> Result<Vec<NewFile>, AppError> {
    let private = PrivateFiles::of(&opened.home)?;
    let home = &opened.home;
    let runs = RunStore::create_or_open(&home.runs()).and_then(|store| store.anchored_in(&home.anchor()));
    let runs = runs.map_err(|error| store_error(&error))?;
    let store = |from: &mut dyn Read| runs.put_durable(from).map_err(|error| store_error(&error));
    let mut files = Vec::new();
    for (path, source) in sources {
        let kept = match source == Path::new("-") {
            true => store(&mut std::io::stdin().lock())?,
            false => store(&mut plain_file(source, &private)?)?,
        };
        files.push(file(upload, path, source, StoredContent { sha256: kept.sha256, size_bytes: kept.bytes }));
    }
    Ok(files)
}

/// The files of an upload with their paths in the workspace, in order.
fn sources(upload: &Upload) -> Result<Vec<(FilePath, PathBuf)>, AppError> {
    let source = &upload.source;
    let name = source.file_name().and_then(|name| name.to_str()).filter(|_| source != Path::new("-"));
    let target = match (&upload.path, name) {
        (Some(path), _) => path.clone(),
        (None, Some(name)) => format!("people/{name}"),
        (None, None) => {
            let message = "no path in the workspace is named".to_owned();
            return Err(refused(codes::BAD_WORKSPACE_PATH, message, "name one: `deed files put - people/hours.csv`"));
        }
    };
    if source != Path::new("-") {
        let found = fs::symlink_metadata(source).map_err(|error| AppError::reading(source, &error))?;
        if found.is_dir() {
            return beneath(source, target.trim_end_matches('/'));
        }
    }
    // `people/2026/` is a folder, and the file keeps its name in it.
    let target = match name.filter(|_| target.ends_with('/')) {
        Some(name) => format!("{target}{name}"),
        None => target,
    };
    Ok(vec![(FilePath::read(&target).map_err(findings)?, source.clone())])
}

/// The files beneath a folder. Everything else in it is refused, so that nothing is left out unnoticed.
fn beneath(folder: &Path, target: &str) -> Result<Vec<(FilePath, PathBuf)>, AppError> {
    let mut left = vec![(folder.to_owned(), target.to_owned())];
    let mut found = Vec::new();
    while let Some((inner, target)) = left.pop() {
        for entry in fs::read_dir(&inner).map_err(|error| AppError::reading(&inner, &error))? {
            let entry = entry.map_err(|error| AppError::reading(&inner, &error))?;
            let kind = entry.file_type().map_err(|error| AppError::reading(&inner, &error))?;
            let path = entry.path();
            let name = entry.file_name().into_string();
            let name = name.map_err(|_| not_plain(&path, "its name is not UTF-8"))?;
            let below = format!("{target}/{name}");
            match (kind.is_dir(), kind.is_file()) {
                (true, _) => left.push((path, below)),
                (false, true) => found.push((FilePath::read(&below).map_err(findings)?, path)),
                (false, false) => return Err(not_plain(&path, "it is a link or a device")),
            }
        }
        if found.len() + left.len() > MOST_FILES {
            let message = format!("there are more than {MOST_FILES} files beneath `{}`", folder.display());
            return Err(refused(codes::TOO_MANY_FILES, message, "upload its folders one by one"));
        }
    }
    if found.is_empty() {
        return Err(not_plain(folder, "it is a folder without files"));
    }
    found.sort();
    Ok(found)
}

/// Opens a plain file. The file that is open is checked, whatever its name leads to by now.
fn plain_file(path: &Path, private: &PrivateFiles) -> Result<File, AppError> {
    let mut options = fs::OpenOptions::new();
    // Not blocked by a pipe without a writer.
    options.read(true).custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
    let file = match options.open(path) {
        Err(error) if error.raw_os_error() == Some(nix::errno::Errno::ELOOP as i32) => {
            return Err(not_plain(path, "it is a link"));
        }
        opened => opened.map_err(|error| AppError::reading(path, &error))?,
    };
    let found = file.metadata().map_err(|error| AppError::reading(path, &error))?;
    if !found.is_file() {
        return Err(not_plain(path, "it is a folder, a pipe or a device"));
    }
    if private.has(&file).map_err(|error| AppError::reading(path, &error))? {
        return Err(not_plain(path, "it is a file of the project itself, such as a key or a secret"));
    }
    Ok(file)
}

/// The files of the project itself: by their folder, and for keys and secrets by their numbers, since another name could lead
/// to them.
struct PrivateFiles {
    home: PathBuf,
    numbers: BTreeSet<(u64, u64)>,
}

impl PrivateFiles {
    fn of(home: &Home) -> Result<Self, AppError> {
        let root = fs::canonicalize(home.root()).map_err(|error| AppError::reading(home.root(), &error))?;
        let mut numbers = BTreeSet::new();
        for folder in [home.keys(), home.secrets()] {
            let entries = match fs::read_dir(&folder) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                entries => entries.map_err(|error| AppError::reading(&folder, &error))?,
            };
            for entry in entries {
                let found = entry.and_then(|entry| entry.metadata());
                let found = found.map_err(|error| AppError::reading(&folder, &error))?;
                numbers.insert((found.dev(), found.ino()));
            }
        }
        Ok(Self { home: root, numbers })
    }

    fn has(&self, file: &File) -> std::io::Result<bool> {
        let lies = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
        let found = file.metadata()?;
        Ok(lies.starts_with(&self.home) || self.numbers.contains(&(found.dev(), found.ino())))
    }
}

fn not_plain(path: &Path, why: &str) -> AppError {
    let message = format!("{} cannot be uploaded: {why}", quote(&path.display().to_string()));
    refused(codes::NOT_A_PLAIN_FILE, message, "name a plain file, or a folder of plain files; links are not followed")
}
