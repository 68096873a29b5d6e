//! Opening and creating the log of decisions.

use super::error::{DecisionLogError, files};
use super::{DATABASE, DecisionLog, schema};
use crate::blobs::Blobs;
use crate::open::Options;
use crate::sqlite::{connect, connect_read_only, private_file, private_folder};
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::cell::Cell;
use std::fs;
use std::io;
use std::path::Path;

impl DecisionLog {
    /// Opens the log in a folder, or returns `None` where nothing was ever recorded. A log that cannot be written can
    /// still be read.
    ///
    /// # Errors
    /// The log has an unknown format or other tables than expected, or cannot be read.
    pub fn open(dir: &Path) -> Result<Option<Self>, DecisionLogError> {
        Self::open_with(dir, Options::default())
    }

    /// Opens the log in a folder, and creates it where there is none. One that a crash left incomplete is completed.
    ///
    /// # Errors
    /// As for opening, and if the folder cannot be written.
    pub fn create(dir: &Path) -> Result<Self, DecisionLogError> {
        Self::create_with(dir, Options::default())
    }

    /// Opens with options.
    #[doc(hidden)]
    pub fn open_with(dir: &Path, options: Options) -> Result<Option<Self>, DecisionLogError> {
        let database = dir.join(DATABASE);
        match fs::metadata(&database) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(files(&error, &database)),
            Ok(_) => {}
        }
        let open = || {
            let conn = writable_or_read_only(&database, &options)?;
            // The file is made before its tables: a crash in between leaves a log in which nothing was recorded.
            if !schema::exists(&conn)? {
                return Ok(None);
            }
            schema::check(&conn)?;
            Ok(Some(conn))
        };
        let conn = open().map_err(|error: DecisionLogError| error.within(dir))?;
        Ok(conn.map(|conn| Self::new(dir, conn, options)))
    }

    /// Opens or creates with options.
    #[doc(hidden)]
    pub fn create_with(dir: &Path, options: Options) -> Result<Self, DecisionLogError> {
        let failed = |error: io::Error| files(&error, dir);
        options.steps.before("create folder").and_then(|()| private_folder(dir)).map_err(failed)?;
        Blobs::new(dir, options.durability).prepare().map_err(failed)?;
        let make = || {
            options.steps.before("create database")?;
            private_file(&dir.join(DATABASE))?;
            let conn = connect(&dir.join(DATABASE), &options.tuning())?;
            let tx = Transaction::new_unchecked(&conn, TransactionBehavior::Immediate)?;
            // Another process may have created it meanwhile.
            if !schema::exists(&tx)? {
                schema::create(&tx)?;
            }
            options.steps.before("commit")?;
            tx.commit()?;
            schema::check(&conn)?;
            options.steps.before("sync folder")?;
            fs::File::open(dir)?.sync_all()?;
            Ok(conn)
        };
        let conn = make().map_err(|error: DecisionLogError| error.within(dir))?;
        Ok(Self::new(dir, conn, options))
    }

    fn new(dir: &Path, conn: Connection, options: Options) -> Self {
        let blobs = Blobs::new(dir, options.durability);
        Self { dir: dir.to_owned(), conn, blobs, walked: Cell::new(None), steps: options.steps }
    }
}

/// Opens a database for writing, or for reading alone where this process may not write to it.
fn writable_or_read_only(database: &Path, options: &Options) -> Result<Connection, DecisionLogError> {
    let tuning = options.tuning();
    if options.read_only {
        return Ok(connect_read_only(database, &tuning)?);
    }
    match connect(database, &tuning) {
        Ok(conn) => Ok(conn),
        Err(error) => {
            let denied = matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
            );
            let read = if denied { connect_read_only(database, &tuning).ok() } else { None };
            read.filter(|conn| schema::exists(conn).is_ok()).ok_or_else(|| error.into())
        }
    }
}
