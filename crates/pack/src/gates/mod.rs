//! The eight gates, a file each. A gate reports all its findings; the driver decides what is fatal.

pub(crate) mod evaluation;
pub(crate) mod policy;
pub(crate) mod references;
pub(crate) mod replay;
pub(crate) mod risk;
pub(crate) mod schema;
pub(crate) mod security;
pub(crate) mod tenancy;

pub use replay::Golden;

use crate::bundle::Bundle;
use crate::policies::Policies;
use deed_model::ContextPack;
use serde::Serialize;
use std::fmt;

/// The gates in the order in which they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// Ten layers, types, unknown keys.
    Schema,
    /// Names resolve.
    References,
    /// Rules can fire, gates can open, priorities do not clash.
    Policy,
    /// Modes, gates and idempotency fit the harm that can be done.
    Risk,
    /// Everything belongs to one tenant.
    Tenancy,
    /// Golden cases compile to what they did before.
    Replay,
    /// Success is defined.
    Evaluation,
    /// No secrets, no personal data, no open surface.
    Security,
}

impl Gate {
    /// All gates in order.
    pub const ALL: [Self; 8] = [
        Self::Schema,
        Self::References,
        Self::Policy,
        Self::Risk,
        Self::Tenancy,
        Self::Replay,
        Self::Evaluation,
        Self::Security,
    ];

    /// The gate's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::References => "references",
            Self::Policy => "policy",
            Self::Risk => "risk",
            Self::Tenancy => "tenancy",
            Self::Replay => "replay",
            Self::Evaluation => "evaluation",
            Self::Security => "security",
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a gate that needs the typed pack works on.
pub(crate) struct GateInput<'a> {
    /// The documents, for places.
    pub(crate) bundle: &'a Bundle,
    /// The typed pack.
    pub(crate) pack: &'a ContextPack,
    /// Its predicates, compiled once for all gates.
    pub(crate) policies: &'a Policies,
}
