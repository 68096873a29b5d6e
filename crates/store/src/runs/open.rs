//! Opening and creating a store of runs.

use super::RunStore;
use super::fault;
use super::files::Files;
use super::listed;
use super::log::Log;
use super::options::RunStoreOptions;
use super::queue::Queue;
use super::readers::Readers;
use super::schema::{self, DatabaseKind};
use super::writer::Writer;
use crate::shards::Shards;
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
/// The lock that a process holds while it creates a store.
const MAKING: &str = "making.lock";
/// Pages after which a busy writer checkpoints the log; an idle one does so sooner. They fit into the extended log.
const AUTOCHECKPOINT: u32 = 900;

impl RunStore {
    /// Opens the store in a folder, or creates it. A creation that a crash interrupted is completed.
    ///
    /// # Errors
    /// The folder had a journal that is lost, has one that cannot be read, or cannot be written to.
    pub fn create_or_open(dir: &Path) -> Result<Self, StoreError> {
        Self::create_or_open_with(dir, RunStoreOptions::default())
    }

    /// Opens the store in a folder.
    ///
    /// # Errors
    /// The folder has no journal, or one of an unknown format, with altered tables, or that cannot be read.
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
        match schema::inspect(&conn)? {
            DatabaseKind::Journal => {}
            DatabaseKind::WithoutIndex => listed::migrate(&conn)?,
            DatabaseKind::Empty => {
                let nothing = nothing_here(dir);
                // Another process may have created it between the two checks.
                if !matches!(schema::inspect(&conn)?, DatabaseKind::Journal) {
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

/// Creates the folders and the database unless they exist. Two processes that do so at once take turns.
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
    // Closing it would unlock it too; a process that was just forked may hold it a moment longer.
    let freed = making.unlock().map_err(|e| fault::io(&e, dir));
    made.and(freed)
}

fn make_database(dir: &Path, options: &RunStoreOptions) -> Result<(), StoreError> {
    let (database, steps) = (dir.join(DATABASE), &options.steps);
    let file = || {
        // An existing one is not opened: closing it again would drop the locks of this process's connections.
        if fs::symlink_metadata(&database).is_err_and(|e| e.kind() == io::ErrorKind::NotFound) {
            steps.before("create database")?;
            drop(private_file(&database)?);
        }
        Ok(())
    };
    file().map_err(|e: io::Error| fault::io(&e, &database))?;
    let conn = connected(&database, options).map_err(|e| unopened(&e, dir))?;
    if matches!(schema::inspect(&conn)?, DatabaseKind::Empty) {
        refuse_lost(dir)?;
        fill(&conn, steps).map_err(|e| fault::sql(&e))?.map_err(|e| fault::io(&e, &database))?;
    }
    // Also for an existing store: its creator may have crashed before the sync.
    let sync = || {
        steps.before("sync folder")?;
        let shards = Shards::new(dir, options.durability);
        shards.sync_folder(&dir.join("blobs"))?;
        shards.sync_folder(dir)?;
        dir.parent().map_or(Ok(()), |parent| shards.sync_folder(named(parent)))
    };
    sync().map_err(|e: io::Error| fault::io(&e, dir))
}

/// Opens a connection that keeps the log when it is closed: growing a log doubles the time of a commit.
fn connected(database: &Path, options: &RunStoreOptions) -> rusqlite::Result<Connection> {
    let conn = connect(database, &options.tuning())?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(conn)
}

/// Creates and commits the tables. The inner result is that of a hook.
fn fill(conn: &Connection, steps: &Steps) -> rusqlite::Result<io::Result<()>> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    schema::create(&tx)?;
    if let Err(stopped) = steps.before("commit") {
        return Ok(Err(stopped));
    }
    tx.commit()?;
    Ok(Ok(()))
}

/// The parent of a bare name is the empty path, which means the current folder.
fn named(parent: &Path) -> &Path {
    if parent.as_os_str().is_empty() { Path::new(".") } else { parent }
}

/// The database of a folder. Distinguishes a folder without a journal from one whose journal cannot be read.
pub(super) fn found(dir: &Path) -> Result<PathBuf, StoreError> {
    let database = dir.join(DATABASE);
    match fs::metadata(&database) {
        Ok(found) if found.is_file() => Ok(database),
        Ok(_) => Err(StoreError::new(StoreErrorKind::Corrupt, format!("`{}` is not a file", database.display()))
            .help("restore the journal from a backup")),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            let nothing = nothing_here(dir);
            // Another process may have created it between the two checks.
            if database.is_file() { Ok(database) } else { Err(nothing) }
        }
        Err(e) => Err(fault::io(&e, &database)),
    }
}

/// Refuses a folder whose journal was lost: blobs are stored and runs are locked only after the journal was made.
fn refuse_lost(dir: &Path) -> Result<(), StoreError> {
    if !has_entries(&dir.join("blobs").join("sha256"))? && !has_entries(&dir.join("locks"))? {
        return Ok(());
    }
    let message = format!("the journal of runs in `{}` is gone or empty, and there were runs", dir.display());
    let help = format!("restore the journal from a backup, or move `{}` elsewhere to start over", dir.display());
    Err(StoreError::new(StoreErrorKind::Corrupt, message).help(help))
}

/// Returns whether a folder has anything in it. One that exists and cannot be read is an error: it may have.
fn has_entries(folder: &Path) -> Result<bool, StoreError> {
    match fs::metadata(folder) {
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(false),
        Err(e) => Err(fault::io(&e, folder)),
        Ok(_) => {
            let mut entries = fs::read_dir(folder).map_err(|e| fault::io(&e, folder))?;
            Ok(entries.next().is_some())
        }
    }
}

/// The error for a folder without a journal.
pub(super) fn nothing_here(dir: &Path) -> StoreError {
    if let Err(lost) = refuse_lost(dir) {
        return lost;
    }
    StoreError::new(StoreErrorKind::Unknown, format!("there is no journal of runs in `{}`", dir.display()))
        .help("name the folder of an existing journal, or start a run, which creates one")
}

/// The error for a database that SQLite cannot open. SQLite gives no reason; often the folder is not writable.
fn unopened(error: &rusqlite::Error, dir: &Path) -> StoreError {
    if error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
        && let Err(why) = tempfile::tempfile_in(dir)
    {
        return fault::io(&why, dir);
    }
    fault::sql(error)
}
