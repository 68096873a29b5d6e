//! Questions that are under way and answers that were given, so that none is worked out twice.
//!
//! A question is which target, about which value. A schema that refers to itself several ways over asks the same
//! question again and again, and without a memory the work doubles with every level.

use deed_diag::Invariant;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Which target, about which value.
type Question = (usize, usize);

/// An answer is kept if so many questions were asked for it; a cheaper one is worked out again.
const WORTH_KEEPING: u64 = 16;
/// Nothing was taken for granted.
const NOTHING: usize = usize::MAX;

#[derive(Default)]
struct State {
    under_way: Vec<Frame>,
    /// Answers, and the lowest question under way that each takes for granted.
    answers: HashMap<Question, (bool, usize), BuildHasherDefault<Mixed>>,
    asked: u64,
    sittings: usize,
}

/// Addresses mixed into a number. Nobody chooses where values lie, so nothing stronger is needed.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
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
    /// The lowest question under way whose answer was taken for granted.
    granted: usize,
    /// Answers that take something for granted that is still under way.
    open: Vec<Question>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Keeps answers while something is done. Values must stay where they are as long as it lasts.
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

/// Answers a question, from memory if it was answered before. A question that is under way already asks for no more:
/// a schema that refers to itself alone allows everything.
pub(super) fn ask(target: usize, value: &Value, work: impl FnOnce() -> bool) -> bool {
    let question = (target, std::ptr::from_ref(value).addr());
    // Only what has parts stays where it is: the name of a key is made for the question.
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
    /// The answer, if there is one; otherwise the question is under way.
    fn begin(&mut self, question: Question, keeps: bool) -> Option<bool> {
        self.asked += 1;
        // A question repeats itself, if ever, within the few about the same value, which stand last.
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
            // What took this very answer for granted was right to, or must be asked again.
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
