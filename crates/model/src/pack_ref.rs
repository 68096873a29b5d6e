//! Pinned references to packs and overlays.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The reason why a text is not a pinned reference.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RefError {
    /// There is no `@version`.
    #[error("`{0}` names no version")]
    Unpinned(String),
    /// The version is not three numbers.
    #[error("`{0}` is not a version of three numbers")]
    Version(String),
    /// The id has invalid characters.
    #[error("`{0}` is not an id: lowercase letters, digits, `.`, `_` and `-`, beginning with a letter")]
    Id(String),
}

/// A version: major, minor, patch. No prerelease, no build metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Raised when existing users may break.
    pub major: u64,
    /// Raised when behaviour is further constrained.
    pub minor: u64,
    /// Raised when only wording changes.
    pub patch: u64,
}

impl FromStr for Version {
    type Err = RefError;
    fn from_str(text: &str) -> Result<Self, RefError> {
        let bad = || RefError::Version(text.to_owned());
        let version = semver::Version::parse(text).map_err(|_| bad())?;
        if !version.pre.is_empty() || !version.build.is_empty() {
            return Err(bad());
        }
        Ok(Self { major: version.major, minor: version.minor, patch: version.patch })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

fn check_id(id: &str) -> Result<(), RefError> {
    let ok = id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.len() <= 200
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-'))
        && !id.contains("..");
    if ok { Ok(()) } else { Err(RefError::Id(id.to_owned())) }
}

fn split(text: &str) -> Result<(String, Version), RefError> {
    let (id, version) = text.split_once('@').ok_or_else(|| RefError::Unpinned(text.to_owned()))?;
    check_id(id)?;
    Ok((id.to_owned(), version.parse()?))
}

/// A pack by id and version: `ctxpack.support@1.0.0`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackRef {
    /// The pack's id.
    pub pack_id: String,
    /// The pack's version.
    pub version: Version,
}

impl PackRef {
    /// Builds a reference from an id and a version as text.
    pub fn of(pack_id: &str, version: &str) -> Result<Self, RefError> {
        check_id(pack_id)?;
        Ok(Self { pack_id: pack_id.to_owned(), version: version.parse()? })
    }
}

/// An overlay of a pack: `ctxpack.support.prod@1.0.0`, where `prod` is its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OverlayRef {
    /// `<pack_id>.<name>`
    pub id: String,
    /// The overlay's version.
    pub version: Version,
}

impl OverlayRef {
    /// Returns the overlay's name, if it belongs to that pack.
    pub fn name_in(&self, pack_id: &str) -> Option<&str> {
        let name = self.id.strip_prefix(pack_id)?.strip_prefix('.')?;
        (!name.is_empty() && !name.contains('.')).then_some(name)
    }
}

impl FromStr for PackRef {
    type Err = RefError;
    fn from_str(text: &str) -> Result<Self, RefError> {
        split(text).map(|(pack_id, version)| Self { pack_id, version })
    }
}

impl FromStr for OverlayRef {
    type Err = RefError;
    fn from_str(text: &str) -> Result<Self, RefError> {
        split(text).map(|(id, version)| Self { id, version })
    }
}

impl fmt::Display for PackRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.pack_id, self.version)
    }
}

impl fmt::Display for OverlayRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.id, self.version)
    }
}

macro_rules! text_form {
    ($type:ty, $name:literal, $pattern:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }

        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": $pattern })
            }
        }
    };
}

text_form!(Version, "Version", r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$");
text_form!(PackRef, "PackRef", r"^[a-z][a-z0-9._-]*@(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$");
text_form!(OverlayRef, "OverlayRef", r"^[a-z][a-z0-9._-]*@(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$");
