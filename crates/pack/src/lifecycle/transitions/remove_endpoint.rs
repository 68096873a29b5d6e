//! An entry of the endpoint registry is removed.

use super::super::endpoints::EndpointRegistry;
use super::super::transition::Transition;
use super::reason;
use deed_diag::{Diagnostic, Place, codes, did_you_mean, quote};
use deed_model::RegistryEvent;

/// Removes an entry. Packs that refer to it are not resolved in the environment any more.
pub fn may_remove_endpoint(
    state: &EndpointRegistry,
    environment: &str,
    endpoint_ref: &str,
    why: &str,
) -> Result<Transition, Vec<Diagnostic>> {
    reason::given(why, "removing an endpoint", Place::file("endpoint"))?;
    if state.get(environment, endpoint_ref).is_none() {
        let message = format!("there is no endpoint {} in {}", quote(endpoint_ref), quote(environment));
        let there = state.iter().filter(|e| e.environment == environment).map(|e| e.endpoint_ref.as_str());
        let help = did_you_mean(endpoint_ref, there)
            .unwrap_or_else(|| "`deed endpoint list` shows the endpoints of each environment".to_owned());
        let diagnostic = Diagnostic::error(codes::NO_SUCH_ENDPOINT, message).stage("endpoint");
        return Err(vec![diagnostic.at(Place::file("endpoint")).help(help)]);
    }
    Ok(Transition::append(RegistryEvent::EndpointRemoved {
        endpoint_ref: endpoint_ref.to_owned(),
        environment: environment.to_owned(),
        reason: why.to_owned(),
    }))
}
