//! Prompts and validation packs as objects of a registry: what an issuer signs, and what a profile names.

use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of an object that is published by itself and named by profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ObjectKind {
    /// A prompt.
    Prompt,
    /// A validation pack.
    ValidationPack,
}

impl ObjectKind {
    /// Returns the word before the `:` of a subject in the log.
    pub fn subject(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::ValidationPack => "valpack",
        }
    }

    /// Returns the kind in words.
    pub fn as_words(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::ValidationPack => "validation pack",
        }
    }
}

/// A version of an object: `workspace.operator.planner.system@v1`, `valpack.acme.orders@v1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectRef {
    /// Its kind.
    pub kind: ObjectKind,
    /// Its name and version.
    pub name: String,
}

impl ObjectRef {
    /// Builds a reference to a prompt.
    pub fn prompt(name: &str) -> Self {
        Self { kind: ObjectKind::Prompt, name: name.to_owned() }
    }

    /// Builds a reference to a validation pack.
    pub fn validation_pack(name: &str) -> Self {
        Self { kind: ObjectKind::ValidationPack, name: name.to_owned() }
    }

    /// Returns the subject of its events: `prompt:…` or `valpack:…`.
    pub fn subject(&self) -> String {
        format!("{}:{}", self.kind.subject(), self.name)
    }
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The statement that an issuer signs: this document is this version of the object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectSignature {
    /// The object.
    pub object: ObjectRef,
    /// The issuer.
    pub issuer: String,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
}

/// An object that a profile holds or names, with the hash of its document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedObject {
    /// The object.
    pub object: ObjectRef,
    /// Typed hash of its document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
}
