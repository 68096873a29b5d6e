//! The limits of a run.

use std::time::Duration;

/// Limits of one run. The defaults fit a small step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IsolateLimits {
    /// Bytes of source.
    pub source: usize,
    /// Bytes of the script's heap, what the engine itself needs (about 300 KiB) included.
    pub memory: usize,
    /// Bytes of the script's stack; more than 8 MiB is refused.
    pub stack: usize,
    /// Calls and jumps, one or two for each turn of a loop, counted in steps of [`IsolateLimits::OPERATIONS_STEP`].
    pub operations: u64,
    /// The wall-clock timeout, after which the script is stopped.
    pub wall: Duration,
    /// The time after that until the script is abandoned.
    pub grace: Duration,
    /// Bytes of all outputs together.
    pub output: usize,
    /// Bytes of all log lines together; the rest is cut, with a note.
    pub log: usize,
}

impl IsolateLimits {
    /// The engine counts in steps of this many operations.
    pub const OPERATIONS_STEP: u64 = 10_000;
    /// The largest allowed stack.
    pub const LARGEST_STACK: usize = 8 << 20;
}

impl Default for IsolateLimits {
    fn default() -> Self {
        Self {
            source: 64 << 10,
            memory: 64 << 20,
            stack: 512 << 10,
            operations: 100_000_000,
            wall: Duration::from_secs(20),
            grace: Duration::from_secs(2),
            output: 16 << 20,
            log: 64 << 10,
        }
    }
}
