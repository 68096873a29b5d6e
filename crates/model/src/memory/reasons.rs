//! Reasons why a proposal is rejected, and why a person has to review one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A reason why the checks reject a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RejectionReason {
    /// It has neither a text nor a whole fact, or both.
    NoContent,
    /// It is larger than a memory may be.
    TooLarge,
    /// The confidence is not between 0 and 1.
    ConfidenceOutOfRange,
    /// No source is named.
    MissingProvenance,
    /// A source is not a reference of the form `kind:id`.
    MalformedProvenance,
    /// The pack does not allow its class to be written.
    ClassNotAllowed,
    /// It belongs to another tenant than the pack.
    OtherTenant,
    /// It is about any subject, and the pack shares memory within one subject.
    AnySubject,
    /// The pack does not have its intent.
    UnknownIntent,
    /// The tier is unknown.
    UnknownTier,
    /// The pack gives its tier no lifetime.
    TierWithoutTtl,
    /// The classification is not one of the four levels.
    UnknownClassification,
    /// The classification is above the pack's.
    AboveClassification,
    /// It holds personal data, and the pack does not allow that to be written.
    PersonalDataNotAllowed,
    /// It holds personal data, and names no consent.
    MissingConsent,
    /// The consent is not a reference of the form `kind:id`.
    MalformedConsent,
    /// It corrects a memory without being a correction.
    NotACorrection,
    /// It corrects a memory that was never promoted for this tenant.
    CorrectsUnknown,
    /// It corrects a fact, and states a fact about something else.
    CorrectsAnotherFact,
    /// The same was promoted and revoked before.
    RevokedBefore,
}

impl RejectionReason {
    /// Returns the reason's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoContent => "no_content",
            Self::TooLarge => "too_large",
            Self::ConfidenceOutOfRange => "confidence_out_of_range",
            Self::MissingProvenance => "missing_provenance",
            Self::MalformedProvenance => "malformed_provenance",
            Self::ClassNotAllowed => "class_not_allowed",
            Self::OtherTenant => "other_tenant",
            Self::AnySubject => "any_subject",
            Self::UnknownIntent => "unknown_intent",
            Self::UnknownTier => "unknown_tier",
            Self::TierWithoutTtl => "tier_without_ttl",
            Self::UnknownClassification => "unknown_classification",
            Self::AboveClassification => "above_classification",
            Self::PersonalDataNotAllowed => "personal_data_not_allowed",
            Self::MissingConsent => "missing_consent",
            Self::MalformedConsent => "malformed_consent",
            Self::NotACorrection => "not_a_correction",
            Self::CorrectsUnknown => "corrects_unknown",
            Self::CorrectsAnotherFact => "corrects_another_fact",
            Self::RevokedBefore => "revoked_before",
        }
    }
}

/// A reason why a person has to review a candidate before it can be promoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewDemand {
    /// The confidence is below `auto_promote_confidence`.
    LowConfidence,
    /// The pack states no `auto_promote_confidence`.
    NoThreshold,
    /// The pack that judged it was a folder: its threshold was reviewed by no one.
    UnprovenPack,
    /// It holds personal data. The reviewer's role must be `data`.
    PersonalData,
    /// It contradicts a promoted fact that it does not outrank.
    Contradiction,
}

impl ReviewDemand {
    /// Returns the demand's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LowConfidence => "low_confidence",
            Self::NoThreshold => "no_threshold",
            Self::UnprovenPack => "unproven_pack",
            Self::PersonalData => "personal_data",
            Self::Contradiction => "contradiction",
        }
    }
}
