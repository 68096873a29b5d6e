//! How a store of runs is opened.

use crate::sqlite::{Durability, PATIENCE, Tuning};
use crate::steps::Steps;
use std::io;
use std::time::Duration;

/// How long ordered appends wait for a durable one that takes them along.
const LINGER: Duration = Duration::from_millis(5);

/// How a store of runs is opened. Production code takes the default; tests loosen or break things.
#[doc(hidden)]
#[derive(Debug)]
pub struct RunStoreOptions {
    /// True if a commit waits for the disk.
    pub durability: Durability,
    /// How long to wait for another writer.
    pub busy_timeout: Duration,
    /// A limit on the database's size, to make it full.
    pub max_pages: Option<u32>,
    /// How long ordered appends wait for a durable one that takes them along.
    pub linger: Duration,
    pub(crate) steps: Steps,
}

impl Default for RunStoreOptions {
    fn default() -> Self {
        let (durability, busy_timeout) = (Durability::Full, PATIENCE);
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
