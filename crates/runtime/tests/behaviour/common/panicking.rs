//! Bytes whose reader panics for a while, as a defect in the thread of a step would.

use deed_canon::ContentHash;
use deed_ports::{BlobPlace, BlobRead, BlobWrite, Kept, ReadSeek, StoreError};
use deed_store::RunStore;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Panicking {
    store: Arc<RunStore>,
    left: AtomicUsize,
}

impl Panicking {
    /// Panics so many times where bytes are located, which only the threads of steps do.
    pub fn times(store: Arc<RunStore>, times: usize) -> Arc<Self> {
        Arc::new(Self { store, left: AtomicUsize::new(times) })
    }
}

impl BlobRead for Panicking {
    fn locate(&self, sha256: &ContentHash) -> Result<BlobPlace, StoreError> {
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        assert!(left.is_err(), "the shelf fell over");
        self.store.locate(sha256)
    }

    fn open(&self, sha256: &ContentHash) -> Result<Box<dyn ReadSeek>, StoreError> {
        BlobRead::open(&*self.store, sha256)
    }
}

impl BlobWrite for Panicking {
    fn put(&self, from: &mut dyn Read) -> Result<Kept, StoreError> {
        self.store.put(from)
    }

    fn adopt(&self, file: &Path, known: Kept) -> Result<(), StoreError> {
        self.store.adopt(file, known)
    }
}
