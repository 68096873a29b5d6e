//! The policy of a registry: the reviews that it demands of every pack.

use crate::ReviewRole;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reviews that a registry demands of every pack. A pack may demand more, and never less.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegistryPolicy {
    /// The roles that must review every pack, in a fixed order.
    pub required_roles: Vec<ReviewRole>,
    /// The handling of packs that one person reviews and signs alone.
    pub self_review: SelfReview,
}

impl Default for RegistryPolicy {
    fn default() -> Self {
        Self { required_roles: ReviewRole::ALL.to_vec(), self_review: SelfReview::Refused }
    }
}

/// The handling of packs that one person reviews and signs alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SelfReview {
    /// Refused: a person may not review in all required roles alone, and the signer may not be the only reviewer.
    Refused,
    /// Allowed, on record.
    Allowed,
}

impl SelfReview {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Allowed => "allowed",
        }
    }
}
