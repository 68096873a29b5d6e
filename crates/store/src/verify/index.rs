//! The index against the events that it was made from.

use crate::error::RegistryError;
use crate::log::index_finding;
use crate::rows::LogEntry;
use crate::subjects::subjects;
use deed_diag::Diagnostic;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

type Places = BTreeMap<String, Vec<i64>>;

/// One finding for each subject whose rows are not what the events say.
pub(super) fn check(conn: &Connection, entries: &[LogEntry]) -> Result<Vec<Diagnostic>, RegistryError> {
    let expected = expected(entries);
    let (found, mut wrong) = found(conn)?;
    let tips = tips(conn)?;
    let subjects: BTreeSet<&String> = expected.keys().chain(found.keys()).chain(tips.keys()).collect();
    for subject in subjects {
        let places = expected.get(subject);
        let count = places.map(|p| i64::try_from(p.len()).unwrap_or(i64::MAX));
        if found.get(subject) != places || tips.get(subject).copied() != count {
            wrong.insert(subject.clone());
        }
    }
    Ok(wrong.iter().map(|subject| index_finding(subject)).collect())
}

fn expected(entries: &[LogEntry]) -> Places {
    let mut places = Places::new();
    for entry in entries {
        let seq = i64::try_from(entry.link.seq).unwrap_or(i64::MAX);
        for subject in subjects(&entry.event.event) {
            places.entry(subject).or_default().push(seq);
        }
    }
    places
}

/// The rows by subject, and the subjects whose numbering has gaps.
fn found(conn: &Connection) -> Result<(Places, BTreeSet<String>), RegistryError> {
    let (mut places, mut wrong) = (Places::new(), BTreeSet::new());
    let mut statement = conn.prepare("SELECT subject, nth, seq FROM subjects ORDER BY subject, nth")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (subject, nth, seq): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let places = places.entry(subject.clone()).or_default();
        if i64::try_from(places.len()) != Ok(nth) {
            wrong.insert(subject);
        }
        places.push(seq);
    }
    Ok((places, wrong))
}

fn tips(conn: &Connection) -> Result<BTreeMap<String, i64>, RegistryError> {
    let mut statement = conn.prepare("SELECT subject, events FROM tips")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
