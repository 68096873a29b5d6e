//! A folder for temp files, one for each open store, below `tmp/`.
//!
//! Beside the folder is a file that its owner holds locked. A process that can lock it knows that the owner has ended in
//! some way, and removes both. So no folder is removed that a process still writes to.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const LOCK: &str = ".lock";

/// The temp folder of one store. Dropping it removes the folder.
#[derive(Debug)]
pub(super) struct TempFolder {
    folder: PathBuf,
    lock: PathBuf,
    /// Locked as long as it is open.
    file: File,
}

impl TempFolder {
    /// Creates a folder, and removes the leftovers of ended processes.
    pub(super) fn new(tmp: &Path) -> io::Result<Self> {
        fs::create_dir_all(tmp)?;
        sweep(tmp)?;
        loop {
            let (file, lock) =
                tempfile::Builder::new().prefix("store-").suffix(LOCK).tempfile_in(tmp)?.keep().map_err(|e| e.error)?;
            file.lock()?;
            // Between creating and locking it, another process may have removed it as a leftover.
            if lock.exists() {
                let folder = lock.with_extension("");
                fs::create_dir(&folder)?;
                return Ok(Self { folder, lock, file });
            }
        }
    }

    /// A new file.
    pub(super) fn file(&self) -> io::Result<NamedTempFile> {
        tempfile::Builder::new().prefix("blob-").tempfile_in(&self.folder)
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        // If it cannot be removed now, the next store that is opened does it.
        fs::remove_dir_all(&self.folder).and_then(|()| fs::remove_file(&self.lock)).ok();
        self.file.unlock().ok();
    }
}

/// Removes the folders of ended processes.
fn sweep(tmp: &Path) -> io::Result<()> {
    for entry in fs::read_dir(tmp)? {
        let lock = entry?.path();
        if lock.extension().is_none_or(|found| found != "lock") {
            continue;
        }
        // Another store may have removed it already.
        let file = match File::open(&lock) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            opened => opened?,
        };
        // A lock that cannot be taken belongs to a live process; an error counts as that.
        if file.try_lock().is_ok() {
            let folder = lock.with_extension("");
            for gone in [fs::remove_dir_all(&folder), fs::remove_file(&lock)] {
                gone.or_else(|e| if e.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(e) })?;
            }
        }
    }
    Ok(())
}
