//! DSSE envelopes: the signature covers the payload's type and its exact bytes.

use crate::error::DsseError;
use crate::sign::{KeyId, PublicKey, SigningKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// A signed payload, with the field names of the DSSE v1 envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// The media type of the payload.
    #[serde(rename = "payloadType")]
    pub payload_type: String,
    /// The payload in base64.
    pub payload: String,
    /// One or more signatures over the pre-authentication encoding.
    pub signatures: Vec<EnvelopeSignature>,
}

/// One signature of an envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvelopeSignature {
    /// The id of the key that claims to have signed.
    pub keyid: String,
    /// The signature in base64.
    pub sig: String,
}

/// A payload whose signature is valid, and the keys that signed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The payload's bytes, as they were signed.
    pub payload: Vec<u8>,
    /// The keys whose signatures are valid.
    pub signers: Vec<KeyId>,
}

/// Returns `DSSEv1 <len(type)> <type> <len(body)> <body>`, the bytes that are signed.
pub fn pre_authentication_encoding(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut out = format!("DSSEv1 {} {} {} ", payload_type.len(), payload_type, payload.len()).into_bytes();
    out.extend_from_slice(payload);
    out
}

impl Envelope {
    /// Signs a payload with one key.
    pub fn sign(payload_type: &str, payload: &[u8], key: &SigningKey) -> Self {
        let sig = key.sign(&pre_authentication_encoding(payload_type, payload));
        Self {
            payload_type: payload_type.to_owned(),
            payload: STANDARD.encode(payload),
            signatures: vec![EnvelopeSignature { keyid: key.public().id().to_string(), sig: STANDARD.encode(sig) }],
        }
    }

    /// Returns the key ids that the envelope names, valid or not.
    pub fn named_keys(&self) -> Vec<String> {
        self.signatures.iter().map(|s| s.keyid.clone()).collect()
    }

    /// Returns the payload as the envelope has it, signed or not: to name what an envelope is about, and never to believe it.
    pub fn claimed_payload(&self) -> Option<Vec<u8>> {
        STANDARD.decode(&self.payload).ok()
    }

    /// Verifies every signature by a key that `known` returns; at least one must exist and all must be valid.
    ///
    /// # Errors
    /// If no known key signed, a signature by a known key is invalid, or the payload is of another type.
    pub fn verify(
        &self,
        payload_type: &str,
        known: impl Fn(&KeyId) -> Option<PublicKey>,
    ) -> Result<Verified, DsseError> {
        if self.payload_type != payload_type {
            return Err(DsseError::PayloadType { expected: payload_type.to_owned(), found: self.payload_type.clone() });
        }
        if self.signatures.is_empty() {
            return Err(DsseError::Unsigned);
        }
        let payload = STANDARD.decode(&self.payload).map_err(|_| DsseError::Base64 { field: "payload" })?;
        let message = pre_authentication_encoding(&self.payload_type, &payload);
        let mut signers = Vec::new();
        for signature in &self.signatures {
            let sig = STANDARD.decode(&signature.sig).map_err(|_| DsseError::Base64 { field: "signature" })?;
            let Some((id, key)) = signature.keyid.parse::<KeyId>().ok().and_then(|id| known(&id).map(|k| (id, k)))
            else {
                continue;
            };
            key.verify(&message, &sig).map_err(|_| DsseError::BadSignature { key_id: id.to_string() })?;
            signers.push(id);
        }
        if signers.is_empty() {
            return Err(DsseError::UnknownSigner { named: self.named_keys() });
        }
        Ok(Verified { payload, signers })
    }
}
