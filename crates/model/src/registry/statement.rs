//! The predicates of the statements that issuers and reviewers sign.

use crate::{OverlayRef, PackRef, ReviewRole};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an issuer signs: this document, with these overlays, is this version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackSignature {
    /// Which pack.
    pub pack_ref: PackRef,
    /// Who publishes.
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
    /// Which overlay.
    pub overlay_ref: OverlayRef,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
}

/// What a reviewer signs: I looked at this document in this role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackReview {
    /// Which pack.
    pub pack_ref: PackRef,
    /// Who publishes it.
    pub issuer: String,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
    /// The overlays that were looked at with it, in order of application.
    pub overlays: Vec<SignedOverlay>,
    /// In which role.
    pub role: ReviewRole,
    /// What the reviewer wants to be remembered.
    pub note: Option<String>,
}
