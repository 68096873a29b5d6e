//! Lint: the gates of a profile in order, each reporting all its findings.

use crate::document::ProfileFile;
use crate::gates::{self, ProfileFacts, ProfileGate};
use deed_diag::{Report, Severity};
use schemars::JsonSchema;
use serde::Serialize;

/// The result of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProfileGateOutcome {
    /// The gate.
    pub gate: ProfileGate,
    /// False if it could not run because the document does not have the shape of a profile.
    pub ran: bool,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
}

/// The report of a lint.
#[derive(Debug, Clone)]
pub struct ProfileLint {
    /// One entry for each gate.
    pub gates: Vec<ProfileGateOutcome>,
    /// All findings, in order of gates.
    pub report: Report,
}

impl ProfileLint {
    /// Returns true if every gate ran and there is no error.
    pub fn passed(&self) -> bool {
        self.gates.iter().all(|gate| gate.ran) && !self.report.has_errors()
    }
}

/// Checks a profile.
///
/// ```
/// use deed_profile::{ProfileFacts, lint, shipped_profiles};
///
/// assert!(shipped_profiles().iter().all(|profile| lint(profile, &ProfileFacts::default()).passed()));
/// ```
pub fn lint(file: &ProfileFile, facts: &ProfileFacts<'_>) -> ProfileLint {
    let mut report = file.report();
    let mut outcomes = Vec::new();
    for gate in ProfileGate::ALL {
        let findings = gates::run(gate, file, facts);
        let found = findings.as_deref().unwrap_or_default();
        let count = |severity| found.iter().filter(|d| d.severity == severity).count();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        outcomes.push(ProfileGateOutcome { gate, ran: findings.is_some(), errors, warnings });
        for finding in findings.unwrap_or_default() {
            report.push(finding.stage(gate.as_str()));
        }
    }
    ProfileLint { gates: outcomes, report }
}
