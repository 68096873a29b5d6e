//! Entries of the endpoint registry: where the adapters of packs are reached in an environment.

use crate::pack::AdapterType;
use crate::{EgressCredential, EndpointAddress};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An entry of the endpoint registry: where an `endpoint_ref` leads in one environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// The reference that packs write, such as `internal://orders`.
    pub endpoint_ref: String,
    /// The environment.
    pub environment: String,
    /// The protocol; must be that of the adapters that refer to the entry.
    #[serde(rename = "type")]
    pub adapter_type: AdapterType,
    /// The URL that the paths of calls are appended to, without user, query and fragment.
    pub base_url: String,
    /// True if the host may have a private, loopback or otherwise special address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private_addresses: bool,
    /// The credential that the gateway adds to each request, by the name of its secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<EgressCredential>,
    /// The OpenAPI document of the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openapi: Option<EndpointApi>,
}

/// An OpenAPI document as far as the registry keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndpointApi {
    /// Plain SHA-256 of the document's bytes.
    #[schemars(with = "String")]
    pub document: ContentHash,
    /// The ids of its operations, sorted: the capabilities that an adapter may have.
    pub operations: Vec<String>,
}

impl Endpoint {
    /// Returns what a compile may know of the entry: everything but the credential.
    pub fn address(&self) -> EndpointAddress {
        EndpointAddress { adapter_type: self.adapter_type, base_url: self.base_url.clone() }
    }
}
