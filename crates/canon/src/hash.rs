//! Content hashes. A hash is taken over a type tag, a newline and the canonical bytes, so that one kind
//! of document can never pass for another.

use crate::error::{CanonError, HashParseError, TagError};
use crate::write::{Sink, write};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A SHA-256, written `sha256:<hex>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Plain SHA-256 of some bytes, without a type tag: for payloads and for files on disk.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The 64 hex digits without the algorithm's name.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub(crate) fn unhex<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let lower = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    if digits.len() != 2 * N || !digits.bytes().all(lower) {
        return None;
    }
    let mut out = [0u8; N];
    for (i, byte) in out.iter_mut().enumerate() {
        *byte = digits.get(2 * i..2 * i + 2).and_then(|d| u8::from_str_radix(d, 16).ok())?;
    }
    Some(out)
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
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
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What kind of document a hash speaks for: `deed/<name>/v<major>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeTag(Cow<'static, str>);

impl TypeTag {
    /// A tag written in the source. Its form is checked by `FromStr`, which the tests apply to each.
    pub const fn literal(tag: &'static str) -> Self {
        Self(Cow::Borrowed(tag))
    }

    /// The tag as text.
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

/// The typed hash of a value: SHA-256 over tag, newline, canonical bytes.
pub fn hash(tag: &TypeTag, value: &Value) -> Result<ContentHash, CanonError> {
    let mut sink = HashSink(Sha256::new());
    sink.take(tag.as_str().as_bytes());
    sink.take(b"\n");
    write(value, &mut sink)?;
    Ok(ContentHash(sink.0.finalize().into()))
}

/// The typed hash of anything that serialises to JSON.
pub fn hash_of<T: Serialize>(tag: &TypeTag, value: &T) -> Result<ContentHash, CanonError> {
    let value = serde_json::to_value(value).map_err(|e| CanonError::NotJson(e.to_string()))?;
    hash(tag, &value)
}

/// Bytes on their way into the hash function.
struct HashSink(Sha256);

impl Sink for HashSink {
    fn take(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}
