//! Interpreters from everywhere: of the system, of a virtual environment, of a version manager.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::disallowed_methods, missing_docs, reason = "tests")]

mod common;

use common::{Stage, err, out};
use deed_sandbox::{Ended, InterpreterError, Language, find_interpreter};
use std::path::Path;
use std::process::Command;

const WHERE: &str = "import sys, json, ssl, sqlite3, ctypes; print(sys.prefix)";

fn check(python: &Path, prefix: &str) {
    let stage = Stage::new();
    let found = find_interpreter(Language::Python, Some(python)).unwrap();
    println!("{found:?}");
    let outcome = stage.run(&stage.job(&found, &["-c", WHERE]));
    assert_eq!((outcome.ended.clone(), out(&outcome).trim()), (Ended::Exited(0), prefix), "{}", err(&outcome));
}

#[test]
fn the_python_of_the_system() {
    check(Path::new("/usr/bin/python3"), "/usr");
}

#[test]
fn the_first_python_on_the_path() {
    let found = find_interpreter(Language::Python, None).unwrap();
    let said = Command::new(&found.executable).args(["-c", "import sys; print(sys.prefix)"]).output().unwrap();
    check(&found.executable, String::from_utf8(said.stdout).unwrap().trim());
}

#[test]
fn a_virtual_environment() {
    let folder = tempfile::tempdir().unwrap();
    let made = find_interpreter(Language::Python, None).unwrap();
    let venv = folder.path().join("venv");
    let status = Command::new(&made.executable).args(["-m", "venv", "--without-pip"]).arg(&venv).status().unwrap();
    assert!(status.success());
    check(&venv.join("bin/python3"), venv.to_str().unwrap());
}

#[test]
fn a_program_that_is_no_interpreter() {
    let error = find_interpreter(Language::Python, Some(Path::new("/usr/bin/false"))).unwrap_err();
    assert!(matches!(error, InterpreterError::Unusable { .. }), "{error}");
    assert!("ruby".parse::<Language>().is_err());
}
