//! Bytes on disk, named by their plain SHA-256: `blobs/sha256/ab/<hex>`.
//!
//! A blob is written to a temp file, synced, renamed into place, and its folder synced, before any event that refers
//! to it is committed. A crash can leave a blob without references, which is harmless, or a temp file, which the next
//! writer removes. Every read hashes the bytes again.

use crate::error::{RegistryError, io_error};
use crate::shards::Shards;
use crate::sqlite::Durability;
use crate::steps::Steps;
use deed_canon::ContentHash;
use deed_diag::{Code, Diagnostic, Place, codes};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The content-addressed directory of a registry.
#[derive(Debug)]
pub(crate) struct Blobs {
    shards: Shards,
    temporary: PathBuf,
}

impl Blobs {
    pub(crate) fn new(dir: &Path, durability: Durability) -> Self {
        Self { shards: Shards::new(dir, durability), temporary: dir.join("tmp") }
    }

    /// Creates the folders.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        self.shards.prepare()?;
        fs::create_dir_all(&self.temporary)
    }

    /// The path of a blob.
    pub(crate) fn path(&self, hash: &ContentHash) -> PathBuf {
        self.shards.path(hash)
    }

    /// Removes the temp files of crashed writers. The caller holds the write lock, so no other writer has any.
    pub(crate) fn sweep(&self) -> io::Result<()> {
        // A copy or a backup may have left out an empty folder.
        fs::create_dir_all(&self.temporary)?;
        for entry in fs::read_dir(&self.temporary)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Writes bytes durably. The caller holds the write lock.
    pub(crate) fn put(&self, bytes: &[u8], steps: &Steps) -> Result<ContentHash, RegistryError> {
        let (hash, path, placed) = self.store(bytes, steps);
        placed.map(|()| hash).map_err(|e| io_error(&e, &path))
    }

    /// Writes bytes durably, and returns their hash and path with the result. The caller holds the write lock.
    pub(crate) fn store(&self, bytes: &[u8], steps: &Steps) -> (ContentHash, PathBuf, io::Result<()>) {
        let hash = ContentHash::of_bytes(bytes);
        let path = self.path(&hash);
        let placed = self.place(bytes, &path, steps);
        (hash, path, placed)
    }

    fn place(&self, bytes: &[u8], path: &Path, steps: &Steps) -> io::Result<()> {
        let shard = self.shards.prepare_shard(path, steps)?;
        // An altered or unreadable blob is overwritten: these are the right bytes by definition.
        if !fs::read(path).is_ok_and(|found| found == bytes) {
            self.write(bytes, path, steps)?;
        }
        // Also for an existing blob: its writer may have crashed between the rename and the sync.
        steps.before("sync blob folder")?;
        self.shards.sync_folder(shard)
    }

    fn write(&self, bytes: &[u8], path: &Path, steps: &Steps) -> io::Result<()> {
        steps.before("write blob")?;
        let mut file = tempfile::Builder::new().prefix("blob-").tempfile_in(&self.temporary)?;
        file.write_all(bytes)?;
        steps.before("sync blob")?;
        self.shards.sync_file(file.as_file())?;
        steps.before("rename blob")?;
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    }

    /// Reads a blob and hashes it again.
    pub(crate) fn get(&self, hash: &ContentHash) -> Result<Vec<u8>, RegistryError> {
        self.fetch(hash).map_err(|fault| {
            let (code, message) = match fault {
                BlobFault::Missing => (codes::STORED_FILE_MISSING, format!("the stored bytes `{hash}` are missing")),
                BlobFault::Altered => (codes::STORED_FILE_ALTERED, format!("the stored bytes `{hash}` were altered")),
                BlobFault::Unreadable(error) => return io_error(&error, &self.path(hash)),
            };
            RegistryError::Refused(vec![finding(code, &self.path(hash), message)])
        })
    }

    /// Reads a blob and hashes it again, for callers with findings of their own.
    pub(crate) fn fetch(&self, hash: &ContentHash) -> Result<Vec<u8>, BlobFault> {
        let bytes = match fs::read(self.path(hash)) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(BlobFault::Missing),
            Err(e) => return Err(BlobFault::Unreadable(e)),
        };
        if ContentHash::of_bytes(&bytes) != *hash { Err(BlobFault::Altered) } else { Ok(bytes) }
    }
}

/// The reason why a blob cannot be used.
#[derive(Debug)]
pub(crate) enum BlobFault {
    /// It is not there.
    Missing,
    /// Its bytes have another hash than its name.
    Altered,
    /// It cannot be read.
    Unreadable(io::Error),
}

fn finding(code: Code, path: &Path, message: String) -> Diagnostic {
    Diagnostic::error(code, message)
        .stage("registry")
        .at(Place::file(path.display().to_string()))
        .help("restore the file from a backup, or publish the same documents again to put it back")
}
