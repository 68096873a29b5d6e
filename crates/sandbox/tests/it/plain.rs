//! Harmless programs: they start, see their files, write where they may, and their end is reported.

use crate::common::{Stage, err, out};
use deed_sandbox::{Ended, Language, PrivatePaths, find_interpreter};
use std::fs;

#[test]
fn python_prints_a_line() {
    let outcome = Stage::new().python("print('hello')");
    assert_eq!(
        (outcome.ended.clone(), out(&outcome).as_str(), err(&outcome).as_str()),
        (Ended::Exited(0), "hello\n", "")
    );
    assert!(outcome.report.layers.iter().any(|layer| layer == "seccomp allow-list"), "{:?}", outcome.report);
}

#[test]
fn node_prints_a_line() {
    let stage = Stage::new();
    let node = find_interpreter(Language::JavaScript, None, &PrivatePaths::default()).unwrap();
    let outcome = stage.run(&stage.job(&node, &["-e", "console.log('hello', require('os').cpus().length > 0)"]));
    assert_eq!(
        (outcome.ended.clone(), out(&outcome).as_str(), err(&outcome).as_str()),
        (Ended::Exited(0), "hello true\n", "")
    );
}

#[test]
fn the_shell_prints_a_line_through_other_programs() {
    let outcome = Stage::new().shell("echo hello | tr h j | sed s/j/h/ && ls /workspace | sort | xargs echo");
    assert_eq!(
        (outcome.ended.clone(), out(&outcome).as_str()),
        (Ended::Exited(0), "hello\ninput meta output work\n"),
        "{}",
        err(&outcome)
    );
}

#[test]
fn inputs_are_read_and_outputs_written() {
    let stage = Stage::new();
    fs::write(stage.path("input/a.txt"), "from outside").unwrap();
    let code = "open('/workspace/output/b.txt','w').write(open('input/a.txt').read().upper())";
    let outcome = stage.python(code);
    assert_eq!(outcome.ended, Ended::Exited(0), "{}", err(&outcome));
    assert_eq!(fs::read_to_string(stage.path("output/b.txt")).unwrap(), "FROM OUTSIDE");
}

#[test]
fn the_exit_code_is_reported() {
    assert_eq!(Stage::new().shell("exit 7").ended, Ended::Exited(7));
    assert_eq!(Stage::new().shell("exit 137").ended, Ended::Exited(137));
    assert_eq!(Stage::new().shell("kill -SEGV $$").ended, Ended::Signalled(11));
}
