//! The anchor: the highest end that was seen of each chain, in small files outside the database.
//!
//! A copy of the journal that is older than it was, or that was cut, lacks an end that is noted here. Order makes it
//! safe: the database commits first, then the note is written, so that a crash leaves the note behind the journal and
//! never ahead of it. Of a sealed run nothing is noted: the list of runs names its end, and the end of the list is noted.

use super::RunStore;
use super::fault;
use super::links::{self, WORKSPACE};
use super::listed;
use super::open;
use super::readers::Readers;
use super::records::{self, Stage};
use crate::sqlite::{PATIENCE, private_file, private_folder};
use deed_canon::ChainHead;
use deed_ports::{Anchored, StoreError, StoreErrorKind, Wait};
use rusqlite::{Connection, OptionalExtension, params};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file of the list of runs. No run can be called so: names have no dot.
const LIST: &str = "runs.list";
const LOCK: &str = "anchor.lock";
const UNFINISHED: &str = "anchor.new";

/// The folder of noted ends.
#[derive(Debug)]
pub(super) struct Anchor {
    folder: PathBuf,
}

/// Whether a note may replace a higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lower {
    Never,
    Accepted,
}

impl Anchor {
    /// The anchor in a folder, which is made where it is missing.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        private_folder(folder)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The end that is noted under a name.
    fn read(&self, name: &str) -> Result<Option<ChainHead>, StoreError> {
        let path = self.folder.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => parse(&text).map(Some).ok_or_else(|| unreadable(&path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(fault::io(&error, &path)),
        }
    }

    /// Notes an end. The caller holds the lock.
    fn write(&self, name: &str, head: ChainHead, lower: Lower, wait: Wait) -> Result<(), StoreError> {
        let path = self.folder.join(name);
        if let Ok(Some(noted)) = self.read(name)
            && (noted == head || (noted.seq >= head.seq && lower == Lower::Never))
        {
            return Ok(());
        }
        let unfinished = self.folder.join(UNFINISHED);
        let write = || {
            // A process that was killed may have left one.
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

    /// The runs of which an end is noted, in order of their names.
    fn names(&self) -> Result<Vec<String>, StoreError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| fault::io(&error, &self.folder))?,
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| records::check_name(name).is_ok()).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Forgets what is noted of a run.
    fn remove(&self, name: &str) -> Result<(), StoreError> {
        let path = self.folder.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(fault::io(&error, &path)),
            _ => Ok(()),
        }
    }

    /// Processes that note ends take turns.
    fn locked(&self) -> Result<File, StoreError> {
        let path = self.folder.join(LOCK);
        let locked = private_file(&path).and_then(|file| file.lock().map(|()| file));
        locked.map_err(|error| fault::io(&error, &path))
    }
}

/// What an anchor says about a whole journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnchorReport {
    /// Heads that were noted and that the journal lacks, each with its run; none for the list of runs.
    pub lacking: Vec<(Option<String>, ChainHead)>,
    /// True if there are runs, and no head of the list of runs is noted.
    pub unnoted: bool,
}

impl RunStore {
    /// Compares the journal in a folder with every head that is noted in another. Nothing is written.
    pub fn compare_in(dir: &Path, folder: &Path) -> Result<AnchorReport, StoreError> {
        let readers = Readers::new(open::found(dir)?, PATIENCE);
        compare(&readers, &Anchor { folder: folder.to_owned() })
    }

    /// Compares every head that is noted outside with the journal; none where nothing is noted anywhere.
    pub fn compare_anchors(&self) -> Result<Option<AnchorReport>, StoreError> {
        self.anchor.as_ref().map(|anchor| compare(&self.readers, anchor)).transpose()
    }

    /// Notes the ends of chains in a folder outside the store, and compares them when a run is driven.
    pub fn anchored_in(mut self, folder: &Path) -> Result<Self, StoreError> {
        self.anchor = Some(Anchor::new(folder).map_err(|error| fault::io(&error, folder))?);
        Ok(self)
    }

    pub(super) fn compare_anchor(&self, run_id: &str) -> Result<Anchored, StoreError> {
        let Some(anchor) = &self.anchor else { return Ok(Anchored::Extends) };
        records::check_name(run_id)?;
        // First what is noted, then the journal: others append meanwhile.
        let (list, run) = (anchor.read(LIST)?, anchor.read(run_id)?);
        self.readers.read(|conn| {
            if let Some(head) = list.filter(|head| !contains(conn, WORKSPACE, head)) {
                return Ok(Anchored::RolledBack { run_id: None, head });
            }
            if let Some(head) = run.filter(|head| !contains(conn, run_id, head)) {
                return Ok(Anchored::RolledBack { run_id: Some(run_id.to_owned()), head });
            }
            let end = links::end(conn, run_id).map_err(|error| fault::sql(&error))??;
            let sealed = listed::links_of(conn, run_id)?.and_then(|(_, sealed)| sealed).is_some();
            match (run, end) {
                (Some(_), _) | (None, None) => Ok(Anchored::Extends),
                (None, Some(end)) if sealed && end.stage == Stage::Sealed => Ok(Anchored::Extends),
                (None, Some(_)) => Ok(Anchored::Unknown),
            }
        })
    }

    pub(super) fn note_anchor(&self, run_id: &str, wait: Wait) -> Result<(), StoreError> {
        self.note(run_id, Lower::Never, wait)
    }

    pub(super) fn replace_anchor(&self, run_id: &str) -> Result<(), StoreError> {
        self.note(run_id, Lower::Accepted, Wait::Durable)
    }

    fn note(&self, run_id: &str, lower: Lower, wait: Wait) -> Result<(), StoreError> {
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
            None if lower == Lower::Accepted => anchor.remove(run_id),
            None => Ok(()),
        }
    }

    /// The end of a run, or of the list of runs.
    pub fn head(&self, run_id: Option<&str>) -> Result<Option<ChainHead>, StoreError> {
        let name = run_id.unwrap_or(WORKSPACE);
        let end = self.readers.read(|conn| links::end(conn, name).map_err(|error| fault::sql(&error))?)?;
        Ok(end.map(|end| end.head))
    }

    /// Returns whether a run, or the list of runs, has this very link.
    pub fn contains(&self, run_id: Option<&str>, head: &ChainHead) -> Result<bool, StoreError> {
        self.readers.read(|conn| Ok(contains(conn, run_id.unwrap_or(WORKSPACE), head)))
    }
}

fn compare(readers: &Readers, anchor: &Anchor) -> Result<AnchorReport, StoreError> {
    let (list, names) = (anchor.read(LIST)?, anchor.names()?);
    let mut noted = list.map(|head| (None, head)).into_iter().collect::<Vec<_>>();
    for name in names {
        // It may have been sealed meanwhile, and its note removed.
        if let Some(head) = anchor.read(&name)? {
            noted.push((Some(name), head));
        }
    }
    readers.read(|conn| {
        let any = links::end(conn, WORKSPACE).map_err(|error| fault::sql(&error))??.is_some();
        noted.retain(|(run, head)| !contains(conn, run.as_deref().unwrap_or(WORKSPACE), head));
        Ok(AnchorReport { lacking: std::mem::take(&mut noted), unnoted: any && list.is_none() })
    })
}

/// Returns whether a chain has a link with this hash at this place. A row that cannot be read is none.
pub(super) fn contains(conn: &Connection, run_id: &str, head: &ChainHead) -> bool {
    let sql = "SELECT hash FROM events WHERE run_id = ?1 AND seq = ?2";
    let found: rusqlite::Result<Option<String>> = conn.prepare_cached(sql).and_then(|mut statement| {
        statement.query_row(params![run_id, links::place(head.seq)], |r| r.get(0)).optional()
    });
    found.is_ok_and(|found| found == Some(head.hash.to_string()))
}

fn parse(text: &str) -> Option<ChainHead> {
    let (seq, hash) = text.strip_suffix('\n')?.split_once(' ')?;
    Some(ChainHead { seq: seq.parse().ok()?, hash: hash.parse().ok()? })
}

fn unreadable(path: &Path) -> StoreError {
    let message = format!("the anchor of the journal, `{}`, cannot be read as a head", path.display());
    StoreError::new(StoreErrorKind::Corrupt, message)
        .help("restore it from a backup, or remove it and resume with `--accept-rollback` once the journal was checked")
}
