//! `kill -9` while a recorder is at work.

use super::fixture::*;
use deed_store::{DecisionLog, Options};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

const CHILD: &str = "DEED_DECISIONS_KILL";
const KILLS: usize = 20;

/// Not a test of its own: the process that is killed. Without its variable it does nothing.
#[test]
fn child_records() {
    let Ok(dir) = std::env::var(CHILD) else { return };
    let options = Options::default().with_steps(|step| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "STEP {step}")?;
        out.flush()
    });
    let log = DecisionLog::open_with(dir.as_ref(), options).unwrap().unwrap();
    for n in 0..DECISIONS {
        record(&log, n).unwrap();
    }
}

#[test]
fn kill_9_at_any_moment_leaves_a_log_that_can_go_on() {
    let expected = undisturbed();
    let mut interrupted = 0;
    for kill in 0..KILLS {
        let dir = tempfile::tempdir().unwrap();
        drop(DecisionLog::create_with(dir.path(), quick()).unwrap());
        let mut process = child("kill::child_records").env(CHILD, dir.path()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        // The signal arrives some instants after the line was read: anywhere in or between later steps.
        let mut steps = lines.map_while(Result::ok).filter(|line| line.contains("STEP "));
        steps.nth(1 + kill * 2);
        process.kill().unwrap();
        process.wait().unwrap();

        let log = open(dir.path());
        assert_clean(&log);
        let done = count(&log);
        interrupted += usize::from(done < DECISIONS);
        for n in done..DECISIONS {
            record(&log, n).unwrap();
        }
        assert_eq!(log.head().unwrap().unwrap().hash, expected);
        assert_clean(&log);
    }
    assert!(interrupted > KILLS / 2, "only {interrupted} children were still at work");
}
