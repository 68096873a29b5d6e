//! The process dies at the worst instant: the other side has done what it was asked to do, and the answer is lost.

use super::left;
use super::shape::{Repeat, Shape};
use super::yard::{APPROVED, Yard, submitting};

/// Two steps, `s02` and `s03`: the second call of `s03` goes through the proxy.
fn yard(repeat: Repeat) -> Yard {
    Yard::new(Shape { repeat, ..Shape::of(3) })
}

/// Kills a run while one of its requests waits for the answer.
fn killed_at(yard: &Yard, run: &str, what: &str) {
    let held = yard.effects.hold(what);
    let mut child = yard.start(&submitting(run), APPROVED);
    held.arrived();
    child.kill().unwrap();
    child.wait().unwrap();
    left::no_code(&yard.folder(), what);
}

#[test]
fn a_lost_answer_is_asked_for_again_with_the_same_key() {
    let yard = yard(Repeat::ByKey);
    let files = yard.undisturbed("undisturbed");
    for what in ["s02 0", "s02 1", "s03 0", "s03 1"] {
        let run = what.replace(' ', "-");
        killed_at(&yard, &run, what);
        yard.finish(&run);
        // At least that one; another that was under way in the other step may have been sent again, too.
        assert!(yard.ended_well(&run, &files) >= 1, "{what}");
    }
}

#[test]
fn a_call_that_is_lost_again_and_again_is_paid_for_once() {
    let yard = yard(Repeat::ByKey);
    let files = yard.undisturbed("undisturbed");
    killed_at(&yard, "run", "s03 1");
    for _ in 0..3 {
        killed_at(&yard, "run", "s03 1");
    }
    yard.finish("run");
    assert!(yard.ended_well("run", &files) >= 4);
}

#[test]
fn without_keys_nothing_is_sent_twice_and_a_person_looks() {
    let yard = yard(Repeat::Never);
    for what in ["s02 1", "s03 1"] {
        let run = what.replace(' ', "-");
        killed_at(&yard, &run, what);
        let status = yard.start(&["runs", "resume", &run], APPROVED).wait().unwrap();
        assert_eq!(status.code(), Some(1), "{}", yard.told());
        assert!(yard.told().contains("D2053"), "{what}: {}", yard.told());
        let book = yard.effects.take();
        let twice: Vec<_> = book.iter().filter(|(_, keys)| keys.values().any(|requests| *requests > 1)).collect();
        assert!(twice.is_empty(), "{what}: {twice:?}\n{}", yard.events(&run));
        assert_eq!(book[what].len(), 1, "{what}");
        yard.sound(&run);
    }
}
