//! What a process of a case is told to do, and what it says while it does it: a line of JSON for each thing.
//!
//! It opens the engine, says that it is ready, waits for a line, does its task, says what came of it, and stays until its
//! input ends. So several can be sent off together, and one can be killed that has nothing left to do.

use crate::conformance::Candidate;
use crate::conformance::refusal::word;
use deed_model::{RunEvent, RunOutcome, RunRequest, SignedApproval};
use deed_ports::{Created, EngineError, Observer, Standing};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The variable that makes a program of the suite one of its processes.
pub(crate) const VARIABLE: &str = "DEED_CONFORMANCE_TASK";

/// A task in a workspace.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) workspace: PathBuf,
    pub(crate) task: Task,
}

/// What is to be done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Task {
    Submit {
        request: Box<RunRequest>,
    },
    Drive {
        run_id: String,
        /// The event, counted from 0, at which the process stands still until it is killed.
        stop_at: Option<usize>,
    },
    Decide {
        run_id: String,
        signed: Box<SignedApproval>,
    },
}

/// What a process says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Told {
    /// The engine is open, and nothing is done yet.
    Ready,
    /// The observer heard of an event.
    Happened(Box<RunEvent>),
    /// The run was taken in; whether it is new.
    Submitted { new: bool },
    /// The run was driven, and can go on.
    Running,
    /// The run was driven, and waits at gates.
    Waiting(Vec<String>),
    /// The run was driven, and ended.
    Ended(RunOutcome),
    /// The decision was taken in.
    Decided,
    /// It was refused.
    Refused(String),
}

/// Does the task that this process was given; false if it was given none.
pub(crate) fn given(candidate: &dyn Candidate) -> bool {
    let Ok(order) = std::env::var(VARIABLE) else { return false };
    let order: Order = serde_json::from_str(&order).unwrap();
    let engine = candidate.open(&order.workspace);
    say(&Told::Ready);
    std::io::stdin().lock().read_line(&mut String::new()).unwrap();
    let result = match order.task {
        Task::Submit { request } => {
            engine.submit(&request).map(|created| Told::Submitted { new: created == Created::New })
        }
        Task::Drive { run_id, stop_at } => engine.drive(&run_id, Arc::new(Teller::new(stop_at))).map(stands),
        Task::Decide { run_id, signed } => engine.decide(&run_id, *signed).map(|()| Told::Decided),
    };
    say(&result.unwrap_or_else(|error: EngineError| Told::Refused(word(&error))));
    // Whoever started it lets it go, or kills it.
    let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    true
}

fn say(told: &Told) {
    let line = serde_json::to_string(told).unwrap();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).unwrap();
}

fn stands(standing: Standing) -> Told {
    match standing {
        Standing::Running => Told::Running,
        Standing::Waiting(asked) => Told::Waiting(asked.into_iter().map(|subject| subject.gate_id).collect()),
        Standing::Ended(outcome) => Told::Ended(outcome),
    }
}

/// Says what happens, up to a point.
struct Teller {
    heard: AtomicUsize,
    stop_at: Option<usize>,
}

impl Teller {
    fn new(stop_at: Option<usize>) -> Self {
        Self { heard: AtomicUsize::new(0), stop_at }
    }
}

impl Observer for Teller {
    fn happened(&self, event: &RunEvent) {
        let nth = self.heard.fetch_add(1, Ordering::SeqCst);
        say(&Told::Happened(Box::new(event.clone())));
        while self.stop_at.is_some_and(|last| nth >= last) {
            std::thread::park();
        }
    }
}
