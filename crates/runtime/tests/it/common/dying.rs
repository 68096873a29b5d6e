//! A journal that ends like a process that is killed: from some event on nothing is written any more.

use deed_model::{ForkedFrom, RunEvent, RunRecord};
use deed_ports::{
    AnchorStatus, AppendOutcome, BrokenLink, Created, JournalEntry, JournalExtent, JournalRead, JournalWrite, RunHold,
    RunListing, StoreError, StoreErrorKind, Unless, Wait,
};
use deed_store::RunStore;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

type Until = dyn Fn(&RunEvent) -> bool + Send + Sync;

pub struct Dying {
    store: Arc<RunStore>,
    until: Box<Until>,
    dead: AtomicBool,
}

impl Dying {
    /// Dies before the first event that is met, and writes neither it nor anything after.
    pub fn before(store: Arc<RunStore>, until: impl Fn(&RunEvent) -> bool + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { store, until: Box::new(until), dead: AtomicBool::new(false) })
    }
}

impl JournalRead for Dying {
    fn runs(&self) -> Result<Vec<RunListing>, StoreError> {
        self.store.runs()
    }

    fn newest(&self, most: usize) -> Result<Vec<RunListing>, StoreError> {
        self.store.newest(most)
    }

    fn forks(&self) -> Result<Vec<(String, ForkedFrom)>, StoreError> {
        self.store.forks()
    }

    fn events(&self, run_id: &str, from: u64) -> Result<Vec<JournalEntry>, StoreError> {
        self.store.events(run_id, from)
    }

    fn anchored(&self, run_id: &str) -> Result<AnchorStatus, StoreError> {
        self.store.anchored(run_id)
    }

    fn verify(&self) -> Result<Result<JournalExtent, BrokenLink>, StoreError> {
        self.store.verify()
    }
}

impl JournalWrite for Dying {
    fn create(&self, run_id: &str, first: RunRecord) -> Result<Created, StoreError> {
        self.store.create(run_id, first)
    }

    fn append(
        &self,
        run_id: &str,
        records: Vec<RunRecord>,
        wait: Wait,
    ) -> Result<Option<deed_canon::ChainHead>, StoreError> {
        self.alive(&records)?;
        self.store.append(run_id, records, wait)
    }

    fn append_unless(
        &self,
        run_id: &str,
        records: Vec<RunRecord>,
        from: u64,
        unless: Unless,
    ) -> Result<AppendOutcome, StoreError> {
        self.alive(&records)?;
        self.store.append_unless(run_id, records, from, unless)
    }

    fn anchor(&self, run_id: &str, wait: Wait) -> Result<(), StoreError> {
        self.store.anchor(run_id, wait)
    }

    fn reanchor(&self, run_id: &str) -> Result<(), StoreError> {
        self.store.reanchor(run_id)
    }

    fn settle(&self, run_id: &str) -> Result<Option<deed_canon::ChainHead>, StoreError> {
        self.store.settle(run_id)
    }

    fn take(&self, run_id: &str) -> Result<Box<dyn RunHold>, StoreError> {
        self.store.take(run_id)
    }
}

impl Dying {
    fn alive(&self, records: &[RunRecord]) -> Result<(), StoreError> {
        if records.iter().any(|record| (self.until)(&record.event)) {
            self.dead.store(true, Ordering::SeqCst);
        }
        if self.dead.load(Ordering::SeqCst) {
            return Err(StoreError::new(StoreErrorKind::Full, "the disk is full"));
        }
        Ok(())
    }
}
