//! in-toto Statement v1, the payload of every envelope that Deed signs.

use crate::dsse::Envelope;
use crate::error::{CanonError, DsseError};
use crate::parse::parse;
use crate::sign::{KeyId, PublicKey, SigningKey};
use crate::write::to_canonical;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Media type of an in-toto statement inside an envelope.
pub const IN_TOTO_PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";
/// The `_type` of an in-toto Statement v1.
pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";

/// A statement about some artifacts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// Always [`STATEMENT_TYPE`].
    #[serde(rename = "_type")]
    pub statement_type: String,
    /// The subjects of the statement, by digest.
    pub subject: Vec<Subject>,
    /// The type of the predicate.
    #[serde(rename = "predicateType")]
    pub predicate_type: String,
    /// The predicate.
    pub predicate: Value,
}

/// An artifact by name and digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The artifact's name.
    pub name: String,
    /// Hex digests by algorithm; `sha256` is over the artifact's bytes.
    pub digest: BTreeMap<String, String>,
}

impl Statement {
    /// Creates a statement about `subject`.
    pub fn new(subject: Vec<Subject>, predicate_type: &str, predicate: Value) -> Self {
        Self {
            statement_type: STATEMENT_TYPE.to_owned(),
            subject,
            predicate_type: predicate_type.to_owned(),
            predicate,
        }
    }

    /// Signs the statement's canonical bytes.
    ///
    /// # Errors
    /// If the predicate has no canonical form.
    pub fn sign(&self, key: &SigningKey) -> Result<Envelope, CanonError> {
        let value = serde_json::to_value(self).map_err(|e| CanonError::NotJson(e.to_string()))?;
        Ok(Envelope::sign(IN_TOTO_PAYLOAD_TYPE, &to_canonical(&value)?, key))
    }

    /// Verifies an envelope and parses the statement from the very bytes that were signed.
    ///
    /// # Errors
    /// If the envelope is invalid, or its payload is not an in-toto Statement v1.
    pub fn open(
        envelope: &Envelope,
        known: impl Fn(&KeyId) -> Option<PublicKey>,
    ) -> Result<(Self, Vec<KeyId>), DsseError> {
        let verified = envelope.verify(IN_TOTO_PAYLOAD_TYPE, known)?;
        let value = parse(&verified.payload).map_err(|e| DsseError::Statement(e.to_string()))?;
        let canonical = to_canonical(&value).map_err(|e| DsseError::Statement(e.to_string()))?;
        if canonical != verified.payload {
            return Err(DsseError::NotCanonical);
        }
        let statement: Self = serde_json::from_value(value).map_err(|e| DsseError::Statement(e.to_string()))?;
        if statement.statement_type != STATEMENT_TYPE {
            return Err(DsseError::Statement(format!("its type is `{}`", statement.statement_type)));
        }
        Ok((statement, verified.signers))
    }
}
