//! The findings of one judgement: the first are listed, the others counted.

use deed_diag::{Code, codes};
use deed_model::{ArtifactCheck, CorrectorFault, LadderFinding, ValidationFinding};

/// The number of findings that a record lists.
const MOST_LISTED: usize = 20;

/// The findings so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) listed: Vec<ValidationFinding>,
    pub(crate) unlisted: u64,
    pub(crate) fails: bool,
    /// True if a change is needed that was not made.
    pub(crate) open: bool,
}

impl Findings {
    pub(crate) fn add(&mut self, finding: ValidationFinding) {
        self.fails |= finding.fails;
        if self.listed.len() < MOST_LISTED {
            self.listed.push(finding);
        } else {
            self.unlisted += 1;
        }
    }

    fn of_pack(&mut self, code: Code, fails: bool, message: String, help: &str) {
        self.add(ValidationFinding {
            by: "pack".to_owned(),
            code: code.as_str().to_owned(),
            fails,
            row: None,
            pointer: None,
            message,
            help: Some(help.to_owned()),
        });
    }

    /// No pack stands for the path.
    pub(crate) fn no_pack(&mut self) {
        let message = "not validated: the phase names no validation pack for this path".to_owned();
        let help = "add a matcher or `default_pack_ref` to the phase in the profile";
        self.of_pack(codes::NOTHING_JUDGES, false, message, help);
    }

    /// No rule of the pack matches the path.
    pub(crate) fn no_rule(&mut self) {
        let message = "not validated: no rule of the pack matches this path".to_owned();
        self.of_pack(
            codes::NOTHING_JUDGES,
            false,
            message,
            "add a rule for it to the pack, or a matcher to the profile",
        );
    }

    /// The artifact is beyond the limit of its pack.
    pub(crate) fn too_large(&mut self, bytes: u64, limit: u64, fails: bool) {
        let message = format!("not validated: {bytes} bytes are more than the {limit} that the pack reads");
        let help = "raise `largest_bytes` of the pack, or split the file";
        self.of_pack(codes::TOO_LARGE_TO_VALIDATE, fails, message, help);
    }

    /// The bytes have not the form that the rule reads.
    pub(crate) fn unreadable(&mut self, by: &str, message: String) {
        self.add(ValidationFinding {
            by: by.to_owned(),
            code: codes::UNREADABLE_ARTIFACT.as_str().to_owned(),
            fails: true,
            row: None,
            pointer: None,
            message,
            help: None,
        });
    }

    /// The payload would hold with these changes, and they were not made.
    pub(crate) fn not_corrected(&mut self, by: &str, row: Option<u64>, changes: usize, first: &str) {
        self.open = true;
        let (changes, verb) =
            if changes == 1 { ("1 change".to_owned(), "is") } else { (format!("{changes} changes"), "are") };
        self.add(ValidationFinding {
            by: by.to_owned(),
            code: codes::CORRECTION_NOT_MADE.as_str().to_owned(),
            fails: false,
            row,
            pointer: None,
            message: format!("{changes} {verb} needed, and none was made: {first}"),
            help: None,
        });
    }

    /// A model was asked for proposals, and gave none that can be used.
    pub(crate) fn of_corrector(&mut self, fault: &CorrectorFault, fails: bool) {
        self.add(ValidationFinding {
            by: "corrector".to_owned(),
            code: fault.code.clone(),
            fails,
            row: None,
            pointer: None,
            message: format!("no proposals: {}", fault.message),
            help: None,
        });
    }

    /// A finding of a rung.
    pub(crate) fn of_rung(&mut self, found: &LadderFinding, row: Option<u64>) {
        self.add(ValidationFinding {
            by: found.rung.as_str().to_owned(),
            code: found.code.clone(),
            fails: found.blocks,
            row,
            pointer: Some(found.pointer.clone()).filter(|pointer| !pointer.is_empty()),
            message: found.message.clone(),
            help: found.help.clone(),
        });
    }

    /// A check that does not hold.
    pub(crate) fn unmet(&mut self, check: ArtifactCheck, message: String) {
        self.add(ValidationFinding {
            by: check.as_str().to_owned(),
            code: codes::ARTIFACT_CHECK_UNMET.as_str().to_owned(),
            fails: true,
            row: None,
            pointer: None,
            message,
            help: None,
        });
    }
}
