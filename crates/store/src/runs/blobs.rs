//! Blobs by their hash: small ones in the database, through the writer's queue; large ones in a file.

use super::RunStore;
use super::fault;
use super::files::{CopyError, hash};
use super::small;
use deed_canon::ContentHash;
use deed_ports::{BlobPlace, BlobRead, BlobWrite, Kept, ReadSeek, StoreError, StoreErrorKind};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

impl BlobRead for RunStore {
    fn locate(&self, sha256: &ContentHash) -> Result<BlobPlace, StoreError> {
        if let Some(bytes) = self.queue.blob(sha256) {
            return Ok(BlobPlace::Bytes(bytes.to_vec()));
        }
        let few = self.readers.read(|conn| small::get(conn, sha256).map_err(|e| fault::sql(&e)))?;
        if let Some(bytes) = few {
            return Ok(BlobPlace::Bytes(bytes));
        }
        let file = self.files.find(sha256)?;
        file.map(BlobPlace::File).ok_or_else(|| {
            StoreError::new(StoreErrorKind::Unknown, format!("unknown blob `{sha256}`"))
                .help("restore the folder from a backup if it was stored, or store it again")
        })
    }

    fn open(&self, sha256: &ContentHash) -> Result<Box<dyn ReadSeek>, StoreError> {
        match self.locate(sha256)? {
            BlobPlace::Bytes(bytes) => Ok(Box::new(Cursor::new(bytes))),
            BlobPlace::File(path) => Ok(Box::new(File::open(&path).map_err(|e| fault::io(&e, &path))?)),
        }
    }
}

impl BlobWrite for RunStore {
    fn put(&self, from: &mut dyn Read) -> Result<Kept, StoreError> {
        let mut head = Vec::new();
        // One byte more than a small blob has, to see whether it is one.
        let limit = small::MOST as u64 + 1;
        Read::take(&mut *from, limit).read_to_end(&mut head).map_err(|e| unreadable(&e))?;
        match self.put_small(head)? {
            Ok(kept) => Ok(kept),
            Err(head) => self.put_file(&mut head.as_slice().chain(from)),
        }
    }

    fn adopt(&self, file: &Path, known: Kept) -> Result<(), StoreError> {
        self.adopt_file(file, known)
    }
}

impl RunStore {
    /// Hashes a blob again and returns its size in bytes.
    ///
    /// # Errors
    /// The blob is unknown, cannot be read, or has another hash.
    pub fn check_blob(&self, sha256: &ContentHash) -> Result<u64, StoreError> {
        let trouble = |e: io::Error| fault::io(&e, &self.files.shards.path(sha256));
        let mut bytes = BlobRead::open(self, sha256)?;
        let found = hash(&mut bytes, |_| true).map_err(trouble)?;
        if found.sha256 == *sha256 {
            return Ok(found.bytes);
        }
        Err(StoreError::new(StoreErrorKind::Corrupt, format!("the stored bytes `{sha256}` were altered"))
            .help("restore them from a backup, or store the same bytes again"))
    }

    /// Stores everything from a reader, and waits for the disk: content that no event of the journal refers to.
    ///
    /// # Errors
    /// The reader fails, or the store cannot be written.
    pub fn put_durable(&self, from: &mut dyn Read) -> Result<Kept, StoreError> {
        self.put_file(from)
    }

    /// Queues a small blob; returns the bytes if they are too many.
    fn put_small(&self, bytes: Vec<u8>) -> Result<Result<Kept, Vec<u8>>, StoreError> {
        if bytes.len() > small::MOST {
            return Ok(Err(bytes));
        }
        let kept = Kept { sha256: ContentHash::of_bytes(&bytes), bytes: bytes.len() as u64 };
        self.queue.send_blob(kept.sha256, bytes.into())?;
        Ok(Ok(kept))
    }

    fn put_file(&self, from: &mut dyn Read) -> Result<Kept, StoreError> {
        let (file, kept) = self.files.write(from, &self.steps).map_err(|e| match e {
            CopyError::Read(e) => unreadable(&e),
            CopyError::Write(e) => fault::io(&e, &self.dir),
        })?;
        self.files.refuse_folder(&kept.sha256)?;
        self.files.persist(file, &kept.sha256, &self.steps).map_err(|e| fault::io(&e, &self.dir))?;
        Ok(kept)
    }
}

/// The error if the source of a blob cannot be read, as opposed to the store.
fn unreadable(error: &io::Error) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, format!("the bytes to store cannot be read: {error}"))
        .help("retry; nothing was stored")
}
