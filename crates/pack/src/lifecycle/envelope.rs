//! Envelopes as stored bytes.

use deed_canon::{CanonError, Envelope, parse, to_canonical};

/// Returns the canonical bytes of an envelope, as a registry stores them.
pub fn envelope_bytes(envelope: &Envelope) -> Result<Vec<u8>, CanonError> {
    let value = serde_json::to_value(envelope).map_err(|e| CanonError::NotJson(e.to_string()))?;
    to_canonical(&value)
}

/// Parses an envelope.
///
/// # Errors
/// A text with the reason, if the bytes are not an envelope.
pub fn read_envelope(bytes: &[u8]) -> Result<Envelope, String> {
    let value = parse(bytes).map_err(|e| e.to_string())?;
    serde_json::from_value(value).map_err(|e| e.to_string())
}
