//! The output quota: the folders are walked repeatedly, less often the longer a walk takes.

use super::outcome::Quota;
use super::unlinked;
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

/// The pause after a walk, as a multiple of its time.
const PAUSE: u32 = 10;

/// Disk space that a file may take beyond its length before it counts.
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

    /// The time of the next walk.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Walks the folders and returns the exceeded quota. Unlinked files that these processes hold count too.
    pub(super) fn walk(&mut self, processes: &[u32]) -> Option<Quota> {
        let begun = Instant::now();
        let mut count = Count { bytes: unlinked::held_bytes(processes, self.folders), files: 0, limits: self.limits };
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
    /// Counts a folder without following links, and stops as soon as a quota is exceeded.
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
