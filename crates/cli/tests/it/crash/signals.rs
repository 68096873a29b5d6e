//! Signals: a process that is interrupted or terminated leaves a run that can be resumed.

use super::left;
use super::shape::Shape;
use super::yard::{APPROVED, Yard, submitting};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

#[test]
fn interrupted_or_terminated_it_can_be_resumed() {
    let yard = Yard::new(Shape::of(3));
    let files = yard.undisturbed("undisturbed");
    for (signal, number) in [("int", 2), ("term", 15), ("hup", 1)] {
        if is_ignored(number) {
            // A child would ignore it too, as under `nohup`.
            println!("{signal} is ignored by the process that runs this test, and was not tried");
            continue;
        }
        let held = yard.effects.hold("s02 1");
        let mut child = yard.start(&submitting(signal), APPROVED);
        held.arrived();
        // Code is at work in a sandbox, and a request is under way.
        assert!(left::count(&yard.folder()) > 1);
        let sent = Command::new("kill").args([format!("-{number}"), child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let status = child.wait().unwrap();
        // A shell shows 130 and 143, as for any program.
        let told = status.signal() == Some(number) || status.code() == Some(128 + number);
        assert!(told, "{signal}: {status:?}\n{}", yard.told());
        left::no_code(&yard.folder(), signal);
        if status.signal().is_none() {
            // It was told, and had time to clean up.
            assert_eq!(left::groups(child.id()), Vec::<std::path::PathBuf>::new());
        }
        yard.finish(signal);
        yard.ended_well(signal, &files);
    }
}

/// Whether this process ignores a signal.
fn is_ignored(number: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    u64::from_str_radix(mask, 16).unwrap() >> (number - 1) & 1 == 1
}
