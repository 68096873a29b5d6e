//! Sends payloads up a ladder: the payload of a file, or one payload a line.

use super::contract::{self, load};
use crate::error::AppError;
use crate::files;
use crate::lines::Line;
use deed_detect::sensitive_ranges;
use deed_diag::{Code, Diagnostic, Document, Format, Invariant as _, Place, Report, Severity, codes};
use deed_ladder::{Climbed, Input, Ladder, climb};
use deed_model::{LadderFinding, Phase, Proposals, Rung};
use std::path::Path;

/// A ladder with the proposals for its rungs, ready for payloads.
pub struct Climber {
    ladder: Ladder,
    phase: Phase,
    proposals: Proposals,
    warnings: Report,
}

/// A payload that climbed, and its findings with their places in its file.
#[derive(Debug)]
pub struct ClimbedPayload {
    /// The payload and the record of its climb.
    pub climbed: Climbed,
    /// The findings of the rungs.
    pub findings: Report,
}

impl Climber {
    /// Reads a contract, and proposals for the rungs that need understanding.
    ///
    /// # Errors
    /// A file cannot be read, or the contract or the proposals are faulty.
    pub fn load(contract: &Path, proposals: Option<&Path>, phase: Phase) -> Result<Self, AppError> {
        let (ladder, warnings) = load(contract)?;
        let proposals = match proposals {
            Some(path) => contract::read::<Proposals>(path)?.0,
            None => Proposals::default(),
        };
        Ok(Self { ladder, phase, proposals, warnings })
    }

    /// Warnings about the contract.
    pub fn warnings(&self) -> &Report {
        &self.warnings
    }

    /// Climbs with the payload of a file, or of standard input for `-`.
    ///
    /// # Errors
    /// The file cannot be read, or is not text. A payload that is rejected is a result, not an error.
    pub fn file(&self, path: &Path) -> Result<ClimbedPayload, AppError> {
        let file = files::read(path)?;
        let Ok(text) = std::str::from_utf8(&file.bytes) else {
            return Err(not_text(file.name));
        };
        let climbed = climb(&self.ladder, Input::Text(text), self.phase, &self.proposals);
        let findings = findings(&climbed, &file.name, text);
        Ok(ClimbedPayload { climbed, findings })
    }

    /// Climbs with the payload of one line.
    ///
    /// # Errors
    /// The line is too long, or not text.
    pub fn line(&self, line: &Line<'_>) -> Result<Climbed, &'static str> {
        let text = std::str::from_utf8(line.document()?).map_err(|_| "the line is not UTF-8 text")?;
        let payload = text.trim_end_matches(['\n', '\r']);
        Ok(climb(&self.ladder, Input::Text(payload), self.phase, &self.proposals))
    }
}

/// The refusal of a payload that is not text.
pub(super) fn not_text(name: String) -> AppError {
    AppError::refused(
        Diagnostic::error(codes::PAYLOAD_NOT_TEXT, "the payload is not UTF-8 text")
            .stage("ladder")
            .at(Place::file(name))
            .help("a payload is JSON, or text with JSON in it"),
    )
}

/// The findings of a climb, with their places in the payload.
fn findings(climbed: &Climbed, name: &str, text: &str) -> Report {
    let found = &climbed.report.findings;
    // After a finding of the guard nothing of the source is shown: only the contract knows what it forbids.
    let guarded = found.iter().any(|finding| finding.rung == Rung::L3);
    // A payload that is not JSON has no places.
    let document = Document::read_with(name, text.as_bytes(), Format::Json, sensitive_ranges).ok().filter(|_| !guarded);
    let mut report = Report::default();
    if let Some(document) = &document {
        report.add_source(document.source().clone());
    }
    found.iter().for_each(|finding| report.push(diagnostic(finding, document.as_ref(), name)));
    report
}

fn diagnostic(finding: &LadderFinding, document: Option<&Document>, name: &str) -> Diagnostic {
    let severity = if finding.blocks { Severity::Error } else { Severity::Warning };
    let place = match document {
        Some(document) => document.place(&finding.pointer),
        None => Place { pointer: Some(finding.pointer.clone()).filter(|p| !p.is_empty()), ..Place::file(name) },
    };
    let code = Code::parse(&finding.code).invariant("every finding of the ladder has a page");
    Diagnostic::new(severity, code, finding.message.clone())
        .stage(finding.rung.as_str())
        .at(place)
        .help_opt(finding.help.clone())
}
