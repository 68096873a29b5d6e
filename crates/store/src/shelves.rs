//! Where bytes lie that are named by their plain SHA-256, `blobs/sha256/ab/<hex>`, and how a name is made to last.

use crate::sqlite::Durability;
use crate::steps::Steps;
use deed_canon::ContentHash;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The content-addressed directory of a store: a shelf for each first byte of a hash.
#[derive(Debug)]
pub(crate) struct Shelves {
    root: PathBuf,
    durability: Durability,
}

impl Shelves {
    pub(crate) fn new(dir: &Path, durability: Durability) -> Self {
        Self { root: dir.join("blobs").join("sha256"), durability }
    }

    /// Makes the folder that the shelves stand in.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        fs::create_dir_all(&self.root)
    }

    /// Where a blob lies.
    pub(crate) fn path(&self, hash: &ContentHash) -> PathBuf {
        let hex = hash.hex();
        let (shelf, _) = hex.split_at_checked(2).unwrap_or(("", ""));
        self.root.join(shelf).join(&hex)
    }

    /// Makes the shelf that a blob lies on.
    pub(crate) fn shelf<'a>(&'a self, blob: &'a Path, steps: &Steps) -> io::Result<&'a Path> {
        let shelf = blob.parent().unwrap_or(&self.root);
        if !shelf.is_dir() {
            steps.before("create blob folder")?;
            fs::create_dir_all(shelf)?;
            self.sync_folder(&self.root)?;
        }
        Ok(shelf)
    }

    /// Makes the bytes of a file last.
    pub(crate) fn sync_file(&self, file: &File) -> io::Result<()> {
        match self.durability {
            Durability::Full => file.sync_all(),
            Durability::None => Ok(()),
        }
    }

    /// Makes the names in a folder last.
    pub(crate) fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        match self.durability {
            Durability::Full => File::open(folder)?.sync_all(),
            Durability::None => Ok(()),
        }
    }
}
