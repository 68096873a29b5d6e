//! `deed endpoint add`: where a reference leads in an environment.

use super::shown::ShownEndpoint;
use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deed_app::AppError;
use deed_app::endpoints::{NewEndpoint, add};
use deed_app::registry::without_secret;
use deed_diag::Invariant as _;
use deed_model::{AdapterType, EgressCredential};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Add an endpoint to an environment, or replace it, on record.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed endpoint add internal://orders --env prod --type OPENAPI \\
      --url https://orders.acme.example/v1
  deed endpoint add internal://orders --env prod --type OPENAPI \\
      --url https://orders.acme.example/v1 --secret orders_key \\
    --header authorization --format 'Bearer {}' --openapi orders.openapi.yaml")]
pub(crate) struct Add {
    /// Reference that packs write, such as internal://orders.
    #[arg(value_name = "REF")]
    endpoint_ref: String,
    /// Environment.
    #[arg(long = "env", value_name = "NAME")]
    environment: String,
    /// Protocol; must be the type of the adapters that refer to it.
    #[arg(long = "type", value_name = "TYPE", value_parser = protocol())]
    adapter_type: AdapterType,
    /// URL that the paths of calls are appended to.
    #[arg(long, value_name = "URL")]
    url: String,
    /// Name of the secret that the gateway adds to each request; never the secret itself.
    #[arg(long, value_name = "NAME")]
    secret: Option<String>,
    /// Header that carries the secret.
    #[arg(long, value_name = "HEADER", requires = "secret", default_value = "authorization")]
    header: String,
    /// Value of the header, with {} for the secret [default: the secret alone].
    #[arg(long, value_name = "TEXT", requires = "secret")]
    format: Option<String>,
    /// Accept a host with a private or loopback address.
    #[arg(long)]
    private_addresses: bool,
    /// OpenAPI document of the service; capabilities are compared with its operations.
    #[arg(long, value_name = "FILE")]
    openapi: Option<PathBuf>,
}

/// An endpoint that was added.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AddedEndpoint {
    /// The entry.
    endpoint: ShownEndpoint,
    /// The event in the log; null where the same entry was there.
    event: Option<Recorded>,
}

/// The protocols as the shell can complete them.
fn protocol() -> impl TypedValueParser<Value = AdapterType> {
    PossibleValuesParser::new(AdapterType::ALL.map(AdapterType::as_str)).map(|name| {
        let found = AdapterType::ALL.into_iter().find(|known| known.as_str() == name);
        found.invariant("clap accepts the names of protocols alone")
    })
}

impl Add {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let credential = self.secret.as_deref().map(|name| self.credential(name)).transpose()?;
        let new = NewEndpoint {
            endpoint_ref: self.endpoint_ref.clone(),
            environment: self.environment.clone(),
            adapter_type: self.adapter_type,
            base_url: self.url.clone(),
            credential,
            private_addresses: self.private_addresses,
            openapi: self.openapi.clone(),
        };
        let (endpoint, outcome) = add(&global.session(), &new)?;
        let shown = ShownEndpoint::of(&endpoint);
        let text = shown.line();
        let data = AddedEndpoint { endpoint: shown, event: event(&outcome) };
        Ok(Success::new(data, text).remark(outcome.to_string()))
    }

    /// The credential by the name of its secret, with or without `secret://`.
    fn credential(&self, name: &str) -> Result<EgressCredential, AppError> {
        let name = without_secret("--secret", name)?;
        let secret = if name.starts_with("secret://") { name.to_owned() } else { format!("secret://{name}") };
        let format = self.format.as_deref().map(|format| without_secret("--format", format)).transpose()?;
        Ok(EgressCredential { secret, header: self.header.clone(), format: format.map(str::to_owned) })
    }
}
