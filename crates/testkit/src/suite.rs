//! A test program that finds its tests when it runs: one for each folder of cases.

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The tests of a program without a harness. They have names, so that a failing case is named and can be run alone.
#[derive(Default)]
pub struct Suite {
    trials: Vec<Trial>,
}

impl Suite {
    /// An empty suite.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a test with a name.
    pub fn test(&mut self, name: &str, test: impl FnOnce() + Send + 'static) {
        let run = move || {
            test();
            Ok(())
        };
        self.trials.push(Trial::test(name, run));
    }

    /// Adds a test for each folder in `folder` except those whose name begins with `_`. A test is called `group::case`, and
    /// panics if the case fails.
    pub fn cases(&mut self, group: &str, folder: &Path, test: impl Fn(PathBuf) + Clone + Send + 'static) {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut folders: Vec<PathBuf> =
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
        folders.sort();
        for case in folders {
            let name = case.file_name().unwrap().to_string_lossy().into_owned();
            if !name.starts_with('_') {
                let test = test.clone();
                self.test(&format!("{group}::{name}"), move || test(case));
            }
        }
    }

    /// Runs the tests that the arguments of the program select, as any Rust test program does.
    pub fn run(self) -> ExitCode {
        libtest_mimic::run(&Arguments::from_args(), self.trials).exit_code()
    }
}
