//! Bytes in files of their own. One is written aside while it is hashed, made to last, and given its name; only then
//! is it acknowledged. A crash leaves a file that nobody speaks of, or an unfinished one that is swept away.

use super::fault;
use super::temporary::Temporary;
use crate::shelves::Shelves;
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
    pub(super) shelves: Shelves,
    tmp: PathBuf,
    /// Made when it is first needed: whoever only reads leaves no trace.
    temporary: Mutex<Option<Arc<Temporary>>>,
}

impl Files {
    pub(super) fn new(dir: &Path, durability: Durability) -> Self {
        Self { shelves: Shelves::new(dir, durability), tmp: dir.join("tmp"), temporary: Mutex::new(None) }
    }

    /// Where bytes lie, if they do.
    pub(super) fn find(&self, sha256: &ContentHash) -> Result<Option<PathBuf>, StoreError> {
        let path = self.shelves.path(sha256);
        match stands(&path)? {
            Some(found) if found.is_file() => Ok(Some(path)),
            Some(found) => Err(fault::obstructed(&path, &found)),
            None => Ok(None),
        }
    }

    /// Returns whether these very bytes lie where they should: they are read, since a length can be right by chance. What
    /// cannot be read, or is no file, is not there, and may be replaced.
    pub(super) fn holds(&self, known: &Kept) -> Result<bool, StoreError> {
        let path = self.shelves.path(&known.sha256);
        match stands(&path)? {
            Some(found) if found.is_file() && found.len() == known.bytes => {
                let read = File::open(&path).and_then(|mut file| hash(&mut file, |_| true));
                Ok(read.is_ok_and(|read| read == *known))
            }
            Some(_) | None => Ok(false),
        }
    }

    /// Refuses a name that a folder has: a file takes the place of anything else.
    pub(super) fn free(&self, sha256: &ContentHash) -> Result<(), StoreError> {
        let path = self.shelves.path(sha256);
        match stands(&path)? {
            Some(found) if found.is_dir() => Err(fault::obstructed(&path, &found)),
            Some(_) | None => Ok(()),
        }
    }

    /// Writes all that can be read. The file has no name yet.
    pub(super) fn write(&self, from: &mut dyn Read, steps: &Steps) -> Result<(NamedTempFile, Kept), Copying> {
        let begin = || {
            steps.before("write blob")?;
            self.temporary()?.file()
        };
        let mut file = begin().map_err(Copying::Writing)?;
        let kept = copy(from, file.as_file_mut())?;
        Ok((file, kept))
    }

    /// Gives a file its name, so that it is there after a power cut. What was there under the name is replaced: it
    /// is the same, or it was altered.
    pub(super) fn name(&self, file: NamedTempFile, sha256: &ContentHash, steps: &Steps) -> io::Result<()> {
        let path = self.shelves.path(sha256);
        let shelf = self.shelves.shelf(&path, steps)?;
        seal(file.as_file())?;
        steps.before("sync blob")?;
        self.shelves.sync_file(file.as_file())?;
        steps.before("rename blob")?;
        file.persist(&path).map_err(|e| e.error)?;
        steps.before("sync blob folder")?;
        self.shelves.sync_folder(shelf)
    }

    fn temporary(&self) -> io::Result<Arc<Temporary>> {
        let mut temporary = self.temporary.lock().unwrap_or_else(PoisonError::into_inner);
        match temporary.as_ref() {
            Some(made) => Ok(Arc::clone(made)),
            None => Ok(Arc::clone(temporary.insert(Arc::new(Temporary::new(&self.tmp)?)))),
        }
    }
}

/// What stands at a place, itself and not what it points to.
fn stands(path: &Path) -> Result<Option<Metadata>, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(fault::io(&e, path)),
    }
}

/// Which end of a copy failed.
#[derive(Debug)]
pub(super) enum Copying {
    /// What was read.
    Reading(io::Error),
    /// What was written.
    Writing(io::Error),
}

/// Copies and hashes.
fn copy(from: &mut dyn Read, to: &mut File) -> Result<Kept, Copying> {
    let mut kept = Ok(());
    let hashed = hash(from, |bytes| {
        kept = to.write_all(bytes);
        kept.is_ok()
    });
    kept.map_err(Copying::Writing)?;
    hashed.map_err(Copying::Reading)
}

/// Reads to the end, hashes, and shows each part on the way until told to stop.
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

/// From here on nobody writes to it.
#[cfg(unix)]
pub(super) fn seal(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o444))
}

/// From here on nobody writes to it.
#[cfg(not(unix))]
pub(super) fn seal(file: &File) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)
}
