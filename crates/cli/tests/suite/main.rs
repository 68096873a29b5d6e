//! The suite of packs through the command: a test for each folder of `tests/suite/packs`, with the same text on stderr and
//! an exit code that fits.
//!
//! A program with a main of its own, because its tests are found when it runs.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests"
)]

#[path = "../../../../tests/suite/case.rs"]
mod case;
#[path = "../it/common/mod.rs"]
#[allow(dead_code, reason = "the other tests of the command use the rest")]
mod common;

use case::{Case, cases, root};
use common::Project;
use deed_testkit::Suite;
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes a case's files as they would lie in a folder.
fn laid_out(case: &Case) -> Project {
    let project = Project::bare();
    let files = &case.files;
    for file in std::iter::once(&files.pack).chain(files.overlays.values()).chain(&files.golden) {
        project.write(&file.name, &file.bytes);
    }
    project
}

/// The command says of a case what the library says.
fn is_linted_alike(folder: PathBuf) {
    let case = Case::read(&folder).unwrap_or_else(|why| panic!("{why}"));
    let project = laid_out(&case);
    let out = project.run(&["pack", "lint", &case.files.pack.name]);
    let expected = std::fs::read_to_string(case.folder.join("expected.txt")).unwrap();
    let remark = out.stderr.strip_prefix(&expected);
    assert!(remark.is_some(), "{}\nexpected\n{expected}", out.stderr);
    let errors = expected.lines().any(|line| line.starts_with("error["));
    assert_eq!(out.code, i32::from(errors), "{}", out.stderr);
    for secret in &case.secrets {
        let json = project.run(&["pack", "lint", &case.files.pack.name, "--json"]);
        let said = [&out.stdout, &out.stderr, &json.stdout, &json.stderr];
        assert!(said.iter().all(|text| !text.contains(secret.as_str())), "a secret is shown");
    }
}

fn the_suite_is_as_large_as_it_claims() {
    assert!(cases().len() >= 60, "only {} cases", cases().len());
}

fn main() -> ExitCode {
    let mut suite = Suite::new();
    suite.cases("packs", &root().join("tests/suite/packs"), is_linted_alike);
    suite.test("the_suite_is_as_large_as_it_claims", the_suite_is_as_large_as_it_claims);
    suite.run()
}
