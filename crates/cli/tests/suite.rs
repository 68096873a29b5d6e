//! The suite of packs through the command: the same cases, the same text on stderr, and an exit code that fits.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

#[path = "../../../tests/suite/case.rs"]
mod case;
mod common;

use case::{Case, cases};
use common::Project;

/// Writes a case's files as they would lie in a folder.
fn laid_out(case: &Case) -> Project {
    let project = Project::bare();
    let files = &case.files;
    for file in std::iter::once(&files.pack).chain(files.overlays.values()).chain(&files.golden) {
        project.write(&file.name, &file.bytes);
    }
    project
}

#[test]
fn the_command_says_what_the_library_says() {
    let cases = cases();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    for case in &cases {
        let project = laid_out(case);
        let out = project.run(&["pack", "lint", &case.files.pack.name]);
        let expected = std::fs::read_to_string(case.folder.join("expected.txt")).unwrap();
        let remark = out.stderr.strip_prefix(&expected);
        assert!(remark.is_some(), "{}\n{}\nexpected\n{expected}", case.name, out.stderr);
        let errors = expected.lines().any(|line| line.starts_with("error["));
        assert_eq!(out.code, i32::from(errors), "{}\n{}", case.name, out.stderr);
        for secret in &case.secrets {
            let json = project.run(&["pack", "lint", &case.files.pack.name, "--json"]);
            let said = [&out.stdout, &out.stderr, &json.stdout, &json.stderr];
            assert!(said.iter().all(|text| !text.contains(secret.as_str())), "{} shows a secret", case.name);
        }
    }
}
