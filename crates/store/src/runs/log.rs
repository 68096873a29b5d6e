//! SQLite's write-ahead log. A growing file makes every commit wait for the file system's own journal too, which takes
//! longer than writing the bytes; so the log is extended to its full size before the first commit, and keeps it.

use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fs;
use std::path::{Path, PathBuf};

/// The size that the log is extended to, in bytes.
const ROOM: u32 = 4 << 20;
/// Pages that SQLite may cache meanwhile; the rest it has to write.
const FEW_PAGES: i64 = 16;

/// The write-ahead log of a database.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
}

impl Log {
    pub(super) fn of(database: &Path) -> Self {
        let mut path = database.as_os_str().to_owned();
        path.push("-wal");
        Self { path: path.into() }
    }

    /// Extends the log. Bytes are written and rolled back, which leaves the database as it is and the log with room. A
    /// failure only makes commits slower, so it is ignored.
    pub(super) fn make_room(&self, conn: &Connection) {
        if fs::metadata(&self.path).is_ok_and(|found| found.len() < u64::from(ROOM)) {
            let _ = spill(conn);
        }
    }
}

fn spill(conn: &Connection) -> rusqlite::Result<()> {
    let before: i64 = conn.query_row("PRAGMA cache_size", [], |row| row.get(0))?;
    conn.pragma_update(None, "cache_size", FEW_PAGES)?;
    let spilled = Transaction::new_unchecked(conn, TransactionBehavior::Immediate).and_then(|tx| {
        let sql = "INSERT INTO small_blobs(sha256, bytes) VALUES ('', zeroblob(?1))";
        tx.execute(sql, [ROOM + ROOM / 32])?;
        tx.rollback()
    });
    conn.pragma_update(None, "cache_size", before)?;
    spilled
}
