//! Trust: the keys that may sign for an issuer.

use crate::ReviewRole;
use deed_canon::{KeyId, PublicKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Keys and their permissions. Exported, it is all that a third party needs to verify packs offline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustStore {
    /// Format of this record.
    pub format: u32,
    /// The keys, by id.
    pub keys: Vec<TrustedKey>,
}

/// A key and its permissions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustedKey {
    /// The key's id.
    #[schemars(with = "String")]
    pub key_id: KeyId,
    /// The public key.
    #[schemars(with = "String")]
    pub public_key: PublicKey,
    /// The issuer that it signs for.
    pub issuer: String,
    /// True if it may sign packs.
    pub may_sign: bool,
    /// The roles in which it may review.
    pub review_roles: Vec<ReviewRole>,
    /// The person that it belongs to, such as `Ann Lee <ann@acme.example>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The status.
    pub status: KeyStatus,
}

/// The status of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub enum KeyStatus {
    /// Active: it may sign.
    Active,
    /// Retired: earlier signatures remain valid, new ones are refused.
    Retired {
        /// The key that replaced it.
        #[schemars(with = "String")]
        replaced_by: KeyId,
    },
    /// Revoked: none of its signatures is valid.
    Revoked {
        /// The reason.
        reason: String,
    },
}
