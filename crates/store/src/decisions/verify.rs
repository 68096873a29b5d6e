//! Verification of the whole log, from its first entry.
//!
//! In order: the database's own pages and objects; the chain and its head; a head that was kept elsewhere; every entry
//! against its files. All findings are returned, not only the first. Whether a verdict can be derived again is not asked
//! here: that takes the compiler.

use super::error::{self, DecisionLogError};
use super::read::{read, stored};
use super::{DecisionLog, StoredDecision, damaged, schema};
use crate::chain::{HeadRow, all_rows, first_damage};
use crate::rows::Row;
use deed_canon::{ChainHead, ContentHash, Link};
use deed_diag::Diagnostic;
use rusqlite::Connection;

/// The result of verifying a log of decisions.
#[derive(Debug)]
pub struct DecisionVerification {
    /// The damage that was found; empty if everything verifies.
    pub findings: Vec<Diagnostic>,
    /// The verified end of the log; `None` if the log is empty or its chain does not lead there.
    pub head: Option<ChainHead>,
    /// The number of entries.
    pub decisions: u64,
    /// Every decision that is sound by its entry and its files, in order.
    pub sound: Vec<StoredDecision>,
}

impl DecisionLog {
    /// Verifies a snapshot of the log. `expected_head` is a head that was kept elsewhere, now or earlier.
    ///
    /// # Errors
    /// The database cannot be read. Damage is returned as findings.
    pub fn verify(&self, expected_head: Option<ContentHash>) -> Result<DecisionVerification, DecisionLogError> {
        self.snapshot(|conn| {
            let mut findings = database(conn)?;
            let (rows, head) = (all_rows(conn)?, HeadRow::read(conn)?);
            let broken = first_damage(&rows, head).map(|found| damaged(&found));
            let sound_chain = broken.is_none();
            findings.extend(broken);
            let links: Vec<Link> = rows.iter().filter_map(Row::link).filter(Link::is_intact).collect();
            if let Some(expected) = expected_head.filter(|expected| links.iter().all(|link| link.hash != *expected)) {
                findings.push(error::rewritten(&expected));
            }
            let mut sound = Vec::new();
            for row in &rows {
                match read(row).and_then(|entry| stored(&self.blobs, entry)) {
                    Ok(decision) => sound.push(decision),
                    // The first broken link was named above.
                    Err(finding) if findings.contains(&*finding) => {}
                    Err(finding) => findings.push(*finding),
                }
            }
            let head = if sound_chain { head.head() } else { None };
            Ok(DecisionVerification { findings, head, decisions: rows.len() as u64, sound })
        })
    }
}

/// Checks SQLite's own pages, every index entry against its row, and the objects of the database.
fn database(conn: &Connection) -> Result<Vec<Diagnostic>, DecisionLogError> {
    let mut findings = schema::differences(conn)?;
    let mut statement = conn.prepare("PRAGMA integrity_check(10)")?;
    let lines: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let faults = lines.iter().filter(|line| *line != "ok");
    findings.extend(faults.map(|line| error::database(format!("the database of decisions is damaged: {line}"))));
    Ok(findings)
}
