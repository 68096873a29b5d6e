//! Options for opening a store of runs.

use crate::sqlite::{BUSY_TIMEOUT, Durability, Tuning};
use crate::steps::Steps;
use std::io;
use std::time::Duration;

/// The time that ordered appends wait to be committed together with a durable one.
const LINGER: Duration = Duration::from_millis(5);

/// Options for opening a store of runs. Production code uses the default; tests relax or break things.
#[doc(hidden)]
#[derive(Debug)]
pub struct RunStoreOptions {
    /// The durability of a commit.
    pub durability: Durability,
    /// The time to wait for another writer.
    pub busy_timeout: Duration,
    /// The maximum size of the database in pages, to simulate a full disk.
    pub max_pages: Option<u32>,
    /// The time that ordered appends wait to be committed together with a durable one.
    pub linger: Duration,
    pub(crate) steps: Steps,
}

impl Default for RunStoreOptions {
    fn default() -> Self {
        let (durability, busy_timeout) = (Durability::Full, BUSY_TIMEOUT);
        Self { durability, busy_timeout, max_pages: None, linger: LINGER, steps: Steps::none() }
    }
}

impl RunStoreOptions {
    /// Calls `hook` before each durable step; an error that it returns fails the step.
    #[doc(hidden)]
    #[must_use]
    pub fn with_steps(mut self, hook: impl Fn(&'static str) -> io::Result<()> + Send + Sync + 'static) -> Self {
        self.steps = Steps::hook(hook);
        self
    }

    pub(super) fn tuning(&self) -> Tuning {
        Tuning { durability: self.durability, busy_timeout: self.busy_timeout, max_pages: self.max_pages }
    }
}
