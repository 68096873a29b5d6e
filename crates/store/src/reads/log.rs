//! Reading the audit log.

use crate::error::RegistryError;
use crate::log::Log;
use crate::registry::Registry;
use crate::rows::LogEntry;
use crate::subjects::Subject;
use deed_canon::ChainHead;

/// A selection of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// Only events of this subject: `pack:…`, `version:…` (a pack without its pins), `environment:…` or `key:…`.
    pub subject: Option<String>,
    /// Only events from this place on.
    pub from: Option<u64>,
    /// At most this many, the last ones.
    pub last: Option<usize>,
}

impl Registry {
    /// The end of the log; `None` if it is empty. Record it elsewhere, and pass it to `verify` later.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn head(&self) -> Result<Option<ChainHead>, RegistryError> {
        self.read_log(|log| Ok(log.head()))
    }

    /// Returns the selected events with their links, in order.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn log(&self, filter: &LogFilter) -> Result<Vec<LogEntry>, RegistryError> {
        let mut entries = self.read_log(|log| match &filter.subject {
            Some(subject) => of_subject(log, subject),
            None => log.whole(),
        })?;
        entries.retain(|entry: &LogEntry| filter.from.is_none_or(|from| entry.link.seq >= from));
        let spare = filter.last.map_or(0, |last| entries.len().saturating_sub(last));
        entries.drain(..spare);
        Ok(entries)
    }
}

fn of_subject(log: &Log<'_>, subject: &str) -> Result<Vec<LogEntry>, RegistryError> {
    // A text that is not a subject has no events.
    let Some(subject) = Subject::parse(subject) else { return Ok(Vec::new()) };
    Ok(log.of_subject(&subject)?.into_values().collect())
}
