//! Endpoints as a compile sees them: resolved under an environment, and without their credentials.

use crate::pack::AdapterType;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The endpoints of an environment, as far as the pack refers to them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentEndpoints {
    /// The environment.
    pub environment: String,
    /// The addresses, by `endpoint_ref`. A reference that is not registered has none.
    pub addresses: BTreeMap<String, EndpointAddress>,
}

/// The address of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndpointAddress {
    /// The protocol.
    #[serde(rename = "type")]
    pub adapter_type: AdapterType,
    /// The URL that the paths of calls are appended to.
    pub base_url: String,
}

/// The endpoint of an adapter in the tool manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolEndpoint<'a> {
    /// The address in the environment; none if the reference is not registered there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<Cow<'a, str>>,
    /// The reference, after overlays.
    pub endpoint_ref: Cow<'a, str>,
    /// The environment.
    pub environment: Cow<'a, str>,
    /// The protocol that the adapter declares.
    #[serde(rename = "type")]
    pub adapter_type: AdapterType,
}
