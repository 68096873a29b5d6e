//! Loops inside the engine that check no limit: the caller still gets its answer.

use std::time::Duration;

use crate::common::{run, small};
use deed_isolate::{Grants, IsolateError, IsolateLimits, MAX_ABANDONED, Timeout, abandoned};

fn ends(source: &str, wall: u64, grace: u64) -> IsolateError {
    let (wall, grace) = (Duration::from_millis(wall), Duration::from_millis(grace));
    let limits = IsolateLimits { operations: u64::MAX, wall, grace, ..small() };
    let source = format!("export default function () {{ {source}; return {{}} }}");
    run(&source, &[], &[], &Grants::default(), &limits).unwrap_err()
}

/// Set for the process that gives threads up: their count belongs to the whole process, and no other test may be in it.
const ALONE: &str = "DEED_TEST_ALONE";

#[test]
fn the_timeout_ends_loops_that_the_budget_does_not() {
    if std::env::var_os(ALONE).is_none() {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "stuck::the_timeout_ends_loops_that_the_budget_does_not"]).env(ALONE, "1");
        let output = again.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
        return;
    }
    for source in ["for (;;) {}", "for (;;) { try { for (;;) {} } catch {} }", "/(a+)+$/.test('a'.repeat(60) + 'b')"] {
        assert_eq!(ends(source, 50, 30_000), IsolateError::OutOfTime(Timeout::Wall), "{source}");
    }
    assert_eq!(abandoned(), 0);
    for given_up in 0..MAX_ABANDONED {
        let end = ends("Array.prototype.reverse.call({ length: 2 ** 53 - 1 })", 10, 10);
        assert_eq!(end, IsolateError::OutOfTime(Timeout::Abandoned));
        assert_eq!(abandoned(), given_up + 1);
    }
    assert_eq!(ends("return {}", 1000, 1000), IsolateError::Crowded { threads: MAX_ABANDONED });
}
