//! Small blobs, in the database.

use deed_canon::ContentHash;
use rusqlite::{Connection, OptionalExtension, params};

/// The maximum size of a small blob.
pub(super) const MOST: usize = 64 * 1024;

/// Stores a blob. Other bytes under the same hash were altered and are replaced: these are the right ones.
pub(super) fn insert(conn: &Connection, sha256: &ContentHash, bytes: &[u8]) -> rusqlite::Result<()> {
    let (key, ignore) = (sha256.to_string(), "INSERT OR IGNORE INTO small_blobs(sha256, bytes) VALUES (?1, ?2)");
    if conn.prepare_cached(ignore)?.execute(params![key, bytes])? > 0 {
        return Ok(());
    }
    let sound = "SELECT 1 FROM small_blobs WHERE sha256 = ?1 AND bytes = ?2";
    if conn.prepare_cached(sound)?.exists(params![key, bytes])? {
        return Ok(());
    }
    let replace = "INSERT OR REPLACE INTO small_blobs(sha256, bytes) VALUES (?1, ?2)";
    conn.prepare_cached(replace)?.execute(params![key, bytes]).map(drop)
}

/// Reads a blob, if it is in the database.
pub(super) fn get(conn: &Connection, sha256: &ContentHash) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = "SELECT bytes FROM small_blobs WHERE sha256 = ?1";
    conn.prepare_cached(sql)?.query_row([sha256.to_string()], |r| r.get(0)).optional()
}
