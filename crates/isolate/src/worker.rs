//! A thread for each run: a stack of known size, and a caller that can stop waiting.
//!
//! A script that the engine does not stop is abandoned: its thread cannot be ended from outside, so it is counted,
//! and with too many of them further runs are refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;

use crate::engine;
use crate::error::{IsolateError, Timeout};
use crate::limits::IsolateLimits;
use crate::run::{IsolateFailure, IsolateOutput};
use crate::step::Step;

/// The number of abandoned scripts that may still run before further runs are refused.
pub const MAX_ABANDONED: usize = 4;

/// Stack for the engine's C frames beyond the last check of the script's stack.
const SLACK: usize = 1 << 20;

static ABANDONED: AtomicUsize = AtomicUsize::new(0);

/// Returns the number of abandoned scripts that still run in this process.
pub fn abandoned() -> usize {
    ABANDONED.load(Ordering::SeqCst)
}

/// The result of a run.
type Answer = Result<IsolateOutput, IsolateFailure>;

/// Runs the step on its own thread and waits.
pub(crate) fn run(step: Step) -> Answer {
    let threads = abandoned();
    if threads >= MAX_ABANDONED {
        return Err(IsolateError::Crowded { threads }.into());
    }
    let limits = step.limits.clone();
    let time_is_up = Arc::new(AtomicBool::new(false));
    let either_left = Arc::new(AtomicBool::new(false));
    let (answer, answers) = mpsc::sync_channel(1);
    let (flag, left) = (Arc::clone(&time_is_up), Arc::clone(&either_left));
    let work = move || {
        let _guard = ThreadGuard(left);
        // The caller may have stopped waiting.
        let _ = answer.send(engine::execute(&step, flag));
    };
    let builder = thread::Builder::new().name("deed-isolate".to_owned()).stack_size(limits.stack + SLACK);
    let thread = builder.spawn(work).map_err(|error| IsolateError::Engine { why: error.to_string() })?;
    match wait(&answers, &limits, &time_is_up) {
        Some(answer) => {
            // A panic has already become an answer; the thread is ending.
            let _ = thread.join();
            answer
        }
        None => {
            give_up(&either_left);
            Err(IsolateError::OutOfTime(Timeout::Abandoned).into())
        }
    }
}

/// Uncounts an abandoned thread once it ends, also by a panic.
struct ThreadGuard(Arc<AtomicBool>);

impl Drop for ThreadGuard {
    fn drop(&mut self) {
        if self.0.swap(true, Ordering::SeqCst) {
            ABANDONED.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Waits for the answer, stops the script, waits again; `None` if it never answers.
fn wait(answers: &Receiver<Answer>, limits: &IsolateLimits, time_is_up: &AtomicBool) -> Option<Answer> {
    match answers.recv_timeout(limits.wall) {
        Err(RecvTimeoutError::Timeout) => {}
        other => return Some(other.unwrap_or_else(|_| Err(no_answer()))),
    }
    time_is_up.store(true, Ordering::Relaxed);
    match answers.recv_timeout(limits.grace) {
        Err(RecvTimeoutError::Timeout) => None,
        other => Some(other.unwrap_or_else(|_| Err(no_answer()))),
    }
}

/// Counts the thread, unless it has just ended. Counted first, so that the count is never below zero.
fn give_up(either_left: &AtomicBool) {
    ABANDONED.fetch_add(1, Ordering::SeqCst);
    if either_left.swap(true, Ordering::SeqCst) {
        ABANDONED.fetch_sub(1, Ordering::SeqCst);
    }
}

fn no_answer() -> IsolateFailure {
    IsolateError::Engine { why: "its thread ended without an answer".to_owned() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_panics_has_an_answer_and_is_not_counted() {
        let (answer, answers) = mpsc::sync_channel::<Answer>(1);
        let either_left = Arc::new(AtomicBool::new(false));
        let left = Arc::clone(&either_left);
        let panics = thread::spawn(move || {
            let (_guard, _answer) = (ThreadGuard(left), answer);
            panic!("the engine fell over");
        });
        let answer = wait(&answers, &IsolateLimits::default(), &AtomicBool::new(false));
        assert!(matches!(answer, Some(Err(IsolateFailure { error: IsolateError::Engine { .. }, .. }))), "{answer:?}");
        assert!(panics.join().is_err());
        let before = abandoned();
        give_up(&either_left);
        assert_eq!(abandoned(), before);
    }
}
