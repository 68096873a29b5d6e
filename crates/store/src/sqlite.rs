//! Connections to the databases of this crate, with the settings that the registry and the journal of runs share.

use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

const STATEMENTS: usize = 64;
/// The default time to wait for another writer.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(15);

/// The pause before a database is asked again to log its writes.
const RETRY_PAUSE: Duration = Duration::from_millis(5);

/// The durability of a commit.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A commit waits for the disk: what was acknowledged survives a power cut.
    Full,
    /// A commit does not wait. Only for tests that are not about durability.
    None,
}

/// Settings of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tuning {
    pub(crate) durability: Durability,
    pub(crate) busy_timeout: Duration,
    /// The maximum size of the database in pages, to simulate a full disk.
    pub(crate) max_pages: Option<u32>,
}

/// Opens an existing database for reading and writing.
pub(crate) fn connect(database: &Path, tuning: &Tuning) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(database, flags)?;
    conn.busy_timeout(tuning.busy_timeout)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    conn.pragma_update(None, "trusted_schema", false)?;
    log_ahead(&conn, tuning.busy_timeout)?;
    let synchronous = match tuning.durability {
        Durability::Full => "FULL",
        Durability::None => "OFF",
    };
    conn.pragma_update(None, "synchronous", synchronous)?;
    if let Some(pages) = tuning.max_pages {
        conn.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    Ok(conn)
}

/// Switches a database to a log of writes. SQLite does not wait for another process that switches it at the same time, since
/// both could wait for each other: the one that is told so tries again.
fn log_ahead(conn: &Connection, patience: Duration) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        match conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())) {
            Err(error) if is_busy(&error) && begun.elapsed() < patience => thread::sleep(RETRY_PAUSE),
            switched => return switched,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Opens a database that this process may not write to. A log of writes that is not empty belongs to it, and is read with
/// it; without one no file beside it is needed, and none is made.
pub(crate) fn connect_read_only(database: &Path, tuning: &Tuning) -> rusqlite::Result<Connection> {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    let settled = fs::metadata(&log).map_or(true, |found| found.len() == 0);
    let path = database.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let uri = format!("file:{path}?mode=ro{}", if settled { "&immutable=1" } else { "" });
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(uri, flags)?;
    conn.busy_timeout(tuning.busy_timeout)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    conn.pragma_update(None, "trusted_schema", false)?;
    Ok(conn)
}

/// Creates a folder that only its owner can read; an existing one keeps its mode unless it is empty.
pub(crate) fn private_folder(dir: &Path) -> io::Result<()> {
    let fresh = !dir.exists();
    fs::create_dir_all(dir)?;
    if fresh || fs::read_dir(dir)?.next().is_none() {
        make_private(dir)?;
    }
    Ok(())
}

#[cfg(unix)]
fn make_private(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn make_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Creates a file that only its owner can read. SQLite opens it later, so that other users can never read it.
pub(crate) fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.create(true).append(true).read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
