//! A folder for unfinished files, one for each open store, below `tmp/`.
//!
//! Beside the folder lies a file that its owner holds locked. Whoever can lock it knows that the owner is dead, in
//! whatever way it died, and removes both. So nothing is ever removed that somebody still writes to.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const LOCK: &str = ".lock";

/// The folder of one store. It goes when it is dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    folder: PathBuf,
    lock: PathBuf,
    /// Locked as long as it is open.
    file: File,
}

impl Temporary {
    /// Makes a folder, and removes those of the dead.
    pub(super) fn new(tmp: &Path) -> io::Result<Self> {
        fs::create_dir_all(tmp)?;
        sweep(tmp)?;
        loop {
            let (file, lock) =
                tempfile::Builder::new().prefix("store-").suffix(LOCK).tempfile_in(tmp)?.keep().map_err(|e| e.error)?;
            file.lock()?;
            // Between making and locking it, somebody may have taken us for dead.
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

impl Drop for Temporary {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next store that is opened.
        fs::remove_dir_all(&self.folder).and_then(|()| fs::remove_file(&self.lock)).ok();
        self.file.unlock().ok();
    }
}

/// Removes the folders of the dead.
fn sweep(tmp: &Path) -> io::Result<()> {
    for entry in fs::read_dir(tmp)? {
        let lock = entry?.path();
        if lock.extension().is_none_or(|found| found != "lock") {
            continue;
        }
        // Another store may be faster.
        let file = match File::open(&lock) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            opened => opened?,
        };
        if file.try_lock().is_ok() {
            let folder = lock.with_extension("");
            for gone in [fs::remove_dir_all(&folder), fs::remove_file(&lock)] {
                gone.or_else(|e| if e.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(e) })?;
            }
        }
    }
    Ok(())
}
