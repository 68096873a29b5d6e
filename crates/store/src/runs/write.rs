//! Writing the journal: records are prepared here and queued for the writer.

use super::RunStore;
use super::fault;
use super::hold;
use super::job::{Completed, Guard, Work};
use super::links;
use super::records;
use deed_canon::ChainHead;
use deed_model::RunRecord;
use deed_ports::{AppendOutcome, Created, JournalWrite, RunHold, StoreError, Unless, Wait};

impl JournalWrite for RunStore {
    fn create(&self, run_id: &str, first: RunRecord) -> Result<Created, StoreError> {
        records::check_new_name(run_id)?;
        self.queue.unreported(Some(run_id))?;
        let (first, request) = records::prepare_first(run_id, &first)?;
        match self.queue.call(Work::Create { run_id: run_id.to_owned(), first, request })? {
            Completed::Created => Ok(Created::New),
            Completed::Already => Ok(Created::Already),
            other => Err(unexpected(run_id, other)),
        }
    }

    fn append(&self, run_id: &str, records: Vec<RunRecord>, wait: Wait) -> Result<Option<ChainHead>, StoreError> {
        let work = self.appending(run_id, &records, None)?;
        match wait {
            Wait::Ordered => self.queue.send(work).map(|()| None),
            Wait::Durable => match self.queue.call(work)? {
                Completed::Appended(head) => Ok(Some(head)),
                other => Err(unexpected(run_id, other)),
            },
        }
    }

    fn append_unless(
        &self,
        run_id: &str,
        records: Vec<RunRecord>,
        from: u64,
        unless: Unless,
    ) -> Result<AppendOutcome, StoreError> {
        match self.queue.call(self.appending(run_id, &records, Some(Guard { from, unless }))?)? {
            Completed::Appended(head) => Ok(AppendOutcome::Written(head)),
            Completed::Excluded(seq) => Ok(AppendOutcome::Excluded { seq }),
            other => Err(unexpected(run_id, other)),
        }
    }

    fn settle(&self, run_id: &str) -> Result<Option<ChainHead>, StoreError> {
        self.queue.settle()?;
        self.queue.unreported(Some(run_id))?;
        let end = |conn: &_| links::end(conn, run_id).map_err(|e| fault::sql(&e))?;
        let found = self.readers.read(end)?;
        Ok(found.filter(|_| records::check_name(run_id).is_ok()).map(|end| end.head))
    }

    fn anchor(&self, run_id: &str, wait: Wait) -> Result<(), StoreError> {
        self.note_anchor(run_id, wait)
    }

    fn reanchor(&self, run_id: &str) -> Result<(), StoreError> {
        self.replace_anchor(run_id)
    }

    fn take(&self, run_id: &str) -> Result<Box<dyn RunHold>, StoreError> {
        self.queue.unreported(Some(run_id))?;
        hold::take(&self.dir, run_id)
    }
}

impl RunStore {
    fn appending(&self, run_id: &str, records: &[RunRecord], guard: Option<Guard>) -> Result<Work, StoreError> {
        records::check_name(run_id)?;
        self.queue.unreported(Some(run_id))?;
        let events = records::prepare_all(run_id, records)?;
        Ok(Work::Append { run_id: run_id.to_owned(), events, guard })
    }
}

/// The error for a completion of another kind of job.
fn unexpected(run_id: &str, completed: Completed) -> StoreError {
    fault::damaged(&format!("the writer answered {completed:?} to an append to run `{run_id}`"))
}
