//! The cases as values, and the program that is either one of the processes of a case or the list of all of them.

use crate::conformance::cases::CASES;
use crate::conformance::{Candidate, task};
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

/// Something that an engine has to pass. It panics where the engine does not.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its name, which says what happens to the run.
    pub name: &'static str,
    /// Tries an engine.
    pub run: fn(&dyn Candidate),
}

/// Everything that an engine has to pass.
pub fn cases() -> &'static [Case] {
    CASES
}

/// The `main` of an engine's test: takes the arguments of any test of Rust.
pub fn main(candidate: &'static dyn Candidate) -> ExitCode {
    if task::given(candidate) {
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
