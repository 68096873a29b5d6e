//! A memory of answers, so that none is computed twice.
//!
//! A question is a target and a value. A schema that refers to itself in several ways asks the same question
//! repeatedly, and without a memory the work doubles with every level.

use deed_diag::Invariant;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The addresses of a target and of a value.
type Question = (usize, usize);

/// The number of questions behind an answer from which it is kept; a cheaper answer is computed again.
const WORTH_KEEPING: u64 = 16;
/// The mark of an answer that assumes nothing.
const NOTHING: usize = usize::MAX;

#[derive(Default)]
struct State {
    under_way: Vec<Frame>,
    /// Answers, and the lowest question under way whose answer each of them assumes.
    answers: HashMap<Question, (bool, usize), BuildHasherDefault<AddressHasher>>,
    asked: u64,
    sittings: usize,
}

/// A hash of addresses. An attacker does not choose them, so nothing stronger is needed.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_usize(usize::from(*byte)));
    }

    fn write_usize(&mut self, number: usize) {
        self.0 = (self.0.rotate_left(23) ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

/// A question that is under way.
struct Frame {
    question: Question,
    asked_before: u64,
    /// The lowest question under way whose answer was assumed.
    granted: usize,
    /// Answers that assume the answer of a question that is still under way.
    open: Vec<Question>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Keeps answers while `work` runs. Values must not move meanwhile.
pub(crate) fn remembering<T>(work: impl FnOnce() -> T) -> T {
    let _sitting = Sitting::begin();
    work()
}

struct Sitting;

impl Sitting {
    fn begin() -> Self {
        STATE.with_borrow_mut(|state| state.sittings += 1);
        Self
    }
}

impl Drop for Sitting {
    fn drop(&mut self) {
        STATE.with_borrow_mut(|state| {
            state.sittings = state.sittings.saturating_sub(1);
            if state.sittings == 0 {
                state.answers.clear();
            }
        });
    }
}

/// Answers a question, from memory if it was answered before. A question that is under way already is assumed to be
/// true: a schema that only refers to itself allows everything.
pub(super) fn ask(target: usize, value: &Value, work: impl FnOnce() -> bool) -> bool {
    let question = (target, std::ptr::from_ref(value).addr());
    // The name of a key is a value made for the question, whose address is used again.
    let keeps = value.is_object() || value.is_array();
    if let Some(answer) = STATE.with_borrow_mut(|state| state.begin(question, keeps)) {
        return answer;
    }
    let mut asking = Asking { answer: None };
    let answer = work();
    asking.answer = Some((answer, keeps));
    answer
}

/// A question that is under way as long as this lives.
struct Asking {
    answer: Option<(bool, bool)>,
}

impl Drop for Asking {
    fn drop(&mut self) {
        STATE.with_borrow_mut(|state| state.end(self.answer));
    }
}

impl State {
    /// Returns the answer if it is known; otherwise the question is under way from now on.
    fn begin(&mut self, question: Question, keeps: bool) -> Option<bool> {
        self.asked += 1;
        // A question can only repeat one of the last ones, about the same value.
        let last = self.under_way.len();
        let same_value = self.under_way.iter().enumerate().rev().take_while(|(_, f)| f.question.1 == question.1);
        let under_way = same_value.into_iter().find(|(_, frame)| frame.question == question).map(|(at, _)| at);
        let known = under_way.map(|at| (true, at));
        let remembers = keeps && !self.answers.is_empty();
        let known = known.or_else(|| if remembers { self.answers.get(&question).copied() } else { None });
        if let Some((answer, granted)) = known {
            if let Some(frame) = last.checked_sub(1).and_then(|last| self.under_way.get_mut(last)) {
                frame.granted = frame.granted.min(granted);
            }
            return Some(answer);
        }
        self.under_way.push(Frame { question, asked_before: self.asked, granted: NOTHING, open: Vec::new() });
        None
    }

    fn end(&mut self, answer: Option<(bool, bool)>) {
        let frame = self.under_way.pop().invariant("a question that ends was begun");
        let at = self.under_way.len();
        // Without an answer the work panicked: there is nothing to keep.
        let Some((answer, keeps)) = answer else { return };
        let keeps = keeps && self.sittings > 0 && self.asked - frame.asked_before >= WORTH_KEEPING;
        if frame.granted >= at {
            // Answers that assumed this one are confirmed, or must be computed again.
            for question in frame.open {
                if !answer {
                    self.answers.remove(&question);
                } else if let Some(kept) = self.answers.get_mut(&question) {
                    kept.1 = NOTHING;
                }
            }
            if keeps {
                self.answers.insert(frame.question, (answer, NOTHING));
            }
            return;
        }
        let mut open = frame.open;
        if keeps {
            self.answers.insert(frame.question, (answer, frame.granted));
            open.push(frame.question);
        }
        if let Some(above) = self.under_way.last_mut() {
            above.granted = above.granted.min(frame.granted);
            above.open.extend(open);
        }
    }
}
