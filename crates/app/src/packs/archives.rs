//! Archives of recordings that the registry names: every release is tried on them.
//!
//! An archive is recorded by its folder and by a hash over its files. The recordings stay where they are. A folder whose
//! files differ from what was named is refused until it is named again, so that an incident cannot be taken out unnoticed.

use crate::contexts::bundles as archive_files;
use crate::error::AppError;
use crate::files;
use crate::home::Home;
use crate::registry::{error, without_secret};
use crate::session::Session;
use deed_canon::{ContentHash, hash_of};
use deed_diag::{Diagnostic, Invariant as _, Place, codes, quote};
use deed_model::{ARCHIVE_TAG, ArchiveKind};
use deed_pack::ArchiveRecord;
use deed_store::{Outcome, Registry};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An archive that the registry names.
#[derive(Debug, Clone)]
pub struct NamedArchive {
    /// Its name.
    pub name: String,
    /// The record of the registry.
    pub record: ArchiveRecord,
    /// The folder.
    pub folder: PathBuf,
}

/// Names an archive, or states anew what is in it.
///
/// # Errors
/// There are no recordings, one of them cannot be read, or the registry cannot be written.
pub fn name_archive(
    session: &Session,
    name: &str,
    folder: &Path,
    kind: ArchiveKind,
) -> Result<(NamedArchive, Outcome), AppError> {
    let (home, registry) = session.registry()?;
    let path = recorded_path(&home, folder)?;
    without_secret("DIR", &path)?;
    let (content_hash, recordings) = content(folder)?;
    for file in archive_files(folder)? {
        crate::contexts::read(&file)?;
    }
    let record = ArchiveRecord { seq: 0, kind, path, content_hash, recordings };
    let outcome = registry.name_archive(name, &record, &session.stamp()?).map_err(error)?;
    Ok((NamedArchive { name: name.to_owned(), record, folder: folder.to_owned() }, outcome))
}

/// Ends the use of an archive, with a reason. Its recordings stay where they are.
///
/// # Errors
/// There is no such archive, the reason is empty or holds a secret, or the registry cannot be written.
pub fn forget_archive(session: &Session, name: &str, reason: &str) -> Result<Outcome, AppError> {
    let (_, registry) = session.registry()?;
    let reason = without_secret("--reason", reason)?;
    registry.forget_archive(name, reason, &session.stamp()?).map_err(error)
}

/// Returns the named archives, by name.
///
/// # Errors
/// The registry cannot be read.
pub fn archives(session: &Session) -> Result<Vec<NamedArchive>, AppError> {
    let (home, registry) = session.registry()?;
    named(&home, &registry)
}

pub(super) fn named(home: &Home, registry: &Registry) -> Result<Vec<NamedArchive>, AppError> {
    let project = project(home);
    let state = registry.archives().map_err(error)?;
    let archives = state.archives.into_iter().map(|(name, record)| {
        // An absolute path replaces the folder of the project.
        let folder = project.join(&record.path);
        NamedArchive { name, record, folder }
    });
    Ok(archives.collect())
}

impl NamedArchive {
    /// Returns the files of the archive, after checking that they are those that were named.
    pub(super) fn checked_files(&self) -> Result<Vec<PathBuf>, AppError> {
        let (content_hash, recordings) = content(&self.folder)?;
        if content_hash == self.record.content_hash {
            return archive_files(&self.folder);
        }
        let message = format!(
            "the archive {} is not what was named: {recordings} recordings, and {} then",
            quote(&self.name),
            self.record.recordings
        );
        let help = format!(
            "bring back what was there, or name it again: `deed registry archive add {} {} --kind {}`",
            self.name,
            self.folder.display(),
            self.record.kind
        );
        Err(AppError::refused(
            Diagnostic::error(codes::ARCHIVE_CHANGED, message)
                .stage("release")
                .at(Place::file(self.folder.display().to_string()))
                .help(help),
        ))
    }
}

/// Computes the hash over the names and hashes of an archive's files, and counts them.
fn content(folder: &Path) -> Result<(ContentHash, u64), AppError> {
    let mut hashes: BTreeMap<String, String> = BTreeMap::new();
    for path in archive_files(folder)? {
        let name = text(path.strip_prefix(folder).ok().invariant("a file of an archive is in its folder"))?;
        hashes.insert(name, ContentHash::of_bytes(&files::read(&path)?.bytes).to_string());
    }
    let hash = hash_of(&ARCHIVE_TAG, &hashes).map_err(AppError::internal)?;
    Ok((hash, hashes.len() as u64))
}

/// The folder that holds `.deed`.
fn project(home: &Home) -> PathBuf {
    home.root().parent().unwrap_or(home.root()).to_owned()
}

/// Returns the path as it is recorded: relative to the project if it lies in it, so that the project can be moved.
fn recorded_path(home: &Home, folder: &Path) -> Result<String, AppError> {
    let absolute = folder.canonicalize().map_err(|e| AppError::reading(folder, &e))?;
    let project = project(home);
    let project = project.canonicalize().map_err(|e| AppError::reading(&project, &e))?;
    let path = absolute.strip_prefix(&project).unwrap_or(&absolute);
    text(if path.as_os_str().is_empty() { Path::new(".") } else { path })
}

/// Returns a path as text. One that is not UTF-8 is refused: as text it could stand for another one.
fn text(path: &Path) -> Result<String, AppError> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidFilename, "its name is not UTF-8");
        AppError::reading(path, &error)
    })
}
