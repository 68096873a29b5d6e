//! What may be reached from the sandbox, and what was decided of each attempt.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// A way out that is allowed. What no rule allows is denied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EgressRule {
    /// The scheme.
    #[serde(default)]
    pub scheme: EgressScheme,
    /// The host: a name, or an address that is meant as such.
    #[schemars(length(min = 1, max = 253))]
    pub host: String,
    /// Whether names below it are meant too.
    #[serde(default)]
    pub subdomains: bool,
    /// The port; that of the scheme if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Paths: `/v1/rates` for that one, `/v1/*` for all below; all if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Methods, in capitals; `GET` and `HEAD` if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<String>,
    /// Whether the host may be at a private, loopback or otherwise special address.
    #[serde(default)]
    pub private_addresses: bool,
    /// What is added to requests outside the sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<EgressCredential>,
    /// Whether a request whose answer was lost may be sent again.
    #[serde(default)]
    pub repeat: EgressRepeat,
    /// What one request costs, in millionths of the currency that budgets are kept in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_micros: Option<u64>,
}

/// The scheme of a way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EgressScheme {
    /// With TLS.
    #[default]
    Https,
    /// Without.
    Http,
}

impl EgressScheme {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
        }
    }

    /// The port it has where none is named.
    pub fn port(self) -> u16 {
        match self {
            Self::Https => 443,
            Self::Http => 80,
        }
    }
}

/// A secret that is put into requests outside the sandbox, and never seen inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EgressCredential {
    /// Where it is kept: `secret://name`.
    #[schemars(regex(pattern = r"^secret://[a-z0-9][a-z0-9_.-]*$"))]
    pub secret: String,
    /// The header that carries it.
    pub header: String,
    /// How it stands there, with `{}` for the secret; the secret alone if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// Whether a request whose answer was lost may be sent again. Requests that change nothing always may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EgressRepeat {
    /// It may not: nobody knows whether it had its effect.
    #[default]
    Never,
    /// It may: the host does nothing twice that comes with the same `Idempotency-Key`.
    ByKey,
}

/// What was decided of an attempt to get out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EgressDecision {
    /// How it was attempted.
    pub channel: EgressChannel,
    /// The method; `CONNECT` for a tunnel.
    pub method: String,
    /// The scheme.
    pub scheme: EgressScheme,
    /// The host, in its canonical form.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The path without the query; none for a tunnel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Whether it was let through, and if not why.
    pub verdict: EgressVerdict,
    /// The place of the rule that allowed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<usize>,
    /// The address that the name is pinned to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub address: Option<IpAddr>,
}

/// How a way out was attempted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EgressChannel {
    /// By the tool `http.fetch`.
    Fetch,
    /// Through the proxy.
    Proxy,
    /// By a redirect that was answered.
    Redirect,
}

/// Whether an attempt was let through, and if not why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EgressVerdict {
    /// A rule allows it.
    Allowed,
    /// No rule allows it, and the run only learns what would be needed.
    Learned,
    /// No rule has this scheme, host and port.
    HostNotListed,
    /// Rules have the host, and none of them the path.
    PathNotListed,
    /// Rules have the host and the path, and none of them the method.
    MethodNotListed,
    /// The name leads to an address that is not for everyone, and the rule does not say that it may.
    PrivateAddress,
    /// The name leads nowhere.
    Unresolved,
    /// Host, server name and tunnel do not agree.
    NamesDisagree,
    /// The request cannot be read in one way only.
    Malformed,
    /// A budget is spent.
    OverBudget,
}
