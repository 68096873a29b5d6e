//! What can go wrong when reading, writing, hashing and verifying.

use crate::Span;
use thiserror::Error;

/// A document that the strict reader refuses, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct ParseError {
    /// Why the document was refused.
    pub kind: ParseErrorKind,
    /// The bytes that are at fault.
    pub span: Span,
}

/// Why the strict reader refused a document.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseErrorKind {
    /// The bytes are not UTF-8.
    #[error("the document is not valid UTF-8")]
    InvalidUtf8,
    /// The document begins with U+FEFF.
    #[error("the document begins with a byte order mark")]
    ByteOrderMark,
    /// Something other than what the grammar asks for.
    #[error("expected {expected}")]
    Expected {
        /// What the grammar asks for at this place.
        expected: &'static str,
    },
    /// The document ends inside a value.
    #[error("the document ends where {expected} was expected")]
    UnexpectedEnd {
        /// What the grammar asks for at this place.
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
        /// Where it stood first.
        first: Span,
    },
    /// An integer that a double cannot hold exactly.
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
    /// A backslash followed by something JSON does not know.
    #[error("unknown escape in a string")]
    BadEscape,
    /// A raw control character inside a string.
    #[error("control characters must be escaped inside a string")]
    ControlCharacter,
    /// More levels than the limit.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// How many levels pass.
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
        /// How many levels pass.
        limit: usize,
    },
    /// A map that gives the same key twice: readers would keep one value or the other.
    #[error("the key at `{pointer}` stands twice in its object")]
    DuplicateKey {
        /// JSON Pointer of the member.
        pointer: String,
    },
    /// A typed value that could not be turned into JSON.
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

/// Key material that cannot be used.
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

/// An envelope that proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DsseError {
    /// Another kind of payload than the one asked for.
    #[error("the envelope carries `{found}`, not `{expected}`")]
    PayloadType {
        /// What the reader asked for.
        expected: String,
        /// What the envelope says.
        found: String,
    },
    /// Payload or signature is not base64.
    #[error("the envelope's {field} is not base64")]
    Base64 {
        /// Which field.
        field: &'static str,
    },
    /// There is no signature at all.
    #[error("the envelope carries no signature")]
    Unsigned,
    /// No signature was made by a known key.
    #[error("no signature is by a key that is known here; the envelope names {}", .named.join(", "))]
    UnknownSigner {
        /// The key ids that the envelope names.
        named: Vec<String>,
    },
    /// A signature by a known key does not fit the bytes.
    #[error("the signature of `{key_id}` is over other bytes")]
    BadSignature {
        /// Which key.
        key_id: String,
    },
    /// The payload is not an in-toto Statement v1.
    #[error("the payload is not an in-toto Statement v1: {0}")]
    Statement(String),
    /// The payload could be read in two ways.
    #[error("the payload is not in canonical form")]
    NotCanonical,
}
