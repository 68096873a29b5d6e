//! How widely data may travel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The four levels, most open first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Classification {
    /// For everybody.
    Public,
    /// For the organisation.
    Internal,
    /// For those who need it.
    Confidential,
    /// For named people only.
    Restricted,
}
