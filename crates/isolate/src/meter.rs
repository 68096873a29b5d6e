//! Counts the operations of the engine and decides when to stop.
//!
//! The engine asks after every ten thousand calls and jumps. A decision to stop is final. To stop the script the engine
//! must create an error object, which fails if the heap is full, and the script would continue: so some of the heap is
//! reserved and released at that moment.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rquickjs::{ArrayBuffer, Persistent};

use crate::error::Timeout;
use crate::limits::IsolateLimits;

/// The size of the reserve of the heap.
pub(crate) const RESERVE: usize = 32 << 10;

/// The meter of one run.
pub(crate) struct Meter {
    ticks: Cell<u64>,
    budget: u64,
    time_is_up: Arc<AtomicBool>,
    stopped: Cell<Option<Timeout>>,
    reserve: RefCell<Option<Persistent<ArrayBuffer<'static>>>>,
}

impl Meter {
    /// A meter for `operations`, which also stops when the flag is raised.
    pub(crate) fn new(operations: u64, time_is_up: Arc<AtomicBool>) -> Self {
        Self {
            ticks: Cell::new(0),
            budget: operations.div_ceil(IsolateLimits::OPERATIONS_STEP),
            time_is_up,
            stopped: Cell::new(None),
            reserve: RefCell::new(None),
        }
    }

    /// Keeps `reserve` until the script is stopped.
    pub(crate) fn keep(&self, reserve: Persistent<ArrayBuffer<'static>>) {
        self.reserve.replace(Some(reserve));
    }

    /// Releases the reserve, which must happen before the engine is dropped.
    pub(crate) fn release(&self) {
        drop(self.reserve.take());
    }

    /// Counts one step; returns `true` to stop the script.
    pub(crate) fn tick(&self) -> bool {
        if self.stopped.get().is_some() {
            return true;
        }
        self.ticks.set(self.ticks.get().saturating_add(1));
        if self.ticks.get() > self.budget {
            self.stopped.set(Some(Timeout::Operations));
        } else if self.time_is_up.load(Ordering::Relaxed) {
            self.stopped.set(Some(Timeout::Wall));
        }
        let stop = self.stopped.get().is_some();
        if stop {
            self.release();
        }
        stop
    }

    /// The limit that stopped the script, if one did.
    pub(crate) fn stopped(&self) -> Option<Timeout> {
        self.stopped.get()
    }

    /// The operations so far, in whole steps.
    pub(crate) fn operations(&self) -> u64 {
        self.ticks.get().saturating_mul(IsolateLimits::OPERATIONS_STEP)
    }
}
