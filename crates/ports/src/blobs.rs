//! Blobs, addressed by their content. Only small ones are held whole in memory.

use crate::error::StoreError;
use deed_canon::ContentHash;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

/// A reader with random access.
pub trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send + ?Sized> ReadSeek for T {}

/// The place of a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlobPlace {
    /// A file of its own, which must not be written to.
    File(PathBuf),
    /// The bytes of a small blob.
    Bytes(Vec<u8>),
}

/// A stored blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// The plain SHA-256 of its bytes.
    pub sha256: ContentHash,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Reading blobs.
pub trait BlobRead: Send + Sync {
    /// Returns the place of a blob. The hash is not verified: the reader does that.
    ///
    /// # Errors
    /// The blob is unknown, or the store cannot be read.
    fn locate(&self, sha256: &ContentHash) -> Result<BlobPlace, StoreError>;

    /// Opens a blob for reading.
    ///
    /// # Errors
    /// The blob is unknown, or the store cannot be read.
    fn open(&self, sha256: &ContentHash) -> Result<Box<dyn ReadSeek>, StoreError>;
}

/// Writing blobs. A stored blob is on disk before any later durable append to the journal.
pub trait BlobWrite: Send + Sync {
    /// Stores everything from a reader.
    ///
    /// # Errors
    /// The reader fails, or the store cannot be written.
    fn put(&self, from: &mut dyn Read) -> Result<Kept, StoreError>;

    /// Stores a file by moving it, if possible. No other process may have it open; `known` is its hash, which was just
    /// taken.
    ///
    /// # Errors
    /// The file does not match its hash, or the store cannot be written.
    fn adopt(&self, file: &Path, known: Kept) -> Result<(), StoreError>;
}
