//! Stops a running sandbox from another thread.

use super::outcome::Ended;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// No request.
const NO_REQUEST: u8 = 0;
/// A request to cancel.
const CANCEL: u8 = 1;
/// A request to park.
const PARK: u8 = 2;

/// Stops a run from another thread. The first request counts, for every run with this control.
#[derive(Debug, Clone)]
pub struct Control(Arc<StopRequest>);

#[derive(Debug)]
struct StopRequest {
    what: AtomicU8,
    /// The sockets that wake the run: a byte is written to one and waits to be read from the other.
    wake: Option<(UnixStream, UnixStream)>,
}

impl Control {
    /// A control without a request.
    pub fn new() -> Self {
        Self(Arc::new(StopRequest { what: AtomicU8::new(NO_REQUEST), wake: UnixStream::pair().ok() }))
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
        let first = self.0.what.compare_exchange(NO_REQUEST, what, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if let (true, Some((write, _))) = (first, &self.0.wake) {
            // Without it the run sees the request at its next tick.
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
