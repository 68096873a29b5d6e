//! Which key may sign for which issuer.

use crate::ReviewRole;
use deed_canon::{KeyId, PublicKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Keys and what they are believed for. Exported, it is all that a stranger needs to verify offline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustStore {
    /// Format of this record.
    pub format: u32,
    /// The keys, by id.
    pub keys: Vec<TrustedKey>,
}

/// A key and what it is believed for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustedKey {
    /// The key's id.
    #[schemars(with = "String")]
    pub key_id: KeyId,
    /// The public half.
    #[schemars(with = "String")]
    pub public_key: PublicKey,
    /// Whose packs it speaks for.
    pub issuer: String,
    /// True where it may sign packs.
    pub may_sign: bool,
    /// The roles in which it may review.
    pub review_roles: Vec<ReviewRole>,
    /// Whether it is still to be believed.
    pub status: KeyStatus,
}

/// Whether a key is still to be believed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub enum KeyStatus {
    /// It may sign.
    Active,
    /// Another key took over: what it signed before still holds, nothing new does.
    Retired {
        /// The key that took over.
        #[schemars(with = "String")]
        replaced_by: KeyId,
    },
    /// Nothing that it signed holds.
    Revoked {
        /// Why.
        reason: String,
    },
}
