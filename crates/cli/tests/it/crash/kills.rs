//! `kill -9` at random instants, again and again, until the run has ended all the same.

use super::dice::{Dice, kills};
use super::shape::Shape;
use super::yard::{APPROVED, Fate, Yard, submitting};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Runs that are disturbed at the same time.
const AT_ONCE: u64 = 3;
/// Half of the processes are killed within so many milliseconds of their start,
const WITHIN_MS: u64 = 900;
/// and the others within so many of one of their next requests, so that a run goes on.
const AFTER_MS: u64 = 120;
const SHAPE: Shape = Shape::of(20);

#[derive(Default)]
struct Tally {
    kills: AtomicUsize,
    runs: AtomicUsize,
    repeated: AtomicUsize,
    longest: AtomicUsize,
}

#[test]
fn kill_9_at_random_instants_changes_nothing() {
    let (wanted, begun, tally) = (kills(30), Instant::now(), Tally::default());
    std::thread::scope(|scope| {
        for worker in 0..AT_ONCE {
            let tally = &tally;
            scope.spawn(move || disturb(worker, wanted, tally));
        }
    });
    let count = |number: &AtomicUsize| number.load(Ordering::SeqCst);
    let told = format!(
        "{} kills in {} runs of {} steps, at most {} in one; {} requests were sent again; {:.0} s",
        count(&tally.kills),
        count(&tally.runs),
        SHAPE.steps,
        count(&tally.longest),
        count(&tally.repeated),
        begun.elapsed().as_secs_f64()
    );
    println!("{told}");
    assert!(count(&tally.kills) >= wanted, "{told}");
}

fn disturb(worker: u64, wanted: usize, tally: &Tally) {
    let (yard, mut dice) = (Yard::new(SHAPE), Dice::new(worker));
    let files = yard.undisturbed("undisturbed");
    for number in 0.. {
        let run = format!("run-{number}");
        let kills = until_it_ends(&yard, &run, wanted, tally, &mut dice);
        tally.runs.fetch_add(1, Ordering::SeqCst);
        tally.longest.fetch_max(kills, Ordering::SeqCst);
        tally.repeated.fetch_add(yard.ended_well(&run, &files), Ordering::SeqCst);
        if tally.kills.load(Ordering::SeqCst) >= wanted {
            break;
        }
    }
}

fn until_it_ends(yard: &Yard, run: &str, wanted: usize, tally: &Tally, dice: &mut Dice) -> usize {
    let mut killed = 0;
    while tally.kills.load(Ordering::SeqCst) < wanted {
        // To run the same under the same name and to resume it comes to the same, once it was submitted.
        let resume = ["runs", "resume", run];
        let verb = if killed > 0 && dice.below(2) == 0 { &resume[..] } else { &submitting(run) };
        let fate = match dice.below(4) {
            0 | 1 => yard.live(yard.start(verb, APPROVED), dice.within_ms(WITHIN_MS)),
            // The other side is at work, and its answer is lost.
            2 => yard.live_until(yard.start(verb, APPROVED), &yard.effects.watch(dice.below(6) + 1), Duration::ZERO),
            _ => {
                let request = yard.effects.watch(dice.below(6) + 1);
                yard.live_until(yard.start(verb, APPROVED), &request, dice.within_ms(AFTER_MS))
            }
        };
        match fate {
            Fate::Exited(0) => return killed,
            // It died before it was submitted, so that there is nothing to resume.
            Fate::Exited(1) if yard.told().contains("[D2004]") && yard.events(run).is_empty() => {}
            Fate::Exited(code) => panic!("{run}: exit {code}\n{}\n{}", yard.told(), yard.events(run)),
            Fate::Killed => {
                killed += 1;
                tally.kills.fetch_add(1, Ordering::SeqCst);
            }
        }
    }
    // No more kills: the next process may finish.
    let status = yard.start(&submitting(run), APPROVED).wait().unwrap();
    assert_eq!(status.code(), Some(0), "{run}\n{}\n{}", yard.told(), yard.events(run));
    killed
}
