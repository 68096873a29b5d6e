//! The folders of blobs, which are named by their plain SHA-256 (`blobs/sha256/ab/<hex>`), and syncing them to disk.

use crate::sqlite::Durability;
use crate::steps::Steps;
use deed_canon::{ContentHash, Invariant as _};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The content-addressed directory of a store, with a shard folder for each first byte of a hash.
#[derive(Debug)]
pub(crate) struct Shards {
    root: PathBuf,
    durability: Durability,
}

impl Shards {
    pub(crate) fn new(dir: &Path, durability: Durability) -> Self {
        Self { root: dir.join("blobs").join("sha256"), durability }
    }

    /// Creates the parent folder of the shards.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        fs::create_dir_all(&self.root)
    }

    /// The path of a blob.
    pub(crate) fn path(&self, hash: &ContentHash) -> PathBuf {
        let hex = hash.hex();
        let shard = hex.get(..2).invariant("a hash has more than two hex digits");
        self.root.join(shard).join(&hex)
    }

    /// Creates the shard of a blob and returns its path.
    pub(crate) fn prepare_shard<'a>(&'a self, blob: &'a Path, steps: &Steps) -> io::Result<&'a Path> {
        let shard = blob.parent().invariant("a blob lies in a folder");
        if !shard.is_dir() {
            steps.before("create blob folder")?;
            fs::create_dir_all(shard)?;
            self.sync_folder(&self.root)?;
        }
        Ok(shard)
    }

    /// Syncs the bytes of a file to disk.
    pub(crate) fn sync_file(&self, file: &File) -> io::Result<()> {
        match self.durability {
            Durability::Full => file.sync_all(),
            Durability::None => Ok(()),
        }
    }

    /// Syncs the names in a folder to disk.
    pub(crate) fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        match self.durability {
            Durability::Full => File::open(folder)?.sync_all(),
            Durability::None => Ok(()),
        }
    }
}
