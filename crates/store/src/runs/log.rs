//! The log in front of the database. A file that grows makes every commit wait for the file system's own journal too,
//! which takes longer than writing the bytes; so it is made as long as it gets before the first commit, and kept.

use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fs;
use std::path::{Path, PathBuf};

/// As long as this it is made.
const ROOM: u32 = 4 << 20;
/// Pages that SQLite may hold while it is made; what is more, it has to write.
const FEW_PAGES: i64 = 16;

/// The log of a database.
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

    /// Makes the log long. Bytes are written and taken back before they count, which leaves the database as it is and
    /// the log with room. Where that fails, commits are slower, and that is all.
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
