//! How much was written: the folders are walked again and again, the more seldom the longer it takes.

use super::gone;
use super::outcome::Quota;
use deed_model::SandboxLimits;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The shortest time between two walks.
const OFTEN: Duration = Duration::from_millis(25);

/// The longest.
const SELDOM: Duration = Duration::from_millis(500);

/// How many times as long as a walk the pause after it is.
const PAUSE: u32 = 10;

/// Room that a file may take beyond its length before that counts.
const SLACK: u64 = 64 << 10;

/// A walk over the folders.
pub(super) struct Walk<'a> {
    folders: &'a [PathBuf],
    limits: &'a SandboxLimits,
    next: Instant,
}

impl<'a> Walk<'a> {
    pub(super) fn new(folders: &'a [PathBuf], limits: &'a SandboxLimits) -> Self {
        Self { folders, limits, next: Instant::now() + OFTEN }
    }

    /// When it is due.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Walks, and says what there is too much of. What these processes hold without a name counts too.
    pub(super) fn walk(&mut self, processes: &[u32]) -> Option<Quota> {
        let begun = Instant::now();
        let mut count = Count { bytes: gone::held(processes, self.folders), files: 0, limits: self.limits };
        let held = (count.bytes > self.limits.output_bytes).then_some(Quota::Bytes);
        let over = held.or_else(|| self.folders.iter().find_map(|folder| count.folder(folder)));
        let pause = (begun.elapsed() * PAUSE).clamp(OFTEN, SELDOM);
        self.next = Instant::now() + pause;
        over
    }
}

struct Count<'a> {
    bytes: u64,
    files: u64,
    limits: &'a SandboxLimits,
}

impl Count<'_> {
    /// Goes through a folder without following links, and stops as soon as there is too much.
    fn folder(&mut self, path: &Path) -> Option<Quota> {
        let mut open = vec![path.to_owned()];
        while let Some(folder) = open.pop() {
            let entries = match fs::read_dir(folder) {
                Ok(entries) => entries,
                // A folder that vanishes meanwhile has nothing to count.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                // A folder that is closed to us, or too deep to be named, could contain anything.
                Err(_) => return Some(Quota::Unseen),
            };
            for entry in entries {
                let facts = match entry.and_then(|entry| entry.metadata().map(|facts| (entry, facts))) {
                    Ok(facts) => facts,
                    Err(error) if error.kind() == ErrorKind::NotFound => continue,
                    Err(_) => return Some(Quota::Unseen),
                };
                let (entry, facts) = facts;
                self.files += 1;
                let room = facts.blocks().saturating_mul(512);
                self.bytes += if room > facts.len().saturating_add(SLACK) { room } else { facts.len() };
                if facts.is_dir() {
                    self.bytes = self.bytes.saturating_sub(facts.len());
                    open.push(entry.path());
                }
                if self.files > self.limits.output_files {
                    return Some(Quota::Files);
                }
                if self.bytes > self.limits.output_bytes {
                    return Some(Quota::Bytes);
                }
            }
        }
        None
    }
}
