//! The anchor: the highest head that was seen of each chain, in small files outside the database.
//!
//! An older copy of the journal, or a truncated one, lacks a head that is recorded here. The order of writes makes it
//! safe: the database commits first, then the head is recorded, so that a crash leaves the anchor behind the journal and
//! never ahead of it. Nothing is recorded for a sealed run: the list of runs names its head, and the head of the list is
//! recorded.

use super::RunStore;
use super::fault;
use super::links::{self, WORKSPACE};
use super::listed;
use super::open;
use super::readers::Readers;
use super::records::{self, Stage};
use crate::sqlite::{BUSY_TIMEOUT, private_file, private_folder};
use deed_canon::ChainHead;
use deed_ports::{AnchorStatus, StoreError, StoreErrorKind, Wait};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file for the list of runs. No run can have this name: names have no dot.
const LIST: &str = "runs.list";
const LOCK: &str = "anchor.lock";
const UNFINISHED: &str = "anchor.new";

/// The folder of recorded heads.
#[derive(Debug)]
pub(super) struct Anchor {
    folder: PathBuf,
}

/// The treatment of a head that is lower than the recorded one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LowerHead {
    /// The higher one stays.
    Refused,
    /// It replaces the recorded one: an operator accepted the rollback.
    Accepted,
}

impl Anchor {
    /// Opens the anchor in a folder, which is created if it is missing.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        private_folder(folder)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The head that is recorded under a name.
    fn read(&self, name: &str) -> Result<Option<ChainHead>, StoreError> {
        let path = self.folder.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => parse(&text).map(Some).ok_or_else(|| unreadable(&path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(fault::io(&error, &path)),
        }
    }

    /// Records a head. The caller holds the lock.
    fn write(&self, name: &str, head: ChainHead, lower: LowerHead, wait: Wait) -> Result<(), StoreError> {
        let path = self.folder.join(name);
        let noted = match (self.read(name), lower) {
            (Ok(noted), _) => noted,
            // The operator has accepted whatever the journal says now, so an unreadable note is replaced too.
            (Err(_), LowerHead::Accepted) => None,
            (Err(unreadable), LowerHead::Refused) => return Err(unreadable),
        };
        if noted.is_some_and(|noted| noted == head || (noted.seq >= head.seq && lower == LowerHead::Refused)) {
            return Ok(());
        }
        let unfinished = self.folder.join(UNFINISHED);
        let write = || {
            // A leftover of a killed process.
            match fs::remove_file(&unfinished) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut file = private_file(&unfinished)?;
            file.write_all(format!("{} {}\n", head.seq, head.hash).as_bytes())?;
            if wait == Wait::Durable {
                file.sync_data()?;
            }
            fs::rename(&unfinished, &path)
        };
        write().map_err(|error| fault::io(&error, &path))
    }

    /// The runs with a recorded head, in order of their names.
    fn names(&self) -> Result<Vec<String>, StoreError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| fault::io(&error, &self.folder))?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(|error| fault::io(&error, &self.folder))?.file_name();
            // The list, the lock and temp files have names that no run can have.
            names.extend(name.into_string().ok().filter(|name| records::check_name(name).is_ok()));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Removes the recorded head of a run.
    fn remove(&self, name: &str) -> Result<(), StoreError> {
        let path = self.folder.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(fault::io(&error, &path)),
            _ => Ok(()),
        }
    }

    /// Locks the anchor: processes record heads one at a time.
    fn locked(&self) -> Result<File, StoreError> {
        let path = self.folder.join(LOCK);
        let locked = private_file(&path).and_then(|file| file.lock().map(|()| file));
        locked.map_err(|error| fault::io(&error, &path))
    }
}

/// The comparison of an anchor with a whole journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnchorReport {
    /// Recorded heads that the journal lacks, each with its run; `None` for the list of runs.
    pub lacking: Vec<(Option<String>, ChainHead)>,
    /// True if there are runs, and no head of the list of runs is recorded.
    pub unnoted: bool,
}

impl RunStore {
    /// Compares the journal in `dir` with every head that is recorded in `folder`. Nothing is written.
    ///
    /// # Errors
    /// There is no journal, or it or a recorded head cannot be read.
    pub fn compare_in(dir: &Path, folder: &Path) -> Result<AnchorReport, StoreError> {
        let readers = Readers::new(open::found(dir)?, BUSY_TIMEOUT);
        compare(&readers, &Anchor { folder: folder.to_owned() })
    }

    /// Compares every recorded head with the journal; `None` for a store without an anchor.
    ///
    /// # Errors
    /// The journal or a recorded head cannot be read.
    pub fn compare_anchors(&self) -> Result<Option<AnchorReport>, StoreError> {
        self.anchor.as_ref().map(|anchor| compare(&self.readers, anchor)).transpose()
    }

    /// Records the heads of chains in a folder outside the store, and compares them when a run is driven.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn anchored_in(mut self, folder: &Path) -> Result<Self, StoreError> {
        self.anchor = Some(Anchor::new(folder).map_err(|error| fault::io(&error, folder))?);
        Ok(self)
    }

    pub(super) fn compare_anchor(&self, run_id: &str) -> Result<AnchorStatus, StoreError> {
        // A store without an anchor makes no claim about rollbacks.
        let Some(anchor) = &self.anchor else { return Ok(AnchorStatus::Extends) };
        records::check_name(run_id)?;
        // First the recorded heads, then the journal: other processes append meanwhile.
        let (list, run) = (anchor.read(LIST)?, anchor.read(run_id)?);
        self.readers.read(|conn| {
            if let Some(head) = list
                && !contains(conn, WORKSPACE, &head)?
            {
                return Ok(AnchorStatus::RolledBack { run_id: None, head });
            }
            if let Some(head) = run
                && !contains(conn, run_id, &head)?
            {
                return Ok(AnchorStatus::RolledBack { run_id: Some(run_id.to_owned()), head });
            }
            let end = links::end(conn, run_id).map_err(|error| fault::sql(&error))??;
            let sealed = listed::links_of(conn, run_id)?.and_then(|(_, sealed)| sealed).is_some();
            match (run, end) {
                (Some(_), _) | (None, None) => Ok(AnchorStatus::Extends),
                (None, Some(end)) if sealed && end.stage == Stage::Sealed => Ok(AnchorStatus::Extends),
                (None, Some(_)) => Ok(AnchorStatus::Unknown),
            }
        })
    }

    pub(super) fn note_anchor(&self, run_id: &str, wait: Wait) -> Result<(), StoreError> {
        self.note(run_id, LowerHead::Refused, wait)
    }

    pub(super) fn replace_anchor(&self, run_id: &str) -> Result<(), StoreError> {
        self.note(run_id, LowerHead::Accepted, Wait::Durable)
    }

    fn note(&self, run_id: &str, lower: LowerHead, wait: Wait) -> Result<(), StoreError> {
        let Some(anchor) = &self.anchor else { return Ok(()) };
        records::check_name(run_id)?;
        let _turn = anchor.locked()?;
        let (list, run) = self.readers.read(|conn| {
            let sql = |error: rusqlite::Error| fault::sql(&error);
            Ok((links::end(conn, WORKSPACE).map_err(sql)??, links::end(conn, run_id).map_err(sql)??))
        })?;
        if let Some(list) = list {
            anchor.write(LIST, list.head, lower, wait)?;
        }
        match run {
            Some(end) if end.stage == Stage::Sealed => anchor.remove(run_id),
            Some(end) => anchor.write(run_id, end.head, lower, wait),
            None if lower == LowerHead::Accepted => anchor.remove(run_id),
            None => Ok(()),
        }
    }

    /// The end of a run, or of the list of runs; `None` if there is none.
    ///
    /// # Errors
    /// The journal cannot be read, or its end is not the recorded one.
    pub fn head(&self, run_id: Option<&str>) -> Result<Option<ChainHead>, StoreError> {
        let name = run_id.unwrap_or(WORKSPACE);
        let end = self.readers.read(|conn| links::end(conn, name).map_err(|error| fault::sql(&error))?)?;
        Ok(end.map(|end| end.head))
    }

    /// Returns whether a run, or the list of runs, has exactly this link.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn contains(&self, run_id: Option<&str>, head: &ChainHead) -> Result<bool, StoreError> {
        self.readers.read(|conn| contains(conn, run_id.unwrap_or(WORKSPACE), head))
    }
}

fn compare(readers: &Readers, anchor: &Anchor) -> Result<AnchorReport, StoreError> {
    let (list, names) = (anchor.read(LIST)?, anchor.names()?);
    let mut noted = list.map(|head| (None, head)).into_iter().collect::<Vec<_>>();
    for name in names {
        // The run may have been sealed meanwhile, and its head removed.
        if let Some(head) = anchor.read(&name)? {
            noted.push((Some(name), head));
        }
    }
    readers.read(|conn| {
        let any = links::end(conn, WORKSPACE).map_err(|error| fault::sql(&error))??.is_some();
        let mut lacking = Vec::new();
        for (run, head) in noted {
            if !contains(conn, run.as_deref().unwrap_or(WORKSPACE), &head)? {
                lacking.push((run, head));
            }
        }
        Ok(AnchorReport { lacking, unnoted: any && list.is_none() })
    })
}

/// Returns whether a chain has a link with this hash at this place. A hash that is not text is another hash.
pub(super) fn contains(conn: &Connection, run_id: &str, head: &ChainHead) -> Result<bool, StoreError> {
    let sql = "SELECT hash FROM events WHERE run_id = ?1 AND seq = ?2";
    let expected = head.hash.to_string();
    let matches = |row: &Row<'_>| Ok(row.get_ref(0)?.as_str().is_ok_and(|hash| hash == expected));
    let found = conn
        .prepare_cached(sql)
        .and_then(|mut statement| statement.query_row(params![run_id, links::place(head.seq)], matches).optional());
    Ok(found.map_err(|error| fault::sql(&error))?.unwrap_or(false))
}

fn parse(text: &str) -> Option<ChainHead> {
    let (seq, hash) = text.strip_suffix('\n')?.split_once(' ')?;
    Some(ChainHead { seq: seq.parse().ok()?, hash: hash.parse().ok()? })
}

fn unreadable(path: &Path) -> StoreError {
    let message = format!("the recorded head `{}` is not a sequence number and a hash", path.display());
    StoreError::new(StoreErrorKind::Corrupt, message)
        .help("restore it from a backup, or remove it and resume with `--accept-rollback` once the journal was checked")
}
