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
