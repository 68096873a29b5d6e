//! The sheet of one check: its conditions, and what was found.

use deed_model::{CheckScore, CriticCheck, CriticFinding, CriticVerdict};

/// The conditions of one check that were asked, and the findings about those that do not hold.
#[derive(Debug)]
pub(crate) struct Sheet {
    check: CriticCheck,
    passed: u64,
    of: u64,
    findings: Vec<CriticFinding>,
}

impl Sheet {
    /// Begins a check.
    pub(crate) fn of(check: CriticCheck) -> Self {
        Self { check, passed: 0, of: 0, findings: Vec::new() }
    }

    /// Asks a condition; where it does not hold, the verdict and the reason are noted.
    pub(crate) fn require(
        &mut self,
        holds: bool,
        verdict: CriticVerdict,
        pointer: impl Into<String>,
        message: impl FnOnce() -> String,
    ) {
        self.of += 1;
        if holds {
            self.passed += 1;
        } else {
            self.push(verdict, pointer.into(), message());
        }
    }

    /// Adds a note, which demands no verdict.
    pub(crate) fn note(&mut self, pointer: impl Into<String>, message: String) {
        self.push(CriticVerdict::Accept, pointer.into(), message);
    }

    fn push(&mut self, verdict: CriticVerdict, pointer: String, message: String) {
        self.findings.push(CriticFinding { check: self.check, verdict, pointer, message });
    }

    /// Ends the check.
    pub(crate) fn finish(self) -> (CheckScore, Vec<CriticFinding>) {
        (CheckScore { check: self.check, passed: self.passed, of: self.of }, self.findings)
    }
}
