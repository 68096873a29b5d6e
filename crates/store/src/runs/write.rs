//! Writing the journal: records are made ready here and handed to the writer.

use super::RunStore;
use super::fault;
use super::hold;
use super::job::Work;
use super::links;
use super::records;
use deed_canon::ChainHead;
use deed_model::RunRecord;
use deed_ports::{Created, JournalWrite, RunHold, StoreError, Wait};

impl JournalWrite for RunStore {
    fn create(&self, run_id: &str, first: RunRecord) -> Result<Created, StoreError> {
        records::check_new_name(run_id)?;
        self.queue.owed(Some(run_id))?;
        let (first, request) = records::prepare_first(run_id, &first)?;
        self.queue.call(Work::Create { run_id: run_id.to_owned(), first, request })
    }

    fn append(&self, run_id: &str, records: Vec<RunRecord>, wait: Wait) -> Result<(), StoreError> {
        records::check_name(run_id)?;
        self.queue.owed(Some(run_id))?;
        let events = records::prepare_all(run_id, &records)?;
        let work = Work::Append { run_id: run_id.to_owned(), events };
        match wait {
            Wait::Ordered => self.queue.send(work),
            Wait::Durable => self.queue.call(work).map(drop),
        }
    }

    fn settle(&self, run_id: &str) -> Result<Option<ChainHead>, StoreError> {
        self.queue.settle()?;
        self.queue.owed(Some(run_id))?;
        let end = |conn: &_| links::end(conn, run_id).map_err(|e| fault::sql(&e))?;
        let found = self.readers.read(end)?;
        Ok(found.filter(|_| records::check_name(run_id).is_ok()).map(|end| end.head))
    }

    fn take(&self, run_id: &str) -> Result<Box<dyn RunHold>, StoreError> {
        self.queue.owed(Some(run_id))?;
        hold::take(&self.dir, run_id)
    }
}
