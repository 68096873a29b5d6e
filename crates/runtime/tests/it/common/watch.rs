//! An observer that remembers events, and acts on them.

use deed_model::RunEvent;
use deed_ports::Observer;
use std::sync::{Arc, Mutex};

type Work = dyn Fn(&RunEvent) + Send + Sync;

#[derive(Default)]
pub struct Watch {
    seen: Mutex<Vec<RunEvent>>,
    work: Option<Box<Work>>,
}

impl Watch {
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    pub fn doing(work: impl Fn(&RunEvent) + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { seen: Mutex::default(), work: Some(Box::new(work)) })
    }

    pub fn seen(&self) -> Vec<RunEvent> {
        self.seen.lock().unwrap().clone()
    }
}

impl Observer for Watch {
    fn happened(&self, event: &RunEvent) {
        self.seen.lock().unwrap().push(event.clone());
        if let Some(work) = &self.work {
            work(event);
        }
    }
}
