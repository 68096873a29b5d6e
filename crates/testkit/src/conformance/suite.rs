//! The cases as values, and the program that runs either one process of a case or all cases.

use crate::conformance::cases::CASES;
use crate::conformance::{Candidate, task};
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

/// A case that an engine must pass. It panics if the engine fails.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its name, which describes what happens to the run.
    pub name: &'static str,
    /// Tests an engine.
    pub run: fn(&dyn Candidate),
}

/// All cases that an engine must pass.
pub fn cases() -> &'static [Case] {
    CASES
}

/// The `main` of an engine's test: takes the arguments of any Rust test program.
pub fn main(candidate: &'static dyn Candidate) -> ExitCode {
    if task::run_task(candidate) {
        return ExitCode::SUCCESS;
    }
    let trial = |case: &'static Case| {
        let run = move || {
            (case.run)(candidate);
            Ok(())
        };
        Trial::test(case.name, run)
    };
    libtest_mimic::run(&Arguments::from_args(), cases().iter().map(trial).collect()).exit_code()
}
