//! Applies the jobs of one batch in order inside one transaction. Each is a savepoint: all of it or nothing.

use super::differs;
use super::fault;
use super::job::{Completed, Guard, Work};
use super::links::{self, End, WORKSPACE};
use super::listed;
use super::records::{self, PreparedEvent, Stage};
use super::small;
use crate::steps::Steps;
use deed_canon::{ChainHead, ContentHash};
use deed_model::RunEvent;
use deed_ports::{StoreError, StoreErrorKind};
use rusqlite::{Connection, ErrorCode, params};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// A link of the chain that lists the runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ListEntry {
    /// A run was created.
    Created {
        /// The run.
        run_id: String,
        /// The hash of its first event.
        first: ContentHash,
    },
    /// A run was sealed.
    Sealed {
        /// The run.
        run_id: String,
        /// The end of its chain.
        head: ChainHead,
    },
}

/// The error of a job.
#[derive(Debug)]
pub(super) enum JobError {
    /// The job is not allowed; the other jobs of the batch are not affected.
    Refused(StoreError),
    /// Nothing can be written at the moment, so the whole batch fails.
    Failed(StoreError),
}

impl From<rusqlite::Error> for JobError {
    fn from(error: rusqlite::Error) -> Self {
        let found = fault::sql(&error);
        match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig) => Self::Refused(found),
            Some(_) | None => Self::Failed(found),
        }
    }
}

impl From<io::Error> for JobError {
    fn from(error: io::Error) -> Self {
        Self::Failed(fault::io(&error, Path::new(super::open::DATABASE)))
    }
}

impl From<StoreError> for JobError {
    fn from(refusal: StoreError) -> Self {
        Self::Refused(refusal)
    }
}

/// The jobs of one transaction.
#[derive(Debug)]
pub(super) struct Batch<'a> {
    conn: &'a Connection,
    steps: &'a Steps,
    /// Ends of chains as this transaction left them. It holds the write lock, so no other process changes them.
    ends: HashMap<String, End>,
    scratch: Vec<u8>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(conn: &'a Connection, steps: &'a Steps) -> Self {
        Self { conn, steps, ends: HashMap::new(), scratch: Vec::new() }
    }

    /// Does one job, or nothing of it. Nothing is appended to a run with an earlier refusal that was not reported yet.
    pub(super) fn apply(&mut self, work: &Work, blocked: &HashMap<String, StoreError>) -> Result<Completed, JobError> {
        if let Work::Append { run_id, .. } = work
            && let Some(refusal) = blocked.get(run_id)
        {
            return Err(JobError::Refused(refusal.clone()));
        }
        self.conn.prepare_cached("SAVEPOINT job")?.execute([])?;
        let outcome = match work {
            Work::Create { run_id, first, request } => self.create(run_id, first, request),
            Work::Append { run_id, events, guard } => self.append(run_id, events, guard.as_ref()),
            Work::Blob { sha256, bytes } => self.blob(sha256, bytes).map(|()| Completed::Done),
            Work::Barrier => Ok(Completed::Done),
        };
        match &outcome {
            Ok(_) => {}
            // The whole transaction is rolled back, or SQLite did so already.
            Err(JobError::Failed(_)) => return outcome,
            Err(JobError::Refused(_)) => {
                self.conn.prepare_cached("ROLLBACK TO job")?.execute([])?;
                // The ends of the refused job were rolled back.
                self.ends.clear();
            }
        }
        self.conn.prepare_cached("RELEASE job")?.execute([])?;
        outcome
    }

    fn create(&mut self, run_id: &str, first: &PreparedEvent, request: &str) -> Result<Completed, JobError> {
        if self.end(run_id)?.is_some() {
            return self.already(run_id, request);
        }
        let end = self.link(run_id, None, first)?;
        self.note(run_id, end)?;
        let listed = ListEntry::Created { run_id: run_id.to_owned(), first: end.head.hash };
        let link = self.list(&listed)?;
        listed::add(self.conn, run_id, link)?;
        Ok(Completed::Created)
    }

    /// Compares the request with that of the existing run, and refuses a different one.
    fn already(&self, run_id: &str, request: &str) -> Result<Completed, JobError> {
        let sql = "SELECT body FROM events WHERE run_id = ?1 AND seq = 0";
        let body: String = self.conn.prepare_cached(sql)?.query_row([run_id], |r| r.get(0))?;
        match records::read(run_id, 0, &body)?.event {
            RunEvent::Submitted { run } if records::request_text(&run)? == request => Ok(Completed::Already),
            RunEvent::Submitted { run } => Err(differs::refusal(&run, request))?,
            _ => Err(fault::damaged(&format!("event 0 of run `{run_id}` is not its request")))?,
        }
    }

    fn append(&mut self, run_id: &str, events: &[PreparedEvent], guard: Option<&Guard>) -> Result<Completed, JobError> {
        let Some(mut end) = self.end(run_id)? else {
            let message = format!("there is no run `{run_id}`");
            return Err(StoreError::new(StoreErrorKind::Unknown, message).help("create it before appending to it"))?;
        };
        if events.is_empty() {
            return Ok(Completed::Appended(end.head));
        }
        if let Some(seq) = guard.map(|guard| self.excluded(run_id, guard)).transpose()?.flatten() {
            return Ok(Completed::Excluded(seq));
        }
        if end.stage == Stage::Sealed {
            return Err(records::sealed_already(run_id))?;
        }
        for event in events {
            end = self.link(run_id, Some(end.head), event)?;
        }
        self.note(run_id, end)?;
        if end.stage == Stage::Sealed {
            let link = self.list(&ListEntry::Sealed { run_id: run_id.to_owned(), head: end.head })?;
            listed::seal(self.conn, run_id, link)??;
        }
        Ok(Completed::Appended(end.head))
    }

    /// The place of the first event that excludes an append.
    fn excluded(&self, run_id: &str, guard: &Guard) -> Result<Option<u64>, JobError> {
        let sql = "SELECT seq, body FROM events WHERE run_id = ?1 AND seq >= ?2 ORDER BY seq";
        let mut statement = self.conn.prepare_cached(sql)?;
        let mut rows = statement.query(params![run_id, links::place(guard.from)])?;
        while let Some(row) = rows.next()? {
            let seq: i64 = row.get(0)?;
            let seq = u64::try_from(seq).map_err(|_| links::disagrees(run_id))?;
            let body: String = row.get(1)?;
            if (guard.unless)(&records::read(run_id, seq, &body)?.event) {
                return Ok(Some(seq));
            }
        }
        Ok(None)
    }

    fn blob(&self, sha256: &ContentHash, bytes: &[u8]) -> Result<(), JobError> {
        self.steps.before("insert blob")?;
        Ok(small::insert(self.conn, sha256, bytes)?)
    }

    /// Appends a link to the list of runs and returns its place.
    fn list(&mut self, listed: &ListEntry) -> Result<u64, JobError> {
        let body = records::canonical(listed)?;
        let before = self.end(WORKSPACE)?.map(|end| end.head);
        let end = self.link(WORKSPACE, before, &PreparedEvent { body, stage: Stage::Open })?;
        self.note(WORKSPACE, end)?;
        Ok(end.head.seq)
    }

    fn link(&mut self, run_id: &str, before: Option<ChainHead>, event: &PreparedEvent) -> Result<End, JobError> {
        let next = links::next(&mut self.scratch, before, &event.body);
        self.steps.before("insert event")?;
        links::insert(self.conn, run_id, &next, &event.body)?;
        Ok(End { head: next.head, stage: event.stage })
    }

    fn note(&mut self, run_id: &str, end: End) -> Result<(), JobError> {
        self.steps.before("note end")?;
        links::note(self.conn, run_id, &end)?;
        self.ends.insert(run_id.to_owned(), end);
        Ok(())
    }

    fn end(&self, run_id: &str) -> Result<Option<End>, JobError> {
        match self.ends.get(run_id) {
            Some(end) => Ok(Some(*end)),
            None => Ok(links::end(self.conn, run_id)??),
        }
    }
}
