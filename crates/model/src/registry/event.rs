//! Events of the audit log. The state of everything in a registry is a fold over them.

use super::statement::SignedOverlay;
use super::trust::TrustedKey;
use crate::{OverlayRef, PackRef, ReviewRole};
use deed_canon::{ContentHash, KeyId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One entry of the audit log: the body of a link in the hash chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditEvent {
    /// Format of this record. A reader refuses a number that it does not know.
    pub format: u32,
    /// When, as an RFC 3339 time in UTC.
    pub at: String,
    /// Who, as told by the caller.
    pub actor: String,
    /// What.
    pub event: RegistryEvent,
}

/// What can happen in a registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum RegistryEvent {
    /// A key may sign or review for an issuer from now on.
    KeyTrusted {
        /// The key and what it may do.
        key: TrustedKey,
        /// The key that it takes over from, which may sign nothing new.
        #[schemars(with = "Option<String>")]
        replaces: Option<KeyId>,
    },
    /// A key is no longer to be believed, whenever it signed.
    KeyRevoked {
        /// Which key.
        #[schemars(with = "String")]
        key_id: KeyId,
        /// Why.
        reason: String,
    },
    /// A draft passed lint.
    PackLinted {
        /// Which pack.
        pack_ref: PackRef,
        /// Hash of the very document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The overlays that were linted with it, in order of application.
        overlays: Vec<SignedOverlay>,
        /// How many warnings were left.
        warnings: u64,
    },
    /// A reviewer signed off.
    PackReviewed {
        /// Which pack.
        pack_ref: PackRef,
        /// Hash of the very document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// In which role.
        role: ReviewRole,
        /// With which key.
        #[schemars(with = "String")]
        key_id: KeyId,
        /// Blob of the signed statement.
        #[schemars(with = "String")]
        envelope: ContentHash,
    },
    /// The issuer signed.
    PackSigned {
        /// Which pack.
        pack_ref: PackRef,
        /// Hash of the very document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// With which key.
        #[schemars(with = "String")]
        key_id: KeyId,
        /// Blob of the signed statement.
        #[schemars(with = "String")]
        envelope: ContentHash,
    },
    /// The version exists from now on and never changes.
    PackPublished {
        /// Which pack.
        pack_ref: PackRef,
        /// Hash of the very document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// Blob of the document's canonical bytes.
        #[schemars(with = "String")]
        document: ContentHash,
        /// Blob of the issuer's signed statement.
        #[schemars(with = "String")]
        envelope: ContentHash,
        /// The overlays that belong to the version.
        overlays: Vec<OverlayRecord>,
        /// Whose pack it is.
        tenant_id: String,
        /// True where other tenants may pin it.
        shared: bool,
    },
    /// An environment uses this version from now on.
    PackPinned {
        /// Which pack.
        pack_ref: PackRef,
        /// Hash of the very document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// Which environment.
        environment: String,
        /// Whose environment.
        tenant_id: String,
        /// What was pinned before.
        replaces: Option<PackRef>,
        /// True where a lower version took over.
        rollback: bool,
    },
    /// The version is for replay only from now on.
    PackDeprecated {
        /// Which pack.
        pack_ref: PackRef,
        /// Why.
        reason: String,
    },
    /// The version is blocked from now on.
    PackRevoked {
        /// Which pack.
        pack_ref: PackRef,
        /// Why.
        reason: String,
    },
}

/// An overlay that was published with its pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverlayRecord {
    /// Which overlay.
    pub overlay_ref: OverlayRef,
    /// Hash of the very document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
    /// Blob of the document's canonical bytes.
    #[schemars(with = "String")]
    pub document: ContentHash,
}

impl RegistryEvent {
    /// The subjects whose state the event touches: `pack:…`, `environment:…` or `key:…`.
    pub fn subjects(&self) -> Vec<String> {
        match self {
            Self::KeyTrusted { key, replaces } => {
                std::iter::once(&key.key_id).chain(replaces).map(|id| format!("key:{id}")).collect()
            }
            Self::KeyRevoked { key_id, .. } => vec![format!("key:{key_id}")],
            Self::PackLinted { pack_ref, .. }
            | Self::PackReviewed { pack_ref, .. }
            | Self::PackSigned { pack_ref, .. }
            | Self::PackPublished { pack_ref, .. }
            | Self::PackDeprecated { pack_ref, .. }
            | Self::PackRevoked { pack_ref, .. } => vec![format!("pack:{pack_ref}")],
            Self::PackPinned { pack_ref, environment, .. } => {
                vec![format!("pack:{pack_ref}"), format!("environment:{environment}:{}", pack_ref.pack_id)]
            }
        }
    }

    /// The event's name as it is written.
    pub fn name(&self) -> &'static str {
        match self {
            Self::KeyTrusted { .. } => "key_trusted",
            Self::KeyRevoked { .. } => "key_revoked",
            Self::PackLinted { .. } => "pack_linted",
            Self::PackReviewed { .. } => "pack_reviewed",
            Self::PackSigned { .. } => "pack_signed",
            Self::PackPublished { .. } => "pack_published",
            Self::PackPinned { .. } => "pack_pinned",
            Self::PackDeprecated { .. } => "pack_deprecated",
            Self::PackRevoked { .. } => "pack_revoked",
        }
    }
}
