//! The chain from end to end, its head, and a head that was noted elsewhere.

use crate::error::RegistryError;
use crate::log::{HEAD_DISAGREES, all_rows, head_disagrees, head_row};
use crate::reads::links;
use crate::rows::{LogEntry, Row, broken, entry_of};
use deed_canon::{ContentHash, Link, verify_chain};
use deed_diag::{Diagnostic, Place};
use rusqlite::Connection;

/// The events that can be read, and what is wrong with the chain.
pub(super) fn check(
    conn: &Connection,
    expected_head: Option<ContentHash>,
) -> Result<(Vec<LogEntry>, Vec<Diagnostic>), RegistryError> {
    let rows = all_rows(conn)?;
    let mut findings = Vec::new();
    let links = match links(&rows) {
        Ok(links) => links,
        Err(RegistryError::Refused(found)) => {
            findings.extend(found);
            rows.iter().filter_map(Row::link).filter(Link::is_intact).collect()
        }
        Err(error) => return Err(error),
    };
    if findings.is_empty() {
        findings.extend(walk(conn, &links)?);
    }
    if let Some(expected) = expected_head.filter(|expected| links.iter().all(|l| l.hash != *expected)) {
        findings.push(rewritten(&expected));
    }
    let mut entries = Vec::new();
    for link in links {
        match entry_of(link) {
            Ok(entry) => entries.push(entry),
            Err(found) => findings.extend(found),
        }
    }
    Ok((entries, findings))
}

fn walk(conn: &Connection, links: &[Link]) -> Result<Vec<Diagnostic>, RegistryError> {
    let head = match head_row(conn) {
        Ok(head) => head,
        Err(RegistryError::Refused(found)) => return Ok(found),
        Err(error) => return Err(error),
    };
    // The chain is walked without the head first: a wrong head is another finding than a broken chain.
    if let Err(found) = verify_chain(links, None) {
        return Ok(vec![broken(&found)]);
    }
    match (head, links.last()) {
        (None, Some(_)) => Ok(vec![head_disagrees()]),
        (Some(head), Some(last)) if head.seq == last.seq && head.hash != last.hash => Ok(vec![head_disagrees()]),
        (head, _) => Ok(verify_chain(links, head.as_ref()).err().map(|found| broken(&found)).into_iter().collect()),
    }
}

fn rewritten(expected: &ContentHash) -> Diagnostic {
    let message = format!("the log has no event `{expected}`, which was its head when it was noted");
    Diagnostic::error(HEAD_DISAGREES, message)
        .stage("registry")
        .at(Place::file("head"))
        .help("the log was cut off or rewritten since, or the note belongs to another registry")
}
