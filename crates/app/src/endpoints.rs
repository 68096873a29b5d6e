//! The endpoint registry: where the adapters of packs are reached in each environment, and by which credential.

use crate::error::AppError;
use crate::imprints;
use crate::registry::{error, without_secret};
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, Report, codes, did_you_mean, quote};
use deed_model::{
    Adapter, AdapterType, ContextPack, EgressCredential, EgressRule, Endpoint, EndpointApi, EnvironmentEndpoints,
};
use deed_pack::EndpointRegistry;
use deed_plan::Endpoints;
use deed_reach::{Location, Rules};
use deed_store::Outcome;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tracing::info_span;

/// An entry to add.
#[derive(Debug, Clone)]
pub struct NewEndpoint {
    /// The reference that packs write, such as `internal://orders`.
    pub endpoint_ref: String,
    /// The environment.
    pub environment: String,
    /// The protocol.
    pub adapter_type: AdapterType,
    /// The URL that the paths of calls are appended to.
    pub base_url: String,
    /// The credential that the gateway adds to each request.
    pub credential: Option<EgressCredential>,
    /// True if the host may have a private or otherwise special address.
    pub private_addresses: bool,
    /// The OpenAPI document of the service.
    pub openapi: Option<PathBuf>,
}

/// Adds an entry, or replaces the one of the same reference and environment.
///
/// # Errors
/// The entry is malformed or holds a secret, the document cannot be read, or the registry cannot be written.
pub fn add(session: &Session, new: &NewEndpoint) -> Result<(Endpoint, Outcome), AppError> {
    let _span = info_span!("add endpoint").entered();
    without_secret("REF", &new.endpoint_ref)?;
    without_secret("--url", &new.base_url)?;
    let openapi = new.openapi.as_ref().map(|path| api(path.as_path())).transpose()?;
    let endpoint = Endpoint {
        endpoint_ref: new.endpoint_ref.clone(),
        environment: new.environment.clone(),
        adapter_type: new.adapter_type,
        base_url: new.base_url.clone(),
        private_addresses: new.private_addresses,
        credential: new.credential.clone(),
        openapi,
    };
    reachable(&endpoint)?;
    let (_, registry) = session.registry()?;
    let outcome = registry.set_endpoint(&endpoint, &session.stamp()?).map_err(error)?;
    Ok((endpoint, outcome))
}

/// Lists the entries, of one environment or of all.
///
/// # Errors
/// The registry cannot be read.
pub fn list(session: &Session, environment: Option<&str>) -> Result<Vec<Endpoint>, AppError> {
    let (_, registry) = session.registry()?;
    let known = registry.endpoints().map_err(error)?;
    let wanted = |endpoint: &&Endpoint| environment.is_none_or(|own| endpoint.environment == own);
    Ok(known.iter().filter(wanted).cloned().collect())
}

/// Returns the entry of a reference in an environment.
///
/// # Errors
/// There is none, or the registry cannot be read.
pub fn show(session: &Session, environment: &str, endpoint_ref: &str) -> Result<Endpoint, AppError> {
    let (_, registry) = session.registry()?;
    let known = registry.endpoints().map_err(error)?;
    known.get(environment, endpoint_ref).cloned().ok_or_else(|| missing(&known, environment, endpoint_ref))
}

/// Removes an entry, on record.
///
/// # Errors
/// There is no such entry, the reason is empty or holds a secret, or the registry cannot be written.
pub fn remove(session: &Session, environment: &str, endpoint_ref: &str, reason: &str) -> Result<Outcome, AppError> {
    let (_, registry) = session.registry()?;
    let reason = without_secret("--reason", reason)?;
    registry.remove_endpoint(environment, endpoint_ref, reason, &session.stamp()?).map_err(error)
}

fn missing(known: &EndpointRegistry, environment: &str, endpoint_ref: &str) -> AppError {
    let message = format!("there is no endpoint {} in {}", quote(endpoint_ref), quote(environment));
    let there = known.iter().filter(|e| e.environment == environment).map(|e| e.endpoint_ref.as_str());
    let help = did_you_mean(endpoint_ref, there)
        .unwrap_or_else(|| "`deed endpoint list` shows the endpoints of each environment".to_owned());
    AppError::refused(Diagnostic::error(codes::NO_SUCH_ENDPOINT, message).stage("endpoint").help(help))
}

fn malformed(message: impl Into<String>, help: &str) -> AppError {
    AppError::refused(Diagnostic::error(codes::BAD_ENDPOINT, message).stage("endpoint").help(help))
}

/// Checks that the gateway could send a request there, as it checks the rules of a plan.
fn reachable(endpoint: &Endpoint) -> Result<(), AppError> {
    let plain = "write scheme, host and path alone, such as `https://orders.acme.example/v1`";
    // The URL is not repeated: it may hold a password.
    let location = Location::read(&endpoint.base_url)
        .map_err(|fault| malformed(format!("the base URL cannot be read: {fault}"), plain))?;
    if location.query.is_some() || endpoint.base_url.contains('#') {
        return Err(malformed("the base URL has a query or a fragment", plain));
    }
    let rule = EgressRule {
        endpoint: None,
        base_path: None,
        scheme: location.scheme,
        host: location.host.plain(),
        subdomains: false,
        port: Some(location.port),
        paths: Vec::new(),
        methods: Vec::new(),
        private_addresses: endpoint.private_addresses,
        credential: endpoint.credential.clone(),
        headers: Vec::new(),
        repeat: Default::default(),
        price_micros: None,
    };
    match Rules::read(vec![rule]) {
        Ok(_) => Ok(()),
        Err(faults) => {
            let messages: Vec<String> =
                faults.iter().map(|fault| format!("{}: {}", fault.field, fault.message)).collect();
            Err(malformed(messages.join("; "), "`deed explain D2501` shows how an endpoint is written"))
        }
    }
}

/// Reads the operations of an API description.
fn api(path: &Path) -> Result<EndpointApi, AppError> {
    let described = imprints::operations(path)?;
    let mut operations: Vec<String> = described.operations.into_iter().map(|operation| operation.id).collect();
    operations.sort_unstable();
    operations.dedup();
    let bytes = crate::files::read(path)?.bytes;
    Ok(EndpointApi { document: ContentHash::of_bytes(&bytes), operations })
}

/// The endpoints of a pack in an environment.
#[derive(Debug, Default)]
pub(crate) struct ResolvedEndpoints {
    /// The addresses, for a compile.
    pub(crate) addresses: EnvironmentEndpoints,
    /// The entries by the names that plans use, for egress rules.
    pub(crate) entries: Endpoints,
    /// Adapters whose endpoint is not there, is of another type, or has no such operation; as warnings.
    pub(crate) report: Report,
}

/// Resolves the endpoints of a pack, overlays applied, in an environment.
pub(crate) fn resolve(session: &Session, pack: &ContextPack, environment: &str) -> Result<ResolvedEndpoints, AppError> {
    let (_, registry) = session.registry()?;
    let known = registry.endpoints().map_err(error)?;
    let mut entries = BTreeMap::new();
    let mut report = Report::default();
    let mut addresses = BTreeMap::new();
    for adapter in &pack.tooling_layer.adapter_registry {
        let found = known.get(environment, &adapter.endpoint_ref);
        if let Some(endpoint) = found {
            addresses.insert(adapter.endpoint_ref.clone(), endpoint.address());
        }
        match judge(adapter, environment, found) {
            Ok(endpoint) => {
                entries.insert(adapter.endpoint_ref.clone(), endpoint.clone());
                entries.insert(format!("adapter://{}", adapter.adapter_id), endpoint.clone());
                unknown_operations(adapter, endpoint).into_iter().for_each(|finding| report.push(finding));
            }
            Err(finding) => report.push(*finding),
        }
    }
    let addresses = EnvironmentEndpoints { environment: environment.to_owned(), addresses };
    Ok(ResolvedEndpoints { addresses, entries, report })
}

fn judge<'e>(
    adapter: &Adapter,
    environment: &str,
    found: Option<&'e Endpoint>,
) -> Result<&'e Endpoint, Box<Diagnostic>> {
    let (id, reference) = (&adapter.adapter_id, quote(&adapter.endpoint_ref));
    let Some(endpoint) = found else {
        let message = format!("`{id}` refers to {reference}, which `{environment}` does not have");
        let help = format!(
            "`deed endpoint add {} --env {environment} --type {} --url https://…`",
            adapter.endpoint_ref, adapter.adapter_type
        );
        let finding = Diagnostic::warning(codes::ENDPOINT_NOT_REGISTERED, message).stage("endpoint");
        return Err(Box::new(finding.help(help)));
    };
    if endpoint.adapter_type != adapter.adapter_type {
        let (own, other) = (adapter.adapter_type, endpoint.adapter_type);
        let message = format!("`{id}` is {own}, and {reference} in `{environment}` is {other}");
        let finding = Diagnostic::warning(codes::ENDPOINT_OF_OTHER_TYPE, message).stage("endpoint");
        return Err(Box::new(finding.help("add the endpoint again with the adapter's type, or correct the pack")));
    }
    Ok(endpoint)
}

fn unknown_operations(adapter: &Adapter, endpoint: &Endpoint) -> Vec<Diagnostic> {
    let Some(api) = &endpoint.openapi else { return Vec::new() };
    let known = |id: &str| api.operations.iter().any(|operation| operation == id);
    let capabilities = adapter.capabilities.iter().map(deed_model::Capability::id).filter(|id| !known(id));
    let finding = |id: &str| {
        let message = format!("`{}.{id}` is no operation of {}", adapter.adapter_id, quote(&endpoint.endpoint_ref));
        let near = did_you_mean(id, api.operations.iter().map(String::as_str));
        let help = near.unwrap_or_else(|| format!("the service has {} operations", api.operations.len()));
        Diagnostic::warning(codes::CAPABILITY_WITHOUT_OPERATION, message).stage("endpoint").help(help)
    };
    capabilities.map(finding).collect()
}
