//! `kill -9` while a publisher is at work.

use super::fixture::*;
use deed_store::{Options, Registry};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

const CHILD: &str = "DEED_STORE_KILL";
const KILLS: usize = 25;

/// Not a test of its own: the process that is killed. Without its variable it does nothing.
#[test]
fn child_publishes() {
    let Ok(dir) = std::env::var(CHILD) else { return };
    let options = Options::default().with_steps(|step| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "STEP {step}")?;
        out.flush()
    });
    run(&Registry::open_with(dir.as_ref(), options).unwrap(), &lifecycle());
}

#[test]
fn kill_9_at_any_moment_leaves_a_registry_that_can_go_on() {
    let expected = undisturbed();
    let mut interrupted = 0;
    for kill in 0..KILLS {
        let dir = tempfile::tempdir().unwrap();
        drop(Registry::create_with(dir.path(), quick()).unwrap());
        let mut process = child("kill::child_publishes").env(CHILD, dir.path()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        // The signal arrives some instants after the line was read: anywhere in or between later steps.
        let mut steps = lines.map_while(Result::ok).filter(|line| line.contains("STEP "));
        steps.nth(1 + kill * 5);
        process.kill().unwrap();
        process.wait().unwrap();

        let registry = open(dir.path());
        assert_clean(&registry);
        let done = events(&registry);
        interrupted += usize::from(done < lifecycle().len());
        run(&registry, &lifecycle()[done..]);
        assert_eq!(registry.head().unwrap().unwrap().hash, expected);
        assert_clean(&registry);
    }
    assert!(interrupted > KILLS / 2, "only {interrupted} children were still at work");
}
