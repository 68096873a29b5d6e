//! Data classification: how widely data may travel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A classification level, most open first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Classification {
    /// Anyone may see it.
    Public,
    /// Anyone in the organisation may see it.
    Internal,
    /// Only people who need it may see it.
    Confidential,
    /// Only named people may see it.
    Restricted,
}

impl Classification {
    /// All levels, most open first.
    pub const ALL: [Self; 4] = [Self::Public, Self::Internal, Self::Confidential, Self::Restricted];

    /// Returns the level's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "PUBLIC",
            Self::Internal => "INTERNAL",
            Self::Confidential => "CONFIDENTIAL",
            Self::Restricted => "RESTRICTED",
        }
    }
}

impl fmt::Display for Classification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Classification {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|level| level.as_str() == text).ok_or(())
    }
}
