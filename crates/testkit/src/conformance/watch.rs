//! An observer of a run of this process, which records its events.

use crate::conformance::process::TIMEOUT;
use deed_model::RunEvent;
use deed_ports::Observer;
use std::sync::{Arc, Condvar, Mutex};

/// The recorded events.
#[derive(Default)]
pub(crate) struct Watch {
    heard: Mutex<Vec<RunEvent>>,
    news: Condvar,
}

impl Watch {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn heard(&self) -> Vec<RunEvent> {
        self.heard.lock().unwrap().clone()
    }

    /// Waits for an event.
    #[track_caller]
    pub(crate) fn until(&self, wanted: impl Fn(&RunEvent) -> bool) {
        let heard = self.heard.lock().unwrap();
        let (heard, late) = self.news.wait_timeout_while(heard, TIMEOUT, |heard| !heard.iter().any(&wanted)).unwrap();
        assert!(!late.timed_out(), "{heard:?}");
    }
}

impl Observer for Watch {
    fn happened(&self, event: &RunEvent) {
        self.heard.lock().unwrap().push(event.clone());
        self.news.notify_all();
    }
}
