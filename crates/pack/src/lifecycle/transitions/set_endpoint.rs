//! An entry of the endpoint registry is set.

use super::super::endpoints::EndpointRegistry;
use super::super::environment::is_environment_name;
use super::super::transition::Transition;
use crate::endpoint::{EndpointFault, check_endpoint};
use deed_diag::{Diagnostic, Place, codes, quote};
use deed_model::{Endpoint, RegistryEvent};

/// Sets where a reference leads in an environment. Setting an entry that is the same changes nothing.
pub fn may_set_endpoint(state: &EndpointRegistry, endpoint: Endpoint) -> Result<Transition, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut refuse = |message: String, help: &str| {
        let diagnostic = Diagnostic::error(codes::BAD_ENDPOINT, message).stage("endpoint");
        found.push(diagnostic.at(Place::file("endpoint")).help(help));
    };
    match check_endpoint(&endpoint.endpoint_ref) {
        Ok(()) => {}
        // The reference is not repeated: it may hold a password.
        Err(EndpointFault::Credentials) => refuse(
            "the reference carries a user name, a password or a query".to_owned(),
            "write `<registry>://<entry>`, and name the credential by `secret://`",
        ),
        Err(EndpointFault::NotAReference(why)) => refuse(
            format!("{} is not a registry reference: {why}", quote(&endpoint.endpoint_ref)),
            "write `<registry>://<entry>`, such as `internal://orders`",
        ),
    }
    if !is_environment_name(&endpoint.environment) {
        refuse(
            format!("{} is not the name of an environment", quote(&endpoint.environment)),
            "use lowercase letters, digits, `.`, `_` and `-`, beginning with a letter or a digit",
        );
    }
    if !is_base_url(&endpoint.base_url) {
        // The URL is not repeated: it may hold a password or a token.
        refuse(
            "the base URL is not a plain `https` or `http` URL".to_owned(),
            "write scheme, host and path alone, such as `https://orders.acme.example/v1`",
        );
    }
    if endpoint.credential.as_ref().is_some_and(|credential| !credential.secret.starts_with("secret://")) {
        refuse("the credential is not named by `secret://`".to_owned(), "write `secret://<name>`, never the secret");
    }
    if !found.is_empty() {
        return Err(found);
    }
    if state.get(&endpoint.environment, &endpoint.endpoint_ref) == Some(&endpoint) {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::EndpointSet { endpoint }))
}

/// Returns true for a URL without user, query and fragment. The gateway reads it once more, strictly.
fn is_base_url(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        !rest.is_empty()
            && !rest.starts_with('/')
            && rest.bytes().all(|b| b.is_ascii_graphic() && !b"@?#\\".contains(&b))
    })
}
