//! Content hashes. A hash covers a type tag, a newline and the canonical bytes, so that one kind of document cannot be
//! mistaken for another.

use crate::error::{CanonError, HashParseError, TagError};
use crate::hex::{HexText, unhex};
use crate::ser::Scratch;
use crate::write::{Sink, write};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A SHA-256 hash, written `sha256:<hex>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Computes the plain SHA-256 of some bytes, without a type tag: for payloads and for files on disk.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Wraps a SHA-256 digest that the caller computed incrementally.
    pub fn of_digest(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// Returns the 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the 64 hex digits without the algorithm's name.
    pub fn hex(&self) -> String {
        HexText::<64>::new("", &self.0).as_str().to_owned()
    }

    fn text(&self) -> HexText<71> {
        HexText::new("sha256:", &self.0)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ContentHash {
    type Err = HashParseError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.strip_prefix("sha256:").and_then(unhex).map(Self).ok_or(HashParseError)
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text().as_str())
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The kind of document that a hash covers: `deed/<name>/v<major>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeTag(Cow<'static, str>);

impl TypeTag {
    /// Creates a tag from a literal. `FromStr` checks the form; the tests apply it to each literal.
    pub const fn literal(tag: &'static str) -> Self {
        Self(Cow::Borrowed(tag))
    }

    /// Returns the tag as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TypeTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TypeTag {
    type Err = TagError;
    fn from_str(text: &str) -> Result<Self, TagError> {
        let mut parts = text.split('/');
        let (scheme, name, version) = (parts.next(), parts.next(), parts.next());
        let name_ok = name.is_some_and(|n| {
            n.starts_with(|c: char| c.is_ascii_lowercase())
                && n.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        });
        let version_ok = version.and_then(|v| v.strip_prefix('v')).is_some_and(|v| {
            !v.is_empty() && v.len() <= 6 && !v.starts_with('0') && v.bytes().all(|b| b.is_ascii_digit())
        });
        if scheme == Some("deed") && name_ok && version_ok && parts.next().is_none() {
            Ok(Self(Cow::Owned(text.to_owned())))
        } else {
            Err(TagError)
        }
    }
}

/// Computes the typed hash of a value: SHA-256 over tag, newline, canonical bytes.
///
/// # Errors
/// If the value has no canonical form.
pub fn hash(tag: &TypeTag, value: &Value) -> Result<ContentHash, CanonError> {
    let mut sink = HashSink(Sha256::new());
    sink.take(tag.as_str().as_bytes());
    sink.take(b"\n");
    write(value, &mut sink)?;
    Ok(ContentHash(sink.0.finalize().into()))
}

/// Computes the typed hash of anything that serializes to JSON: the hash of its [`to_canonical_of`] bytes.
///
/// Members are sorted, whatever order a type or map yields them in. Values that the strict reader would refuse are
/// refused here too: a duplicate key, NaN, an integer beyond 2^53 - 1, more than 128 levels.
///
/// # Errors
/// If the value has no canonical form.
///
/// ```
/// use deed_canon::{TypeTag, hash_of};
///
/// const NOTE: TypeTag = TypeTag::literal("example/note/v1");
/// let one = hash_of(&NOTE, &serde_json::json!({ "b": 1.0, "a": "x" })).unwrap();
/// let same = hash_of(&NOTE, &serde_json::json!({ "a": "x", "b": 1 })).unwrap();
/// assert_eq!(one, same);
/// ```
///
/// [`to_canonical_of`]: crate::to_canonical_of
pub fn hash_of<T: Serialize + ?Sized>(tag: &TypeTag, value: &T) -> Result<ContentHash, CanonError> {
    hash_of_with(tag, value, &mut Scratch::default())
}

/// [`hash_of`] with the caller's buffers, to compute many hashes without allocating each time. Afterwards the buffers
/// hold the canonical bytes, without the tag.
pub fn hash_of_with<T: Serialize + ?Sized>(
    tag: &TypeTag,
    value: &T,
    scratch: &mut Scratch,
) -> Result<ContentHash, CanonError> {
    scratch.write(value)?;
    let mut sha = Sha256::new();
    sha.update(tag.as_str());
    sha.update(b"\n");
    sha.update(scratch.bytes());
    Ok(ContentHash(sha.finalize().into()))
}

/// A writer into the hash function.
struct HashSink(Sha256);

impl Sink for HashSink {
    fn take(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}
