//! Lint: the gates of a validation pack in order, each reporting all its findings.

use crate::document::PackFile;
use crate::gates::{self, PackGate};
use deed_diag::{Report, Severity};
use schemars::JsonSchema;
use serde::Serialize;

/// The result of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PackGateOutcome {
    /// The gate.
    pub gate: PackGate,
    /// False if it could not run because the document does not have the shape of a pack.
    pub ran: bool,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
}

/// The report of a lint.
#[derive(Debug, Clone)]
pub struct PackLint {
    /// One entry for each gate.
    pub gates: Vec<PackGateOutcome>,
    /// All findings, in order of gates.
    pub report: Report,
}

impl PackLint {
    /// Returns true if every gate ran and there is no error.
    pub fn passed(&self) -> bool {
        self.gates.iter().all(|gate| gate.ran) && !self.report.has_errors()
    }
}

/// Checks a validation pack.
///
/// ```
/// use deed_validation::{lint, shipped_packs};
///
/// assert!(shipped_packs().iter().all(|pack| lint(pack).passed()));
/// ```
pub fn lint(file: &PackFile) -> PackLint {
    let mut report = file.report();
    let mut outcomes = Vec::new();
    for gate in PackGate::ALL {
        let findings = gates::run(gate, file);
        let found = findings.as_deref().unwrap_or_default();
        let count = |severity| found.iter().filter(|d| d.severity == severity).count();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        outcomes.push(PackGateOutcome { gate, ran: findings.is_some(), errors, warnings });
        for finding in findings.unwrap_or_default() {
            report.push(finding.stage(gate.as_str()));
        }
    }
    PackLint { gates: outcomes, report }
}
