//! Verification of the whole memory log, from its first event.
//!
//! In order: the database's own pages and tables; the chain and its head; every operation as if it were made again; every
//! stored content and the rules that judged it. All findings are returned; after a broken chain only the files are checked
//! besides.

use super::MemoryStore;
use super::entry::{MemoryEntry, entries};
use super::fault::{DATABASE, reworded, within};
use super::schema;
use crate::chain::{HeadRow, all_rows, damage, rewritten};
use crate::error::RegistryError;
use crate::log::at_event;
use crate::rows::{Row, event_place};
use crate::verify::Verification;
use deed_canon::{ContentHash, Link};
use deed_diag::{Diagnostic, Place, codes};
use deed_memory::{MemoryState, expected_events};
use deed_model::{MemoryEvent, MemoryProposal, MemoryRules};
use rusqlite::Connection;
use std::collections::BTreeMap;

impl MemoryStore {
    /// Verifies a snapshot of the log. `expected_head` is a head that was recorded elsewhere, now or earlier.
    ///
    /// # Errors
    /// The database cannot be read. Damage is returned as findings.
    pub fn verify(&self, expected_head: Option<ContentHash>) -> Result<Verification, RegistryError> {
        self.read(|conn| {
            let mut findings = database(conn)?;
            let (rows, head) = (all_rows(conn)?, HeadRow::read(conn)?);
            let broken = damage(&rows, head).map(reworded);
            let is_sound = broken.is_none();
            findings.extend(broken);
            let links: Vec<Link> = rows.iter().filter_map(Row::link).filter(Link::is_intact).collect();
            if let Some(expected) = expected_head.filter(|expected| links.iter().all(|link| link.hash != *expected)) {
                findings.push(reworded(rewritten(&expected)));
            }
            match entries(&rows) {
                Ok(entries) if is_sound => {
                    findings.extend(self.replayed(&entries));
                    findings.extend(self.stored(&entries));
                }
                Ok(entries) => findings.extend(self.stored(&entries)),
                Err(unreadable) if is_sound => findings.extend(unreadable),
                // The broken chain was reported.
                Err(_) => {}
            }
            let head = if is_sound { head.head() } else { None };
            Ok(Verification { findings, head, events: rows.len() as u64 })
        })
    }

    /// Makes every operation again: the rules must give exactly these events after the events before them. Reports the
    /// first that they do not give; what follows it is built on it.
    fn replayed(&self, entries: &[MemoryEntry]) -> Option<Diagnostic> {
        let mut state = MemoryState::default();
        let mut rest = entries;
        while let Some((first, after)) = rest.split_first() {
            let next = after.first().map(|entry| &entry.event.event);
            let documents = self.documents(&first.event.event);
            // Content that is lost or cannot be read is reported as such, and what follows cannot be made again without it.
            if is_kept(&first.event.event, next) && documents.is_none() {
                return None;
            }
            let documents = documents.as_ref().map(|(proposal, rules)| (proposal, rules));
            let expected = match expected_events(&state, &first.event, next, documents) {
                Ok(expected) => expected,
                Err(why) => return Some(illegal(first, &messages(&why))),
            };
            let Some((operation, later)) = rest.split_at_checked(expected.len()).filter(|(_, _)| !expected.is_empty())
            else {
                return Some(illegal(first, "the rules give other events"));
            };
            let together =
                |entry: &MemoryEntry| entry.event.at == first.event.at && entry.event.actor == first.event.actor;
            let differs =
                operation.iter().zip(&expected).find(|(entry, event)| entry.event.event != **event || !together(entry));
            if let Some((entry, _)) = differs {
                return Some(illegal(entry, "the rules give another event"));
            }
            operation.iter().for_each(|entry| state.apply(&entry.link.head(), &entry.event));
            rest = later;
        }
        None
    }

    /// The proposal of a capture and the rules that judged it, if both can be read; [`Self::stored`] reports those that
    /// cannot.
    fn documents(&self, event: &MemoryEvent) -> Option<(MemoryProposal, MemoryRules)> {
        let MemoryEvent::MemoryCaptured { content, rules, .. } = event else { return None };
        Some((self.document(content).ok()?, self.document(rules).ok()?))
    }

    /// Reports every stored document that is lost, altered or not what the log takes it for, once.
    fn stored(&self, entries: &[MemoryEntry]) -> Vec<Diagnostic> {
        let rejected = |at: usize| {
            let next = entries.get(at + 1).map(|entry| &entry.event.event);
            matches!(next, Some(MemoryEvent::MemoryRejected { .. }))
        };
        let mut named: BTreeMap<(ContentHash, StoredKind), u64> = BTreeMap::new();
        for (at, entry) in entries.iter().enumerate() {
            let MemoryEvent::MemoryCaptured { content, rules, .. } = &entry.event.event else { continue };
            named.entry((*rules, StoredKind::Rules)).or_insert(entry.link.seq);
            if !rejected(at) {
                named.entry((*content, StoredKind::Proposal)).or_insert(entry.link.seq);
            }
        }
        let read = |hash: &ContentHash, kind: StoredKind| match kind {
            StoredKind::Proposal => self.document::<MemoryProposal>(hash).map(drop),
            StoredKind::Rules => self.document::<MemoryRules>(hash).map(drop),
        };
        let unusable =
            named.iter().filter_map(|((hash, kind), seq)| read(hash, *kind).err().map(|error| (error, *seq)));
        unusable
            .flat_map(|(error, seq)| {
                let findings = within(error, &self.dir);
                findings.diagnostics().iter().map(|found| at_event(found.clone(), seq)).collect::<Vec<_>>()
            })
            .collect()
    }
}

/// What the log takes a stored document for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StoredKind {
    Proposal,
    Rules,
}

/// Checks SQLite's own pages, and the tables.
fn database(conn: &Connection) -> Result<Vec<Diagnostic>, RegistryError> {
    let mut findings = schema::differences(conn)?;
    let mut statement = conn.prepare("PRAGMA integrity_check(10)")?;
    let lines: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    findings.extend(lines.iter().filter(|line| *line != "ok").map(|line| {
        Diagnostic::error(codes::DATABASE_DAMAGED, format!("the database of the memory log is damaged: {line}"))
            .stage("memory")
            .at(Place::file(DATABASE))
            .help("restore the folder from a backup")
    }));
    Ok(findings)
}

/// Returns true for a capture whose content was stored: the checks did not reject it.
fn is_kept(event: &MemoryEvent, next: Option<&MemoryEvent>) -> bool {
    let rejected = matches!(next, Some(MemoryEvent::MemoryRejected { .. }));
    matches!(event, MemoryEvent::MemoryCaptured { .. }) && !rejected
}

fn messages(why: &[Diagnostic]) -> String {
    why.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("; ")
}

fn illegal(entry: &MemoryEntry, why: &str) -> Diagnostic {
    let (seq, name) = (entry.link.seq, entry.event.event.name());
    let message = format!("event {seq} (`{name}`) of the memory log was not allowed when it was appended: {why}");
    Diagnostic::error(codes::MEMORY_EVENT_NOT_ALLOWED, message)
        .stage("memory")
        .at(event_place(seq))
        .help("restore the folder from a backup: another program wrote to the log")
}
