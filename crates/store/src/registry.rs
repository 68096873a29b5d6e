//! The registry and its two kinds of transaction: a read sees a snapshot, a write is checked and appended at once.

use crate::blobs::Blobs;
use crate::error::RegistryError;
use crate::log::{Log, VerifiedVersion};
use crate::steps::Steps;
use deed_canon::ChainHead;
use deed_model::AuditEvent;
use deed_pack::{AUDIT_FORMAT, Transition};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tracing::debug_span;

/// An open registry. Each thread or process opens its own.
#[derive(Debug)]
pub struct Registry {
    dir: PathBuf,
    conn: Connection,
    pub(crate) blobs: Blobs,
    walked: VerifiedVersion,
    steps: Steps,
}

/// The time and the actor of an operation, as the caller states them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The time, as RFC 3339 in UTC.
    pub at: String,
    /// The actor.
    pub actor: String,
    /// The instant at which the operation began, if the time that it takes is recorded.
    pub began: Option<Instant>,
}

/// The outcome of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// An event was appended; this is the new end of the log.
    Recorded(ChainHead),
    /// The same transition was recorded before; nothing was appended.
    AlreadyDone,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Recorded(head) => write!(f, "recorded as event {}", head.seq),
            Self::AlreadyDone => f.write_str("nothing to do: the same was recorded before"),
        }
    }
}

/// An allowed transition, and the bytes that must be on disk before it is recorded.
pub(crate) struct Plan {
    pub(crate) transition: Transition,
    pub(crate) bytes: Vec<Vec<u8>>,
}

impl Registry {
    pub(crate) fn new(dir: &Path, conn: Connection, blobs: Blobs, steps: Steps) -> Self {
        Self { dir: dir.to_owned(), conn, blobs, walked: VerifiedVersion::default(), steps }
    }

    /// The registry's folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Reads a snapshot: concurrent writes are not seen.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, RegistryError>,
    ) -> Result<T, RegistryError> {
        let run = || {
            let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Deferred)?;
            read(&tx)
        };
        run().map_err(|e: RegistryError| e.within(&self.dir))
    }

    /// Reads a snapshot of the log, after its chain was verified.
    pub(crate) fn read_log<T>(
        &self,
        read: impl FnOnce(&Log<'_>) -> Result<T, RegistryError>,
    ) -> Result<T, RegistryError> {
        self.read(|conn| read(&Log::open(conn, &self.walked)?))
    }

    /// Reads, checks and appends under the write lock. If anything fails, nothing was recorded.
    pub(crate) fn write(
        &self,
        stamp: &Stamp,
        plan: impl FnOnce(&Log<'_>) -> Result<Plan, RegistryError>,
    ) -> Result<Outcome, RegistryError> {
        let _transaction = debug_span!("transaction", registry = %self.dir.display(), actor = stamp.actor).entered();
        let run = || {
            let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
            let log = Log::open(&tx, &self.walked)?;
            let Plan { transition, bytes } = plan(&log)?;
            self.blobs.sweep()?;
            for bytes in bytes {
                self.blobs.put(&bytes, &self.steps)?;
            }
            let Transition::Append(event) = transition else { return Ok(Outcome::AlreadyDone) };
            let (at, actor) = (stamp.at.clone(), stamp.actor.clone());
            let event = AuditEvent { format: AUDIT_FORMAT, at, actor, event: *event };
            let head = log.append(&event, &self.steps)?;
            self.steps.before("commit")?;
            tx.commit()?;
            Ok(Outcome::Recorded(head))
        };
        run().map_err(|e: RegistryError| e.within(&self.dir))
    }
}

impl Plan {
    /// A transition without bytes.
    pub(crate) fn bare(transition: Transition) -> Self {
        Self { transition, bytes: Vec::new() }
    }
}
