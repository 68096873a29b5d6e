//! The judgement of one artifact: its bytes enter, a record with the verdict leaves.
//!
//! The pack is the one of the first matcher of the profile, the rule the first of the pack whose path matches. The payload
//! climbs the rule's ladder, and the checks run over it as the ladder leaves it.

mod checks;
mod climb;
mod correctable;
mod findings;
mod rows;
mod verdict;

pub(crate) use correctable::waiting;
pub use correctable::{Correctable, Proposed};

use crate::validator::{PreparedPack, Validator};
use deed_canon::ContentHash;
use deed_model::{BeyondLimit, LadderMode, Phase, Rung, ValidationMode, ValidationRecord};
use findings::Findings;
use serde_json::Value;
use std::borrow::Cow;

/// An artifact to judge.
#[derive(Debug, Clone, Copy)]
pub struct Artifact<'a> {
    /// The phase.
    pub phase: Phase,
    /// Its path.
    pub path: &'a str,
    /// The hash of its bytes.
    pub sha256: ContentHash,
    /// The number of its bytes.
    pub size: u64,
    /// Its bytes; none where [`Validator::reads`] returns false.
    pub bytes: Option<&'a [u8]>,
    /// The schema that the step's contract holds it to, if it names one.
    pub schema: Option<ArtifactSchema<'a>>,
    /// False if its bytes are named elsewhere already, so that none are corrected.
    pub may_correct: bool,
    /// What a model proposed for it, if one was asked.
    pub proposed: Option<Proposed<'a>>,
}

/// The schema of an artifact, as the types of the run have it.
#[derive(Debug, Clone, Copy)]
pub struct ArtifactSchema<'a> {
    /// The schema of a row, or of the whole document.
    pub schema: &'a Value,
    /// True if the artifact is a list of rows.
    pub of_rows: bool,
}

/// The result of judging an artifact.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The record.
    pub record: ValidationRecord,
    /// The bytes of the correction that the record names.
    pub correction: Option<Correction>,
}

/// The bytes of a correction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The corrected artifact, in canonical form.
    pub bytes: Vec<u8>,
    /// The report of the ladder, in canonical form: `deed ladder undo --report` reads it.
    pub report: Vec<u8>,
}

impl Validator {
    /// Judges an artifact.
    pub fn judge(&self, artifact: &Artifact<'_>) -> Judged {
        let mode = self.mode(artifact.phase);
        if mode == ValidationMode::Off {
            return Judged { record: Self::off(artifact.phase), correction: None };
        }
        let Some(prepared) = self.pack_for(artifact.phase, artifact.path) else {
            let mut findings = Findings::default();
            findings.no_pack();
            return verdict::unread(artifact, mode, None, findings);
        };
        prepared.judge(artifact, mode)
    }
}

impl PreparedPack {
    fn judge(&self, artifact: &Artifact<'_>, mode: ValidationMode) -> Judged {
        let mut findings = Findings::default();
        let Some((rule, ladder)) = self.rule_for(artifact.path) else {
            findings.no_rule();
            return verdict::unread(artifact, mode, Some((self, None)), findings);
        };
        let within = artifact.size <= self.pack.largest_bytes;
        let Some(bytes) = artifact.bytes.filter(|_| within) else {
            findings.too_large(artifact.size, self.pack.largest_bytes, self.pack.beyond_limit == BeyondLimit::Refuse);
            return verdict::unread(artifact, mode, Some((self, Some(rule))), findings);
        };
        let climbed = climb::payload(rule, ladder, artifact, bytes, &mut findings);
        let waiting = ladder.and_then(|ladder| waiting(rule, ladder, artifact.phase).map(|waiting| (waiting, ladder)));
        if let (Some(proposed), Some((waiting, ladder))) = (artifact.proposed, waiting)
            && let Some(fault) = &proposed.record.fault
        {
            let fails = waiting.expert && ladder.mode(artifact.phase, Rung::L6) == LadderMode::Block;
            findings.of_corrector(fault, fails);
        }
        let left = climbed.as_ref().map_or(Cow::Borrowed(bytes), |climbed| Cow::Borrowed(climbed.bytes.as_slice()));
        checks::run(rule, &left, &mut findings);
        verdict::of(artifact, mode, (self, rule), climbed, findings)
    }
}
