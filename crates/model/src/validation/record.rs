//! Records of validation: the verdict of a pack on an artifact in a phase of a run.

use crate::execution::ArtifactRecord;
use crate::ladder::Phase;
use crate::profile::ValidationMode;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict of a validation pack on an artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidationRecord {
    /// The phase.
    pub phase: Phase,
    /// The mode of the phase.
    pub mode: ValidationMode,
    /// The verdict.
    pub verdict: ValidationVerdict,
    /// The path of the artifact; none where the phase is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The pack; none where the phase is off, or no matcher and no default pack stands for the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack_ref: Option<String>,
    /// The hash of the pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub pack_hash: Option<ContentHash>,
    /// The rule of the pack that judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The hash of the bytes that entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub before: Option<ContentHash>,
    /// The correction, if the bytes that left are others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<CorrectionRecord>,
    /// What a model was asked to propose for it, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrector: Option<AskedCorrector>,
    /// The findings; at most 20 are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<ValidationFinding>,
    /// The number of findings that are not listed.
    #[serde(default)]
    pub unlisted: u64,
}

impl ValidationRecord {
    /// Returns true if the verdict stops what it is about.
    pub fn stops(&self) -> bool {
        let stands = matches!(self.verdict, ValidationVerdict::Failed | ValidationVerdict::Correctable);
        stands && self.mode == ValidationMode::Block
    }
}

/// The verdict on an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValidationVerdict {
    /// The phase is off.
    Off,
    /// It holds as it is.
    Passed,
    /// It holds as it was corrected; the run uses the corrected bytes.
    Corrected,
    /// It was not validated; the finding says why.
    NotValidated,
    /// It would hold if it were corrected, and it was not.
    Correctable,
    /// It does not hold.
    Failed,
}

impl ValidationVerdict {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Passed => "passed",
            Self::Corrected => "corrected",
            Self::NotValidated => "not_validated",
            Self::Correctable => "correctable",
            Self::Failed => "failed",
        }
    }
}

/// What a model was asked to propose for an artifact. The proposals are frozen, so that the verdict follows from them without
/// the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedCorrector {
    /// The key of the call whose reply has the proposals; none if no reply could be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub call: Option<ContentHash>,
    /// The proposals, as the ladder was given them; kept under a path of their own. None if no reply could be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposals: Option<ArtifactRecord>,
    /// The reason why there are no proposals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<CorrectorFault>,
}

/// The reason why a model proposed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectorFault {
    /// The stable code.
    pub code: String,
    /// The message.
    pub message: String,
}

/// A correction: the bytes before and after it, and its record, which can be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectionRecord {
    /// The number of changes.
    pub changes: u64,
    /// The hash of the corrected bytes.
    #[schemars(with = "String")]
    pub after: ContentHash,
    /// The bytes that entered, kept under a path of their own.
    pub original: ArtifactRecord,
    /// The report of the ladder with every change and its inverse, kept likewise.
    pub report: ArtifactRecord,
}

/// A finding of a validation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidationFinding {
    /// The rung of the ladder, or the check.
    pub by: String,
    /// Its stable code.
    pub code: String,
    /// True if the artifact fails by it.
    pub fails: bool,
    /// The row of a table, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// The place in the payload, as a JSON Pointer; none for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The message; never what a guard stopped.
    pub message: String,
    /// Help: how to fix it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}
