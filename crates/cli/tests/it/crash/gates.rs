//! Crashes around a decision: the question stays open, the decision counts once, and no approver is asked twice.

use super::dice::{Dice, asked_for, kills};
use super::left;
use super::mortal::{self, End};
use super::shape::Shape;
use super::yard::{Fate, Yard, submitting};

const WAITING: i32 = 5;
/// The number of kills before the answer, and after it.
const KILLS: usize = 6;

/// Runs until the gate opens, whichever processes are killed before that.
fn until_asked(yard: &Yard, run: &str, mut kills: usize, dice: &mut Dice) -> usize {
    let mut killed = 0;
    loop {
        let child = yard.start(&submitting(run), &[]);
        let fate = match kills.checked_sub(1) {
            Some(fewer) => {
                kills = fewer;
                yard.live(child, dice.within_ms(700))
            }
            None => Fate::Exited(wait(child)),
        };
        match fate {
            Fate::Killed => killed += 1,
            Fate::Exited(WAITING) => return killed,
            Fate::Exited(code) => panic!("exit {code}\n{}\n{}", yard.told(), yard.events(run)),
        }
    }
}

fn wait(mut child: std::process::Child) -> i32 {
    child.wait().unwrap().code().unwrap()
}

#[test]
fn a_question_outlives_the_process_that_asked_it() {
    let (yard, mut dice) = (Yard::new(Shape::of(3)), Dice::new(100));
    let files = yard.undisturbed("undisturbed");
    for number in 0..kills(30).div_ceil(20) {
        let run = format!("run-{number}");
        until_asked(&yard, &run, KILLS, &mut dice);
        // The question is asked once, though several processes came to it.
        assert_eq!(yard.count(&run, "gate_opened"), 1, "{}", yard.events(&run));
        assert_eq!(yard.gate(&["approve", &run, "--as", "lead"]).code, 0);
        for _ in 0..KILLS {
            let child = yard.start(&["runs", "resume", &run], &[]);
            let fate = match dice.below(2) {
                0 => yard.live(child, dice.within_ms(700)),
                _ => yard.live_until(child, &yard.effects.watch(1), dice.within_ms(60)),
            };
            if let Fate::Exited(code) = fate {
                assert_eq!(code, 0, "{}\n{}", yard.told(), yard.events(&run));
            }
        }
        assert_eq!(wait(yard.start(&["runs", "resume", &run], &[])), 0, "{}", yard.told());
        yard.ended_well(&run, &files);
        assert_eq!(yard.count(&run, "approval_used"), 1, "{}", yard.events(&run));
    }
}

#[test]
fn an_answer_is_given_or_not_given() {
    let (yard, mut dice) = (Yard::new(Shape::of(2)), Dice::new(200));
    let files = yard.undisturbed("undisturbed");
    for number in 0..kills(30).div_ceil(30) {
        let run = format!("run-{number}");
        until_asked(&yard, &run, 0, &mut dice);
        let mut kills = 10;
        loop {
            let child = yard.project.command(&["gate", "approve", &run, "--as", "lead"]).spawn().unwrap();
            let given = match yard.live(child, dice.within_ms(if kills > 0 { 120 } else { 10_000 })) {
                Fate::Killed => yard.count(&run, "gate_decided") == 1,
                Fate::Exited(0) => true,
                Fate::Exited(code) => panic!("exit {code}\n{}", yard.events(&run)),
            };
            yard.project.ok(&["journal", "verify"]);
            if given {
                break;
            }
            kills -= 1;
        }
        // A second answer is none.
        assert_eq!(yard.gate(&["approve", &run, "--as", "lead"]).code, 1);
        assert_eq!(wait(yard.start(&["runs", "resume", &run], &[])), 0, "{}", yard.told());
        yard.ended_well(&run, &files);
        assert_eq!(yard.count(&run, "gate_decided"), 1);
        assert_eq!(yard.count(&run, "approval_used"), 1);
    }
}

/// The call inside a step that a person approved is made, whenever the process dies; they are not asked for it again.
#[test]
fn an_approved_call_is_not_asked_about_again() {
    let yard = Yard::new(Shape { call_gate: true, ..Shape::of(2) });
    let files = yard.undisturbed("undisturbed");
    let mut dice = Dice::new(300);
    let every = if asked_for().is_some() { 1 } else { 2 };
    for nth in (0..).step_by(every) {
        let run = format!("write-{nth}");
        until_asked(&yard, &run, 0, &mut dice);
        assert_eq!(yard.gate(&["approve", &run, "go", "--as", "lead"]).code, 0);
        // Parked inside, at the call.
        assert_eq!(wait(yard.start(&["runs", "resume", &run], &[])), WAITING, "{}", yard.told());
        assert_eq!(yard.gate(&["approve", &run, "--as", "lead"]).code, 0);
        let end = mortal::drive(&yard, &run, nth, false);
        left::no_code(&yard.folder(), &run);
        let code = wait(yard.start(&["runs", "resume", &run], &[]));
        assert_eq!(code, 0, "{run}\n{}\n{}", yard.told(), yard.events(&run));
        yard.ended_well(&run, &files);
        if end == End::Ended {
            assert!(nth > 5, "only {nth} writes");
            break;
        }
    }
}
