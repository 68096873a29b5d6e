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
    /// The role.
    pub role: ReviewRole,
    /// The reviewer's note.
    pub note: Option<String>,
}
