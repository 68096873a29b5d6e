//! The predicates of the statements that issuers and reviewers sign.

use crate::{OverlayRef, PackRef, ReviewRole};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The statement that an issuer signs: this document, with these overlays, is this version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackSignature {
    /// The pack.
    pub pack_ref: PackRef,
    /// The issuer.
    pub issuer: String,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
    /// The overlays that belong to it, in order of application.
    pub overlays: Vec<SignedOverlay>,
    /// The golden cases that belong to it, by name. Absent in statements from before they were part of a pack, which are
    /// about a pack without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub golden: Vec<SignedGolden>,
}

/// A golden case inside a signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignedGolden {
    /// Its name: the file's, without its extension.
    pub name: String,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
}

/// An overlay inside a signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignedOverlay {
    /// The overlay.
    pub overlay_ref: OverlayRef,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
}

/// The statement that a reviewer signs: I reviewed this document in this role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackReview {
    /// The pack.
    pub pack_ref: PackRef,
    /// The issuer.
    pub issuer: String,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
    /// The overlays that were reviewed with it, in order of application.
    pub overlays: Vec<SignedOverlay>,
    /// The golden cases that were reviewed with it, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub golden: Vec<SignedGolden>,
    /// The role.
    pub role: ReviewRole,
    /// The reviewer's note.
    pub note: Option<String>,
}

/// The statement that an issuer signs about a published version that may not be used as before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackEnding {
    /// The pack.
    pub pack_ref: PackRef,
    /// The issuer.
    pub issuer: String,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
    /// The state that it entered.
    pub end: PackEnd,
    /// The reason, as the registry of the issuer has it.
    pub reason: String,
}

/// The state in which a version is no longer used for new work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PackEnd {
    /// It is for replay only.
    Deprecated,
    /// It is blocked.
    Revoked,
}

impl PackEnd {
    /// Returns the state's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deprecated => "deprecated",
            Self::Revoked => "revoked",
        }
    }
}

impl std::fmt::Display for PackEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
