//! The sink for the findings of a rung. It conceals what the guard flagged, so that no rung has to.

use crate::flagged::Flagged;
use deed_diag::Code;
use deed_model::{LadderFinding, Rung};
use std::borrow::Cow;

/// The weight of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Reported.
    Remark,
    /// Refuses the payload.
    Blocks,
}

/// One finding, before it is recorded.
pub(crate) struct Finding<'f> {
    pub(crate) rung: Rung,
    pub(crate) code: Code,
    pub(crate) at: &'f str,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) rule: Option<&'f str>,
    pub(crate) weight: Weight,
}

impl<'f> Finding<'f> {
    /// A finding that refuses the payload.
    pub(crate) fn blocking(rung: Rung, code: Code, at: &'f str, message: impl Into<String>) -> Self {
        Self { rung, code, at, message: message.into(), help: None, rule: None, weight: Weight::Blocks }
    }

    /// A finding that is reported only.
    pub(crate) fn remark(rung: Rung, code: Code, at: &'f str, message: impl Into<String>) -> Self {
        Self { weight: Weight::Remark, ..Self::blocking(rung, code, at, message) }
    }

    pub(crate) fn weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        self.help_opt(Some(help.into()))
    }

    pub(crate) fn help_opt(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }

    /// Names the rule of the contract that the finding comes from.
    pub(crate) fn rule(self, rule: &'f str) -> Self {
        Self { rule: Some(rule), ..self }
    }
}

/// Earlier findings that the rung replaces by its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Superseded {
    /// Those of a rung with one code.
    Code(Rung, Code),
    /// All of a rung.
    Rung(Rung),
}

impl Superseded {
    pub(super) fn covers(self, finding: &LadderFinding) -> bool {
        match self {
            Self::Code(rung, code) => finding.rung == rung && finding.code == code.as_str(),
            Self::Rung(rung) => finding.rung == rung,
        }
    }
}

/// The findings of a rung, with those of earlier rungs to compare with.
pub(crate) struct Findings<'c> {
    flagged: &'c Flagged,
    earlier: &'c [LadderFinding],
    superseded: Vec<Superseded>,
    new: Vec<LadderFinding>,
}

impl<'c> Findings<'c> {
    pub(crate) fn new(flagged: &'c Flagged, earlier: &'c [LadderFinding]) -> Self {
        Self { flagged, earlier, superseded: Vec::new(), new: Vec::new() }
    }

    /// Returns whether messages may quote the text.
    pub(crate) fn may_quote(&self) -> bool {
        !self.flagged.unquoted
    }

    /// Adds a finding.
    pub(crate) fn add(&mut self, finding: Finding<'_>) {
        self.new.push(self.flagged.concealed_finding(finding));
    }

    /// Replaces earlier findings; the rung reports them again if they still hold.
    pub(crate) fn supersede(&mut self, superseded: Superseded) {
        self.superseded.push(superseded);
    }

    /// The findings that hold so far: the earlier ones that were not replaced, then the rung's own.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &LadderFinding> {
        let holds = |finding: &&LadderFinding| !self.superseded.iter().any(|superseded| superseded.covers(finding));
        self.earlier.iter().filter(holds).chain(&self.new)
    }

    /// The same as a list.
    pub(crate) fn to_list(&self) -> Cow<'c, [LadderFinding]> {
        match self.new.is_empty() && self.superseded.is_empty() {
            true => Cow::Borrowed(self.earlier),
            false => Cow::Owned(self.iter().cloned().collect()),
        }
    }

    /// The number of the rung's own findings so far.
    pub(crate) fn count(&self) -> usize {
        self.new.len()
    }

    /// Makes the rung's own findings from a position on refuse nothing.
    pub(crate) fn soften(&mut self, from: usize) {
        self.new.iter_mut().skip(from).for_each(|finding| finding.blocks = false);
    }

    /// Returns the rung's own findings, and the earlier ones that they replace.
    pub(crate) fn into_parts(self) -> (Vec<LadderFinding>, Vec<Superseded>) {
        (self.new, self.superseded)
    }
}
