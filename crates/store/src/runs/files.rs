//! Large blobs, in files of their own. One is hashed while it is written to a temp file, synced and renamed; only then
//! is it acknowledged. A crash leaves a file without references, or a temp file that the next process removes.

use super::fault;
use super::temporary::TempFolder;
use crate::shards::Shards;
use crate::sqlite::Durability;
use crate::steps::Steps;
use deed_canon::ContentHash;
use deed_diag::Invariant as _;
use deed_ports::{Kept, StoreError};
use sha2::{Digest, Sha256};
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::NamedTempFile;

/// Bytes that are in memory at a time.
const WINDOW: usize = 256 * 1024;

/// The files of a store.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) shards: Shards,
    tmp: PathBuf,
    /// Created when it is first needed: a process that only reads leaves no trace.
    temporary: Mutex<Option<Arc<TempFolder>>>,
}

impl Files {
    pub(super) fn new(dir: &Path, durability: Durability) -> Self {
        Self { shards: Shards::new(dir, durability), tmp: dir.join("tmp"), temporary: Mutex::new(None) }
    }

    /// The path of a blob, if there is one.
    pub(super) fn find(&self, sha256: &ContentHash) -> Result<Option<PathBuf>, StoreError> {
        let path = self.shards.path(sha256);
        match metadata_of(&path)? {
            Some(found) if found.is_file() => Ok(Some(path)),
            Some(found) => Err(fault::obstructed(&path, &found)),
            None => Ok(None),
        }
    }

    /// Returns whether the place of a blob has exactly these bytes: they are hashed, because the length alone proves
    /// nothing. A file that cannot be read counts as absent, and may be replaced.
    pub(super) fn has(&self, known: &Kept) -> Result<bool, StoreError> {
        let path = self.shards.path(&known.sha256);
        match metadata_of(&path)? {
            Some(found) if found.is_file() && found.len() == known.bytes => {
                let read = File::open(&path).and_then(|mut file| hash(&mut file, |_| true));
                Ok(read.is_ok_and(|read| read == *known))
            }
            Some(_) | None => Ok(false),
        }
    }

    /// Refuses a place where a folder is; anything else is replaced by the file.
    pub(super) fn refuse_folder(&self, sha256: &ContentHash) -> Result<(), StoreError> {
        let path = self.shards.path(sha256);
        match metadata_of(&path)? {
            Some(found) if found.is_dir() => Err(fault::obstructed(&path, &found)),
            Some(_) | None => Ok(()),
        }
    }

    /// Writes everything from a reader to a temp file.
    pub(super) fn write(&self, from: &mut dyn Read, steps: &Steps) -> Result<(NamedTempFile, Kept), CopyError> {
        let begin = || {
            steps.before("write blob")?;
            self.temporary()?.file()
        };
        let mut file = begin().map_err(CopyError::Write)?;
        let kept = copy(from, file.as_file_mut())?;
        Ok((file, kept))
    }

    /// Renames a temp file to its place, durably. An existing file is replaced: it has the same bytes, or it was
    /// altered.
    pub(super) fn persist(&self, file: NamedTempFile, sha256: &ContentHash, steps: &Steps) -> io::Result<()> {
        let path = self.shards.path(sha256);
        let shard = self.shards.prepare_shard(&path, steps)?;
        seal(file.as_file())?;
        steps.before("sync blob")?;
        self.shards.sync_file(file.as_file())?;
        steps.before("rename blob")?;
        file.persist(&path).map_err(|e| e.error)?;
        steps.before("sync blob folder")?;
        self.shards.sync_folder(shard)
    }

    fn temporary(&self) -> io::Result<Arc<TempFolder>> {
        let mut temporary = self.temporary.lock().unwrap_or_else(PoisonError::into_inner);
        match temporary.as_ref() {
            Some(made) => Ok(Arc::clone(made)),
            None => Ok(Arc::clone(temporary.insert(Arc::new(TempFolder::new(&self.tmp)?)))),
        }
    }
}

/// The metadata of a path, without following a link; `None` if there is nothing.
fn metadata_of(path: &Path) -> Result<Option<Metadata>, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(fault::io(&e, path)),
    }
}

/// The side of a copy that failed.
#[derive(Debug)]
pub(super) enum CopyError {
    /// The source.
    Read(io::Error),
    /// The target.
    Write(io::Error),
}

/// Copies a reader to a file and hashes it.
fn copy(from: &mut dyn Read, to: &mut File) -> Result<Kept, CopyError> {
    let mut kept = Ok(());
    let hashed = hash(from, |bytes| {
        kept = to.write_all(bytes);
        kept.is_ok()
    });
    kept.map_err(CopyError::Write)?;
    hashed.map_err(CopyError::Read)
}

/// Reads and hashes to the end. `show` sees each part, and stops the reading by returning false.
pub(super) fn hash(from: &mut dyn Read, mut show: impl FnMut(&[u8]) -> bool) -> io::Result<Kept> {
    let (mut sha, mut bytes, mut buffer) = (Sha256::new(), 0u64, vec![0; WINDOW]);
    loop {
        let part = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => buffer.get(..n).invariant("a reader fills no more than its buffer"),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        sha.update(part);
        bytes += part.len() as u64;
        if !show(part) {
            break;
        }
    }
    Ok(Kept { sha256: ContentHash::of_digest(sha.finalize().into()), bytes })
}

/// Makes a file read-only.
#[cfg(unix)]
pub(super) fn seal(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o444))
}

/// Makes a file read-only.
#[cfg(not(unix))]
pub(super) fn seal(file: &File) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)
}
