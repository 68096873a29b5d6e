//! Egress: the hosts that a sandbox may reach, and the decision on each attempt.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// An egress rule. Requests that no rule allows are denied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EgressRule {
    /// The scheme.
    #[serde(default)]
    pub scheme: EgressScheme,
    /// An endpoint of the pack that governs the run, in place of a host: its `endpoint_ref`, such as `internal://orders`,
    /// or `adapter://` and an id of an adapter. The paths are those below the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// The path of the endpoint's address, which the compiler fills in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_path: Option<String>,
    /// The host: a name, or an IP address. The compiler fills it in where an endpoint is named.
    #[serde(default)]
    #[schemars(length(max = 253))]
    pub host: String,
    /// True if the rule covers subdomains too.
    #[serde(default)]
    pub subdomains: bool,
    /// The port; the default of the scheme if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Paths: `/v1/rates` for one, `/v1/*` for all below; all if the list is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Methods, in capitals; `GET` and `HEAD` if the list is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<String>,
    /// True if the host may have a private, loopback or otherwise special address.
    #[serde(default)]
    pub private_addresses: bool,
    /// The credential that is added to requests outside the sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<EgressCredential>,
    /// Headers that code may send beside the credential, in addition to those that only describe the request and its body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<String>,
    /// The retry policy for requests whose answer was lost.
    #[serde(default)]
    pub repeat: EgressRepeat,
    /// The price of one request, in millionths of the budget's currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_micros: Option<u64>,
}

/// The scheme of an egress rule.
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
    /// Returns the scheme's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
        }
    }

    /// Returns the default port.
    pub fn port(self) -> u16 {
        match self {
            Self::Https => 443,
            Self::Http => 80,
        }
    }
}

/// A secret that is added to requests outside the sandbox, and that code inside never sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EgressCredential {
    /// The reference of the secret: `secret://name`.
    #[schemars(regex(pattern = r"^secret://[a-z0-9][a-z0-9_.-]*$"))]
    pub secret: String,
    /// The name of the header that carries it.
    pub header: String,
    /// The format of the header's value, with `{}` for the secret; the secret alone if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// The retry policy for requests whose answer was lost. Requests without effects may always be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EgressRepeat {
    /// Never retry: the request may have had its effect.
    #[default]
    Never,
    /// Retry: the host handles requests with the same `Idempotency-Key` only once.
    ByKey,
}

/// The decision on an egress attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EgressDecision {
    /// The channel of the attempt.
    pub channel: EgressChannel,
    /// The method; `CONNECT` for a tunnel.
    pub method: String,
    /// The scheme.
    pub scheme: EgressScheme,
    /// The host, in its canonical form.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The path without the query; empty for a tunnel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The verdict.
    pub verdict: EgressVerdict,
    /// The index of the rule that allowed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<usize>,
    /// The address that the name is pinned to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub address: Option<IpAddr>,
}

/// The channel of an egress attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EgressChannel {
    /// By the tool `http.fetch`.
    Fetch,
    /// Through the proxy.
    Proxy,
    /// By following a redirect.
    Redirect,
    /// By a client of models, outside the sandbox.
    Model,
}

/// The verdict on an egress attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EgressVerdict {
    /// A rule allows it.
    Allowed,
    /// No rule allows it; the run records what would be needed and lets it pass.
    Learned,
    /// No rule covers this scheme, host and port.
    HostNotListed,
    /// Rules cover the host, but not the path.
    PathNotListed,
    /// Rules cover host and path, but not the method.
    MethodNotListed,
    /// The name resolves to a special address, and the rule does not allow that.
    PrivateAddress,
    /// The name does not resolve.
    Unresolved,
    /// Host, server name and tunnel do not agree.
    NamesDisagree,
    /// The request is ambiguous.
    Malformed,
    /// A budget is exhausted.
    OverBudget,
}
