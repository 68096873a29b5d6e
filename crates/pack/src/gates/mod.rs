//! The eight validation gates, a file each. A gate reports all its findings; the driver decides which are fatal.

pub(crate) mod evaluation;
pub(crate) mod policy;
pub(crate) mod references;
pub(crate) mod replay;
pub(crate) mod risk;
pub(crate) mod schema;
pub(crate) mod security;
pub(crate) mod tenancy;

pub use replay::GoldenCaseRunner;
pub use tenancy::names_tenant;

use crate::bundle::Bundle;
use crate::policies::Policies;
use deed_model::ContextPack;
use serde::Serialize;
use std::fmt;

/// A validation gate, in the order of execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// Schema: ten layers, types, unknown keys.
    Schema,
    /// References: names resolve.
    References,
    /// Policy: rules can fire, gates can open, priorities do not clash.
    Policy,
    /// Risk: modes, gates and idempotency match the possible harm.
    Risk,
    /// Tenancy: everything belongs to one tenant.
    Tenancy,
    /// Replay: golden cases have the expected outcome.
    Replay,
    /// Evaluation: success is defined.
    Evaluation,
    /// Security: no secrets, no personal data, no open surface.
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

    /// Returns the gate's name.
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

/// The input of a gate that needs the typed pack.
pub(crate) struct GateInput<'a> {
    /// The documents, for places.
    pub(crate) bundle: &'a Bundle,
    /// The typed pack.
    pub(crate) pack: &'a ContextPack,
    /// Its predicates, compiled once for all gates.
    pub(crate) policies: &'a Policies,
}
