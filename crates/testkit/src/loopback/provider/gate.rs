//! A gate that requests wait at until enough of them are there, so that a test sees how many come at once.

use std::sync::{Condvar, Mutex};

/// The gate of a server.
#[derive(Debug)]
pub(super) struct Gate {
    together: u64,
    last: u64,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct State {
    come: u64,
    waiting: u64,
    most: u64,
    open_to: u64,
}

impl Gate {
    /// A gate that opens when so many wait, and for the last of all.
    pub(super) fn new(together: u64, last: u64) -> Self {
        Self { together, last, state: Mutex::default(), moved: Condvar::new() }
    }

    /// Waits until the gate opens.
    pub(super) fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.come += 1;
        state.waiting += 1;
        state.most = state.most.max(state.waiting);
        let number = state.come;
        if state.waiting >= self.together || number >= self.last {
            state.open_to = number;
            self.moved.notify_all();
        }
        while number > state.open_to {
            state = self.moved.wait(state).unwrap();
        }
        state.waiting -= 1;
    }

    /// The most that waited at once.
    pub(super) fn most(&self) -> u64 {
        self.state.lock().unwrap().most
    }
}
