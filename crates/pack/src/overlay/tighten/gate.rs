//! A number in the predicate of a gate or a guardrail.

use super::Strictness;
use super::truth::{Move, Step, Truth};
use deed_logic::Mode;
use serde_json::{Number, Value};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Judges a change of one number of a `when`. Such a predicate is strict, and an error counts as active.
pub(crate) fn activation(when: &Value, pointer: &str, to: &Number) -> Strictness {
    let moved = Move { predicate: when, mode: Mode::Strict, pointer };
    let Some(way) = moved.way(to) else {
        return Strictness::Unproven("there is no number at that place".to_owned());
    };
    if way == Ordering::Equal {
        return Strictness::Same;
    }
    match (moved.steps(way), moved.steps(way.reverse())) {
        (Ok(steps), _) if stays_active(&steps) => {
            Strictness::Tighter("it can only be active more often than before".to_owned())
        }
        (Ok(_), Ok(back)) if stays_active(&back) => {
            let verb = if way == Ordering::Less { "raised" } else { "lowered" };
            Strictness::Looser(format!("it may only be {verb}: the other way it would be active less often"))
        }
        (Ok(_), _) => {
            let why = "a part after the number can fail, which counts as active, and moving the number can skip it";
            Strictness::Unproven(why.to_owned())
        }
        (Err(reason), _) => Strictness::Unproven(reason),
    }
}

fn stays_active(steps: &BTreeSet<Step>) -> bool {
    let active = |truth: Truth| truth != Truth::Fails;
    steps.iter().all(|(before, after)| !active(*before) || active(*after))
}
