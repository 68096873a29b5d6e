//! Endpoints of providers: addresses in place of a provider's own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The endpoint of a provider. An egress rule of the profile has to cover it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ModelEndpoint {
    /// The URL that the paths of calls are appended to.
    #[schemars(length(min = 1, max = 2000))]
    pub base_url: String,
    /// True if the host may have a private or loopback address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private_addresses: bool,
    /// The secret that is the key, in place of the provider's name: `secret://name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}
