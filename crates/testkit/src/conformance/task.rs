//! The task of a process of a case, and its messages: a line of JSON each.
//!
//! It opens the engine, reports that it is ready, waits for a line, does its task, reports the result, and stays until its
//! input ends. So several can be started together, and one that is finished can still be killed.

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

/// The task of a process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Task {
    Submit {
        request: Box<RunRequest>,
    },
    Drive {
        run_id: String,
        /// The event, counted from 0, at which the process stops until it is killed.
        stop_at: Option<usize>,
    },
    Decide {
        run_id: String,
        signed: Box<SignedApproval>,
    },
}

/// A message of a process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The engine is open, and nothing is done yet.
    Ready,
    /// The observer received an event.
    Happened(Box<RunEvent>),
    /// The run was submitted.
    Submitted { new: bool },
    /// The run was driven, and can continue.
    Running,
    /// The run was driven, and waits at gates.
    Waiting(Vec<String>),
    /// The run was driven, and ended.
    Ended(RunOutcome),
    /// The decision was accepted.
    Decided,
    /// It was refused.
    Refused(String),
}

/// Does the task of this process; returns false if it has none.
pub(crate) fn run_task(candidate: &dyn Candidate) -> bool {
    let Ok(order) = std::env::var(VARIABLE) else { return false };
    let order: Order = serde_json::from_str(&order).unwrap();
    let engine = candidate.open(&order.workspace);
    send(&Message::Ready);
    std::io::stdin().lock().read_line(&mut String::new()).unwrap();
    let result = match order.task {
        Task::Submit { request } => {
            engine.submit(&request).map(|created| Message::Submitted { new: created == Created::New })
        }
        Task::Drive { run_id, stop_at } => engine.drive(&run_id, Arc::new(Reporter::new(stop_at))).map(outcome_of),
        Task::Decide { run_id, signed } => engine.decide(&run_id, *signed).map(|()| Message::Decided),
    };
    send(&result.unwrap_or_else(|error: EngineError| Message::Refused(word(&error))));
    // The case closes the input, or kills the process.
    let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    true
}

fn send(message: &Message) {
    let line = serde_json::to_string(message).unwrap();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).unwrap();
}

fn outcome_of(standing: Standing) -> Message {
    match standing {
        Standing::Running => Message::Running,
        Standing::Waiting(asked) => Message::Waiting(asked.into_iter().map(|subject| subject.gate_id).collect()),
        Standing::Ended(outcome) => Message::Ended(outcome),
    }
}

/// Reports events, and stops at a given one.
struct Reporter {
    heard: AtomicUsize,
    stop_at: Option<usize>,
}

impl Reporter {
    fn new(stop_at: Option<usize>) -> Self {
        Self { heard: AtomicUsize::new(0), stop_at }
    }
}

impl Observer for Reporter {
    fn happened(&self, event: &RunEvent) {
        let nth = self.heard.fetch_add(1, Ordering::SeqCst);
        send(&Message::Happened(Box::new(event.clone())));
        while self.stop_at.is_some_and(|last| nth >= last) {
            std::thread::park();
        }
    }
}
