//! Opening a store of runs, and making one.

use super::RunStore;
use super::fault;
use super::files::Files;
use super::listed;
use super::log::Log;
use super::options::RunStoreOptions;
use super::queue::Queue;
use super::readers::Readers;
use super::schema::{self, Found};
use super::writer::Writer;
use crate::shelves::Shelves;
use crate::sqlite::{Durability, connect, private_file, private_folder};
use crate::steps::Steps;
use deed_ports::{StoreError, StoreErrorKind};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// Name of the database inside the folder.
pub(super) const DATABASE: &str = "journal.sqlite";
/// Whoever makes a store holds this file locked meanwhile.
const MAKING: &str = "making.lock";
/// Pages after which a busy writer moves the log into the database by itself; an idle one does so sooner. So many fit
/// into the log as it was made.
const AUTOCHECKPOINT: u32 = 900;

impl RunStore {
    /// Opens the store in a folder, and makes it where there is none. What a crash left unfinished is finished.
    pub fn create_or_open(dir: &Path) -> Result<Self, StoreError> {
        Self::create_or_open_with(dir, RunStoreOptions::default())
    }

    /// Opens the store in a folder.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        Self::open_with(dir, RunStoreOptions::default())
    }

    /// Opens or creates with options.
    #[doc(hidden)]
    pub fn create_or_open_with(dir: &Path, options: RunStoreOptions) -> Result<Self, StoreError> {
        make(dir, &options)?;
        Self::open_with(dir, options)
    }

    /// Opens with options.
    #[doc(hidden)]
    pub fn open_with(dir: &Path, options: RunStoreOptions) -> Result<Self, StoreError> {
        let database = found(dir)?;
        let conn = connected(&database, &options).map_err(|e| unopened(&e, dir))?;
        match schema::look(&conn)? {
            Found::Journal => {}
            Found::WithoutIndex => listed::migrate(&conn)?,
            Found::Empty => {
                let nothing = nothing_here(dir);
                // Another process may have made it between the two looks.
                if !matches!(schema::look(&conn)?, Found::Journal) {
                    return Err(nothing);
                }
            }
        }
        conn.pragma_update(None, "wal_autocheckpoint", AUTOCHECKPOINT).map_err(|e| fault::sql(&e))?;
        let files = Files::new(dir, options.durability);
        let log = (options.durability == Durability::Full && options.max_pages.is_none()).then(|| Log::of(&database));
        let readers = Readers::new(database, options.busy_timeout);
        let (queue, steps) = (Arc::new(Queue::new(options.linger)), Arc::new(options.steps));
        let writer = Writer::new(conn, log, Arc::clone(&queue), Arc::clone(&steps));
        let thread = thread::Builder::new().name("deed-journal".to_owned()).spawn(move || writer.run());
        let writer = Some(thread.map_err(|e| fault::io(&e, dir))?);
        Ok(Self { dir: dir.to_owned(), queue, readers, files, steps, writer, anchor: None })
    }
}

/// Makes the folders and the database, unless they are there. Two processes that do so at once take turns.
fn make(dir: &Path, options: &RunStoreOptions) -> Result<(), StoreError> {
    let steps = &options.steps;
    let folders = || {
        steps.before("create folder")?;
        private_folder(dir)?;
        for name in ["blobs/sha256", "tmp", "locks"] {
            fs::create_dir_all(dir.join(name))?;
        }
        let making = private_file(&dir.join(MAKING))?;
        making.lock()?;
        Ok(making)
    };
    let making = folders().map_err(|e: io::Error| fault::io(&e, dir))?;
    let made = make_database(dir, options);
    // Closing it would free it too; a process that was just forked may hold it a moment longer.
    let freed = making.unlock().map_err(|e| fault::io(&e, dir));
    made.and(freed)
}

fn make_database(dir: &Path, options: &RunStoreOptions) -> Result<(), StoreError> {
    let (database, steps) = (dir.join(DATABASE), &options.steps);
    let file = || {
        // One that is there is not opened: to close it again would drop the locks of this process's connections.
        if fs::symlink_metadata(&database).is_err_and(|e| e.kind() == io::ErrorKind::NotFound) {
            steps.before("create database")?;
            drop(private_file(&database)?);
        }
        Ok(())
    };
    file().map_err(|e: io::Error| fault::io(&e, &database))?;
    let conn = connected(&database, options).map_err(|e| unopened(&e, dir))?;
    if matches!(schema::look(&conn)?, Found::Empty) {
        if let Some(lost) = lost(dir) {
            return Err(lost);
        }
        fill(&conn, steps).map_err(|e| fault::sql(&e))?.map_err(|e| fault::io(&e, &database))?;
    }
    // Also for a store that was there: whoever made it may have crashed before this.
    let sync = || {
        steps.before("sync folder")?;
        let shelves = Shelves::new(dir, options.durability);
        shelves.sync_folder(&dir.join("blobs"))?;
        shelves.sync_folder(dir)?;
        dir.parent().map_or(Ok(()), |parent| shelves.sync_folder(named(parent)))
    };
    sync().map_err(|e: io::Error| fault::io(&e, dir))
}

/// A connection that leaves the log where it is when it is closed: a log that has to grow costs a commit twice its time.
fn connected(database: &Path, options: &RunStoreOptions) -> rusqlite::Result<Connection> {
    let conn = connect(database, &options.tuning())?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(conn)
}

/// The tables, committed; inside, what a hook says.
fn fill(conn: &Connection, steps: &Steps) -> rusqlite::Result<io::Result<()>> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    schema::create(&tx)?;
    if let Err(stopped) = steps.before("commit") {
        return Ok(Err(stopped));
    }
    tx.commit()?;
    Ok(Ok(()))
}

/// The parent of a bare name is written as nothing, and means here.
fn named(parent: &Path) -> &Path {
    if parent.as_os_str().is_empty() { Path::new(".") } else { parent }
}

/// The database of a folder. Tells one without a journal from one whose journal is kept from us.
pub(super) fn found(dir: &Path) -> Result<PathBuf, StoreError> {
    let database = dir.join(DATABASE);
    match fs::metadata(&database) {
        Ok(found) if found.is_file() => Ok(database),
        Ok(_) => Err(StoreError::new(StoreErrorKind::Corrupt, format!("`{}` is no file", database.display()))
            .help("restore the journal from a backup")),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            let nothing = nothing_here(dir);
            // Somebody may have made it between the two looks.
            if database.is_file() { Ok(database) } else { Err(nothing) }
        }
        Err(e) => Err(fault::io(&e, &database)),
    }
}

/// A journal that was there: bytes are kept and runs are held only after it was made.
fn lost(dir: &Path) -> Option<StoreError> {
    let holds = |folder: PathBuf| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    (holds(dir.join("blobs").join("sha256")) || holds(dir.join("locks"))).then(|| {
        let message = format!("the journal of runs in `{}` is gone or empty, and there were runs", dir.display());
        let help = format!("restore the journal from a backup, or move `{}` elsewhere to begin anew", dir.display());
        StoreError::new(StoreErrorKind::Corrupt, message).help(help)
    })
}

/// A folder without a journal.
pub(super) fn nothing_here(dir: &Path) -> StoreError {
    if let Some(lost) = lost(dir) {
        return lost;
    }
    StoreError::new(StoreErrorKind::Unknown, format!("there is no journal of runs in `{}`", dir.display()))
        .help("name the folder of an existing one, or start a run, which makes one")
}

/// SQLite does not say why it cannot open a file; whether the folder may be written to often is the reason.
fn unopened(error: &rusqlite::Error, dir: &Path) -> StoreError {
    if error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
        && let Err(why) = tempfile::tempfile_in(dir)
    {
        return fault::io(&why, dir);
    }
    fault::sql(error)
}
