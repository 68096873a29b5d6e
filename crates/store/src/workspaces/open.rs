//! Opening and creating the log of a workspace.

use super::WorkspaceStore;
use super::fault::{DATABASE, within};
use super::schema;
use crate::error::{RegistryError, io_error};
use crate::open::{Options, writable_or_read_only};
use crate::sqlite::{connect, private_file, private_folder};
use deed_diag::{Diagnostic, Place, codes};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::cell::RefCell;
use std::fs;
use std::path::Path;

impl WorkspaceStore {
    /// Opens the log in a folder, or creates it. A creation that a crash interrupted is completed.
    ///
    /// # Errors
    /// The folder has other files, its log has an unknown format or other tables than expected, or it cannot be written.
    pub fn open_or_create(dir: &Path) -> Result<Self, RegistryError> {
        Self::open_or_create_with(dir, Options::default())
    }

    /// Opens the log in a folder to read it; none if nothing was ever recorded there.
    ///
    /// # Errors
    /// The log has an unknown format or other tables than expected, or it cannot be read.
    pub fn open_if_there(dir: &Path) -> Result<Option<Self>, RegistryError> {
        Self::open_if_there_with(dir, Options::default())
    }

    /// Opens or creates with options.
    #[doc(hidden)]
    pub fn open_or_create_with(dir: &Path, options: Options) -> Result<Self, RegistryError> {
        let database = dir.join(DATABASE);
        let make = || {
            if !database.is_file() {
                options.steps.before("create folder")?;
                private_folder(dir).map_err(|e| io_error(&e, dir))?;
                refuse_foreign(dir)?;
                options.steps.before("create database")?;
                private_file(&database)?;
            }
            let conn = connect(&database, &options.tuning())?;
            if schema::is_empty(&conn)? {
                initialize(&conn, dir, &options)?;
            }
            schema::check(&conn)?;
            Ok(conn)
        };
        let conn = make().map_err(|e: RegistryError| within(e, dir))?;
        Ok(Self::new(dir, conn, options))
    }

    /// Opens with options, if it is there.
    #[doc(hidden)]
    pub fn open_if_there_with(dir: &Path, options: Options) -> Result<Option<Self>, RegistryError> {
        let database = dir.join(DATABASE);
        match fs::metadata(&database) {
            Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(e) => return Err(within(crate::error::unreadable(&e, &database), dir)),
            Ok(_) => {}
        }
        let open = || {
            let conn = writable_or_read_only(&database, &options)?;
            // A crash while it was created: nothing was recorded.
            if schema::is_empty(&conn)? {
                return Ok(None);
            }
            schema::check(&conn)?;
            Ok(Some(conn))
        };
        let conn = open().map_err(|e: RegistryError| within(e, dir))?;
        Ok(conn.map(|conn| Self::new(dir, conn, options)))
    }

    fn new(dir: &Path, conn: Connection, options: Options) -> Self {
        Self { dir: dir.to_owned(), conn, steps: options.steps, folded: RefCell::new(None) }
    }
}

/// Creates the tables, unless a rival did meanwhile.
fn initialize(conn: &Connection, dir: &Path, options: &Options) -> Result<(), RegistryError> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    if !schema::is_empty(&tx)? {
        return Ok(());
    }
    schema::create(&tx)?;
    options.steps.before("commit")?;
    tx.commit()?;
    options.steps.before("sync folder")?;
    fs::File::open(dir)?.sync_all()?;
    Ok(())
}

/// Refuses a folder that contains other files: creating a log there is likely a mistake.
fn refuse_foreign(dir: &Path) -> Result<(), RegistryError> {
    for entry in fs::read_dir(dir).map_err(|e| io_error(&e, dir))? {
        let name = entry.map_err(|e| io_error(&e, dir))?.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(DATABASE) {
            let message = format!("the folder of the log of the workspace contains other files, such as `{name}`");
            let finding = Diagnostic::error(codes::NOT_A_WORKSPACE_STORE, message).stage("workspace");
            let finding = finding.at(Place::file(dir.display().to_string())).help("move them away");
            return Err(RegistryError::Environment(Box::new(finding)));
        }
    }
    Ok(())
}
