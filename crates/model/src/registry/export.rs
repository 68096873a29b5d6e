//! A published version with its proof, to be brought to another registry.

use crate::PackRef;
use deed_canon::{ContentHash, Envelope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A published version: its documents, and the envelopes of its reviews and signatures. It carries no trust: the registry
/// that imports it judges the keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackExport {
    /// `deed/pack-export/v1`.
    pub format: String,
    /// The version.
    pub pack_ref: PackRef,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
    /// The pack.
    pub document: Value,
    /// Its overlays, in order of application.
    pub overlays: Vec<Value>,
    /// Its golden cases, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub golden: BTreeMap<String, Value>,
    /// Signed statements of reviewers, as DSSE envelopes.
    #[schemars(with = "Vec<Value>")]
    pub reviews: Vec<Envelope>,
    /// Signed statements of the issuer, as DSSE envelopes.
    #[schemars(with = "Vec<Value>")]
    pub signatures: Vec<Envelope>,
    /// Signed statements of the issuer that the version was deprecated or revoked, as DSSE envelopes. Absent for a version
    /// that may be used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Value>")]
    pub endings: Vec<Envelope>,
}
