//! The hand of another thread on a running sandbox.

use super::outcome::Ended;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Nothing was asked.
const GO_ON: u8 = 0;
/// It is to be cancelled.
const CANCEL: u8 = 1;
/// It is to be stopped for now.
const PARK: u8 = 2;

/// Stops a run from another thread. What was asked first counts, and it counts for every run with this control.
#[derive(Debug, Clone)]
pub struct Control(Arc<Asked>);

#[derive(Debug)]
struct Asked {
    what: AtomicU8,
    /// What wakes the run: a byte is written to the one and waits to be read from the other.
    wake: Option<(UnixStream, UnixStream)>,
}

impl Control {
    /// A control that has asked for nothing.
    pub fn new() -> Self {
        Self(Arc::new(Asked { what: AtomicU8::new(GO_ON), wake: UnixStream::pair().ok() }))
    }

    /// Ends the run as cancelled.
    pub fn cancel(&self) {
        self.ask(CANCEL);
    }

    /// Ends the run as parked: it will be run again.
    pub fn park(&self) {
        self.ask(PARK);
    }

    fn ask(&self, what: u8) {
        let first = self.0.what.compare_exchange(GO_ON, what, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if let (true, Some((write, _))) = (first, &self.0.wake) {
            // Without it the run looks at its next tick.
            let _ = (&*write).write_all(&[1]);
        }
    }

    pub(super) fn asked(&self) -> Option<Ended> {
        match self.0.what.load(Ordering::SeqCst) {
            CANCEL => Some(Ended::Cancelled),
            PARK => Some(Ended::Parked),
            _ => None,
        }
    }

    pub(super) fn wake(&self) -> Option<BorrowedFd<'_>> {
        self.0.wake.as_ref().map(|(_, read)| read.as_fd())
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}
