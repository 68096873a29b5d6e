//! Opening and creating registries.

use crate::blobs::Blobs;
use crate::error::{DATABASE, RegistryError, io_error, unreadable};
use crate::registry::Registry;
use crate::schema;
use crate::sqlite::{BUSY_TIMEOUT, Durability, Tuning, connect, connect_read_only, private_file, private_folder};
use crate::steps::Steps;
use deed_diag::{Diagnostic, Place, codes};
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Options for opening a registry. Production code uses the default; tests relax or break things.
#[doc(hidden)]
#[derive(Debug)]
pub struct Options {
    /// The durability of a commit.
    pub durability: Durability,
    /// The time to wait for another writer.
    pub busy_timeout: Duration,
    /// The maximum size of the database in pages, to simulate a full disk.
    pub max_pages: Option<u32>,
    /// Open as where nothing may be written.
    pub read_only: bool,
    pub(crate) steps: Steps,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            durability: Durability::Full,
            busy_timeout: BUSY_TIMEOUT,
            max_pages: None,
            read_only: false,
            steps: Steps::none(),
        }
    }
}

impl Options {
    /// Calls `hook` before each durable step; an error that it returns fails the step.
    #[doc(hidden)]
    #[must_use]
    pub fn with_steps(mut self, hook: impl Fn(&'static str) -> io::Result<()> + Send + Sync + 'static) -> Self {
        self.steps = Steps::hook(hook);
        self
    }

    pub(crate) fn tuning(&self) -> Tuning {
        Tuning { durability: self.durability, busy_timeout: self.busy_timeout, max_pages: self.max_pages }
    }
}

impl Registry {
    /// Opens the registry in a folder. One that cannot be written can still be read.
    ///
    /// # Errors
    /// The folder has no registry, it has an unknown format or other tables than expected, or it cannot be read.
    pub fn open(dir: &Path) -> Result<Self, RegistryError> {
        Self::open_with(dir, Options::default())
    }

    /// Creates an empty registry in a folder that is new or empty. One that a crash left incomplete is completed.
    ///
    /// # Errors
    /// The folder has a registry already or contains other files, or it cannot be written to.
    pub fn create(dir: &Path) -> Result<Self, RegistryError> {
        Self::create_with(dir, Options::default())
    }

    /// Opens with options.
    #[doc(hidden)]
    pub fn open_with(dir: &Path, options: Options) -> Result<Self, RegistryError> {
        let database = dir.join(DATABASE);
        readable(dir, &database)?;
        let open = || {
            let conn = writable_or_read_only(&database, &options)?;
            schema::check(&conn)?;
            Ok(conn)
        };
        let conn = open().map_err(|e: RegistryError| e.within(dir))?;
        Ok(Self::new(dir, conn, Blobs::new(dir, options.durability), options.steps))
    }

    /// Creates with options.
    #[doc(hidden)]
    pub fn create_with(dir: &Path, options: Options) -> Result<Self, RegistryError> {
        options.steps.before("create folder").and_then(|()| private_folder(dir)).map_err(|e| io_error(&e, dir))?;
        refuse_foreign(dir)?;
        let blobs = Blobs::new(dir, options.durability);
        blobs.prepare().map_err(|e| io_error(&e, dir))?;
        let make = || {
            options.steps.before("create database")?;
            private_file(&dir.join(DATABASE))?;
            let conn = connect(&dir.join(DATABASE), &options.tuning())?;
            let tx = Transaction::new_unchecked(&conn, TransactionBehavior::Immediate)?;
            if schema::exists(&tx)? {
                return Err(already_there(dir));
            }
            schema::create(&tx)?;
            options.steps.before("commit")?;
            tx.commit()?;
            options.steps.before("sync folder")?;
            fs::File::open(dir)?.sync_all()?;
            Ok(conn)
        };
        let conn = make().map_err(|e: RegistryError| e.within(dir))?;
        Ok(Self::new(dir, conn, blobs, options.steps))
    }
}

/// Opens a database for writing, or for reading alone where this process may not write to it.
pub(crate) fn writable_or_read_only(database: &Path, options: &Options) -> Result<Connection, RegistryError> {
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
            // What cannot be read either is reported as it was found first.
            read.filter(|conn| schema::exists(conn).is_ok()).ok_or_else(|| error.into())
        }
    }
}

/// Distinguishes a folder without a registry from one whose registry cannot be read. The file is not opened: closing
/// it again would drop the locks of every other connection of this process.
fn readable(dir: &Path, database: &Path) -> Result<(), RegistryError> {
    let nothing = || schema::not_a_registry(Place::file(dir.display().to_string()));
    match fs::metadata(database) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(nothing()),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Err(nothing()),
        Err(e) => Err(unreadable(&e, database)),
    }
}

/// Refuses a folder that contains other files: creating a registry there is likely a mistake.
fn refuse_foreign(dir: &Path) -> Result<(), RegistryError> {
    for entry in fs::read_dir(dir).map_err(|e| io_error(&e, dir))? {
        let name = entry.map_err(|e| io_error(&e, dir))?.file_name();
        let name = name.to_string_lossy();
        if name != "blobs" && name != "tmp" && !name.starts_with(DATABASE) {
            return Err(RegistryError::environment(
                Diagnostic::error(
                    codes::REGISTRY_FOLDER_NOT_EMPTY,
                    format!("the folder contains other files, such as `{name}`"),
                )
                .at(Place::file(dir.display().to_string()))
                .help("name a folder that is new or empty"),
            ));
        }
    }
    Ok(())
}

fn already_there(dir: &Path) -> RegistryError {
    RegistryError::environment(
        Diagnostic::error(codes::REGISTRY_EXISTS, "the folder has a registry already")
            .at(Place::file(dir.display().to_string()))
            .help("open it, or name another folder"),
    )
}
