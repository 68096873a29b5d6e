//! Bytes by their content. Nothing here is held whole in memory, unless it is small.

use crate::error::StoreError;
use deed_canon::ContentHash;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

/// What can be read and sought in.
pub trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send + ?Sized> ReadSeek for T {}

/// Where bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlobPlace {
    /// In a file of their own, which must not be written to.
    File(PathBuf),
    /// Here: they are few.
    Bytes(Vec<u8>),
}

/// Bytes that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Plain SHA-256 of them.
    pub sha256: ContentHash,
    /// How many they are.
    pub bytes: u64,
}

/// Reading bytes.
pub trait BlobRead: Send + Sync {
    /// Where they are. Their hash is not taken again: whoever reads them does that.
    fn locate(&self, sha256: &ContentHash) -> Result<BlobPlace, StoreError>;

    /// Opens them for reading.
    fn open(&self, sha256: &ContentHash) -> Result<Box<dyn ReadSeek>, StoreError>;
}

/// Writing bytes. What was put is on disk before any later durable append to the journal is.
pub trait BlobWrite: Send + Sync {
    /// Keeps all that can be read.
    fn put(&self, from: &mut dyn Read) -> Result<Kept, StoreError>;

    /// Keeps a file by moving it away, where that is possible. Nobody else may have it open; its hash was just taken.
    fn adopt(&self, file: &Path, known: Kept) -> Result<(), StoreError>;
}
