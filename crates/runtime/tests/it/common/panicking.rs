//! Stored bytes that panic for a while, as a defect of this program would.

use deed_canon::ContentHash;
use deed_ports::{BlobPlace, BlobRead, BlobWrite, Kept, ReadSeek, StoreError};
use deed_store::RunStore;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The panic of every defect here.
pub const WORDS: &str = "the shelf fell over";

pub struct Panicking {
    store: Arc<RunStore>,
    left: AtomicUsize,
    /// The last bytes of what panics when it is kept; nothing where bytes are located.
    ending: Option<&'static [u8]>,
}

impl Panicking {
    /// Panics so many times where bytes are located, which only the threads of steps do.
    pub fn times(store: Arc<RunStore>, times: usize) -> Arc<Self> {
        Arc::new(Self { store, left: AtomicUsize::new(times), ending: None })
    }

    /// Panics so many times where bytes with this ending are kept.
    pub fn keeping(store: Arc<RunStore>, times: usize, ending: &'static [u8]) -> Arc<Self> {
        Arc::new(Self { store, left: AtomicUsize::new(times), ending: Some(ending) })
    }

    fn panic(&self) {
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        assert!(left.is_err(), "{WORDS}");
    }
}

impl BlobRead for Panicking {
    fn locate(&self, sha256: &ContentHash) -> Result<BlobPlace, StoreError> {
        if self.ending.is_none() {
            self.panic();
        }
        self.store.locate(sha256)
    }

    fn open(&self, sha256: &ContentHash) -> Result<Box<dyn ReadSeek>, StoreError> {
        BlobRead::open(&*self.store, sha256)
    }
}

impl BlobWrite for Panicking {
    fn put(&self, from: &mut dyn Read) -> Result<Kept, StoreError> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        if self.ending.is_some_and(|ending| bytes.ends_with(ending)) {
            self.panic();
        }
        self.store.put(&mut bytes.as_slice())
    }

    fn adopt(&self, file: &Path, known: Kept) -> Result<(), StoreError> {
        self.store.adopt(file, known)
    }
}
