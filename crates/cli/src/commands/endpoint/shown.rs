//! An entry of the endpoint registry, as it is printed: a credential by the name of its secret alone.

use crate::text::writeln;
use deed_model::Endpoint;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// An entry of the endpoint registry.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownEndpoint {
    /// The reference that packs write.
    endpoint_ref: String,
    /// The environment.
    environment: String,
    /// The protocol.
    #[serde(rename = "type")]
    adapter_type: String,
    /// The URL that the paths of calls are appended to.
    base_url: String,
    /// True if the host may have a private address.
    private_addresses: bool,
    /// The name of the secret that the gateway adds; null where none is sent.
    secret: Option<String>,
    /// The header that carries it.
    header: Option<String>,
    /// The operations of the API description that was given; null without one.
    operations: Option<Vec<String>>,
}

impl ShownEndpoint {
    pub(super) fn of(endpoint: &Endpoint) -> Self {
        let credential = endpoint.credential.as_ref();
        Self {
            endpoint_ref: endpoint.endpoint_ref.clone(),
            environment: endpoint.environment.clone(),
            adapter_type: endpoint.adapter_type.as_str().to_owned(),
            base_url: endpoint.base_url.clone(),
            private_addresses: endpoint.private_addresses,
            secret: credential.map(|credential| credential.secret.clone()),
            header: credential.map(|credential| credential.header.clone()),
            operations: endpoint.openapi.as_ref().map(|api| api.operations.clone()),
        }
    }

    /// One line of a list.
    pub(super) fn line(&self) -> String {
        let Self { endpoint_ref, environment, adapter_type, base_url, .. } = self;
        let secret = self.secret.as_ref().map_or_else(String::new, |secret| format!("  {secret}"));
        crate::text::line(format_args!("{environment:<10} {endpoint_ref}  {adapter_type}  {base_url}{secret}"))
    }

    /// All of it, a line for each part.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "endpoint     {}", self.endpoint_ref);
        let _ = writeln!(text, "environment  {}", self.environment);
        let _ = writeln!(text, "type         {}", self.adapter_type);
        let private = if self.private_addresses { " (also at a private address)" } else { "" };
        let _ = writeln!(text, "url          {}{private}", self.base_url);
        if let (Some(secret), Some(header)) = (&self.secret, &self.header) {
            let _ = writeln!(text, "credential   {secret} in {header}");
        }
        if let Some(operations) = &self.operations {
            let _ = writeln!(text, "operations   {}", operations.join(", "));
        }
        text
    }
}
