//! References to profiles.

use crate::PackRef;
use crate::pack_ref::{RefError, Version};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A profile by id and version: `strict-compliance@1.0.0`. It has the form of a reference to a pack.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ProfileRef(PackRef);

impl ProfileRef {
    /// Builds a reference from an id and a version as text.
    ///
    /// # Errors
    /// The id or the version does not have the form of one.
    pub fn of(profile_id: &str, version: &str) -> Result<Self, RefError> {
        PackRef::of(profile_id, version).map(Self)
    }

    /// Returns the profile's id.
    pub fn profile_id(&self) -> &str {
        &self.0.pack_id
    }

    /// Returns the profile's version.
    pub fn version(&self) -> Version {
        self.0.version
    }
}

impl FromStr for ProfileRef {
    type Err = RefError;
    fn from_str(text: &str) -> Result<Self, RefError> {
        text.parse().map(Self)
    }
}

impl fmt::Display for ProfileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
