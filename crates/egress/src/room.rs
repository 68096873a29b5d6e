//! Room for long bodies. Bodies are held in memory as a whole, and code in the sandbox chooses how many there are at
//! once; so all but a few have to be short, and the others wait for their turn.
//!
//! Requests and answers have room of their own. A task that waits for the room of an answer may hold that of a request, and
//! never the reverse; a task that has both ends within a time limit. So no task waits for ever.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A body up to this length needs no turn.
pub(crate) const SHORT: usize = 1 << 20;

/// The room that there is.
#[derive(Debug, Clone)]
pub(crate) struct Room(Arc<Semaphore>);

/// The room that one body has.
#[derive(Debug)]
pub(crate) struct Place {
    room: Room,
    held: Option<OwnedSemaphorePermit>,
}

impl Room {
    pub(crate) fn new(long_bodies: usize) -> Self {
        // Without any turn at all a long body would wait for ever.
        Self(Arc::new(Semaphore::new(long_bodies.max(1))))
    }

    pub(crate) fn place(&self) -> Place {
        Place { room: self.clone(), held: None }
    }
}

impl Place {
    /// Waits until a body of this length may be held.
    pub(crate) async fn fits(&mut self, length: usize) {
        if length > SHORT && self.held.is_none() {
            // It fails only for a semaphore that was closed, and this one never is.
            self.held = self.room.0.clone().acquire_owned().await.ok();
        }
    }
}
