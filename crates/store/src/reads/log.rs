//! The audit log itself.

use crate::error::RegistryError;
use crate::log::Log;
use crate::registry::Registry;
use crate::rows::{LogEntry, Row, broken};
use deed_canon::{Break, BreakKind, ChainHead, Link, verify_chain};

/// Which part of the log is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// Only events that concern this: `pack:…`, `version:…` (a pack without its pins), `environment:…` or `key:…`.
    pub subject: Option<String>,
    /// Only events from this place on.
    pub from: Option<u64>,
    /// At most this many of the last ones.
    pub last: Option<usize>,
}

impl Registry {
    /// The log's end; nothing where it is empty. Note it elsewhere: it is what `verify_all` can be held to.
    pub fn head(&self) -> Result<Option<ChainHead>, RegistryError> {
        self.read(|conn| Ok(Log::open(conn)?.head()))
    }

    /// Events with their links, in order. Without a subject the whole chain is checked on the way.
    pub fn log(&self, filter: &LogFilter) -> Result<Vec<LogEntry>, RegistryError> {
        let mut entries = self.read(|conn| {
            let log = Log::open(conn)?;
            match &filter.subject {
                Some(subject) => Ok(log.of_subject(subject)?.into_values().collect()),
                None => whole(&log),
            }
        })?;
        entries.retain(|entry: &LogEntry| filter.from.is_none_or(|from| entry.link.seq >= from));
        let spare = filter.last.map_or(0, |last| entries.len().saturating_sub(last));
        entries.drain(..spare);
        Ok(entries)
    }
}

/// Every entry, after the whole chain was walked.
pub(crate) fn whole(log: &Log<'_>) -> Result<Vec<LogEntry>, RegistryError> {
    let links = links(&log.rows()?)?;
    verify_chain(&links, log.head().as_ref()).map_err(|found| vec![broken(&found)])?;
    let entries = links.into_iter().map(crate::rows::entry_of).collect::<Result<_, _>>()?;
    Ok(entries)
}

/// The rows as links; a row that is none was edited.
pub(crate) fn links(rows: &[Row]) -> Result<Vec<Link>, RegistryError> {
    let link = |(place, row): (u64, &Row)| {
        row.link().ok_or_else(|| vec![broken(&Break { seq: place, kind: BreakKind::Edited })])
    };
    Ok((0u64..).zip(rows).map(link).collect::<Result<_, _>>()?)
}
