//! Errors of reading, writing, hashing and verifying.

use crate::Span;
use thiserror::Error;

/// A document that the strict reader refuses, with the place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct ParseError {
    /// The reason.
    pub kind: ParseErrorKind,
    /// The bytes at fault.
    pub span: Span,
}

/// The reason why the strict reader refused a document.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseErrorKind {
    /// The bytes are not UTF-8.
    #[error("the document is not valid UTF-8")]
    InvalidUtf8,
    /// The document begins with U+FEFF.
    #[error("the document begins with a byte order mark")]
    ByteOrderMark,
    /// Something other than what the grammar expects.
    #[error("expected {expected}")]
    Expected {
        /// The construct that the grammar expects here.
        expected: &'static str,
    },
    /// The document ends inside a value.
    #[error("the document ends where {expected} was expected")]
    UnexpectedEnd {
        /// The construct that the grammar expects here.
        expected: &'static str,
    },
    /// A second value follows the first.
    #[error("there is more text after the end of the value")]
    TrailingText,
    /// The same key twice in one object.
    #[error("the key `{key}` stands twice in this object")]
    DuplicateKey {
        /// The repeated key.
        key: String,
        /// The place of its first occurrence.
        first: Span,
    },
    /// An integer that a double cannot represent exactly.
    #[error("the integer is beyond 2^53 - 1 and would be rounded")]
    UnsafeInteger,
    /// A literal that rounds to zero or to infinity.
    #[error("the number cannot be represented as a double")]
    NumberRange,
    /// `NaN`, `Infinity` or their YAML spellings.
    #[error("`NaN` and infinities are not numbers")]
    NotANumber,
    /// A `\u` escape that names half a surrogate pair.
    #[error("the escape names a lone surrogate")]
    LoneSurrogate,
    /// A backslash followed by a character that JSON does not escape.
    #[error("unknown escape in a string")]
    BadEscape,
    /// A raw control character inside a string.
    #[error("control characters must be escaped inside a string")]
    ControlCharacter,
    /// More levels than the limit.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
}

/// A value that has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CanonError {
    /// An integer, or a double with an integral value, that other readers would round.
    #[error("the number at `{pointer}` is beyond 2^53 - 1 and would be rounded")]
    UnsafeInteger {
        /// JSON Pointer of the number.
        pointer: String,
    },
    /// NaN or an infinity.
    #[error("the number at `{pointer}` is not finite")]
    NotFinite {
        /// JSON Pointer of the number.
        pointer: String,
    },
    /// More levels than a reader accepts.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// A map that yields the same key twice: readers would keep one value or the other.
    #[error("the key at `{pointer}` stands twice in its object")]
    DuplicateKey {
        /// JSON Pointer of the member.
        pointer: String,
    },
    /// A typed value that cannot be serialized to JSON.
    #[error("the value cannot be written as JSON: {0}")]
    NotJson(String),
}

/// A text that is not `sha256:` and 64 lowercase hex digits.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a content hash is written `sha256:` and 64 lowercase hex digits")]
pub struct HashParseError;

/// A text that is not a type tag.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a type tag is written `deed/<name>/v<major>`, for example `deed/context-pack/v2`")]
pub struct TagError;

/// Unusable key material.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyError {
    /// The private key is not Ed25519 in PKCS#8 PEM.
    #[error("not an Ed25519 private key in PKCS#8 PEM form")]
    Private,
    /// The public key is not Ed25519 in SPKI PEM form or 32 bytes of base64.
    #[error("not an Ed25519 public key in SPKI PEM or base64 form")]
    Public,
    /// The text is not a key id.
    #[error("a key id is written `ed25519:` and 32 lowercase hex digits")]
    Id,
    /// The signature does not verify.
    #[error("the signature does not verify")]
    Signature,
}

/// An invalid envelope.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DsseError {
    /// A payload of another type than requested.
    #[error("the envelope carries `{found}`, not `{expected}`")]
    PayloadType {
        /// The requested type.
        expected: String,
        /// The envelope's type.
        found: String,
    },
    /// Payload or signature is not base64.
    #[error("the envelope's {field} is not base64")]
    Base64 {
        /// The field.
        field: &'static str,
    },
    /// The envelope has no signature.
    #[error("the envelope carries no signature")]
    Unsigned,
    /// No signature was made by a known key.
    #[error("no signature is by a key that is known here; the envelope names {}", .named.join(", "))]
    UnknownSigner {
        /// The key ids that the envelope names.
        named: Vec<String>,
    },
    /// A signature by a known key does not match the bytes.
    #[error("the signature of `{key_id}` is over other bytes")]
    BadSignature {
        /// The key.
        key_id: String,
    },
    /// The payload is not an in-toto Statement v1.
    #[error("the payload is not an in-toto Statement v1: {0}")]
    Statement(String),
    /// The payload is ambiguous.
    #[error("the payload is not in canonical form")]
    NotCanonical,
}
