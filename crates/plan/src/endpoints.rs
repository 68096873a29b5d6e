//! Egress rules that name an endpoint of the pack: scheme, host, port and credential come from the endpoint registry.

use deed_diag::{Diagnostic, Document, codes, did_you_mean, quote};
use deed_model::{EgressRule, EgressScheme, Endpoint, Plan};
use deed_reach::{Location, base_path};
use std::collections::BTreeMap;

/// The endpoints that rules may name: by `endpoint_ref`, and by `adapter://` and the id of an adapter.
pub type Endpoints = BTreeMap<String, Endpoint>;

/// The host of a rule whose endpoint is unknown, so that it is reported once.
const UNRESOLVED: &str = "endpoint.invalid";

/// Puts the address of its endpoint into each rule that names one.
pub(crate) fn resolve(document: &Document, plan: &mut Plan, endpoints: &Endpoints) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (step, authored) in plan.steps.iter_mut().enumerate() {
        for (index, rule) in authored.egress.iter_mut().enumerate() {
            let at = |field: &str| document.place(&format!("/steps/{step}/egress/{index}/{field}"));
            let mut refuse = |field: &str, code, message: String, help: String| {
                findings.push(Diagnostic::error(code, message).stage("candidate").at(at(field)).help(help));
            };
            let Some(name) = rule.endpoint.clone() else {
                if rule.base_path.is_some() {
                    let message = "a rule without an endpoint has no base path".to_owned();
                    refuse(
                        "base_path",
                        codes::BAD_ENDPOINT_RULE,
                        message,
                        "write whole paths under `paths`".to_owned(),
                    );
                }
                continue;
            };
            for field in stated(rule) {
                let message = format!("`{field}` comes from the endpoint {}", quote(&name));
                let help = format!("remove `{field}`, or name the host in place of the endpoint");
                refuse(field, codes::BAD_ENDPOINT_RULE, message, help);
            }
            match endpoints.get(&name).and_then(|endpoint| Some((endpoint, Location::read(&endpoint.base_url).ok()?))) {
                Some((endpoint, location)) => fill(rule, endpoint, &location),
                None => {
                    let message = format!("{} is not an endpoint that the step can reach", quote(&name));
                    refuse("endpoint", codes::ENDPOINT_NOT_REGISTERED, message, help(&name, endpoints));
                    UNRESOLVED.clone_into(&mut rule.host);
                }
            }
        }
    }
    findings
}

fn help(name: &str, endpoints: &Endpoints) -> String {
    if endpoints.is_empty() {
        return "give `--pack ID --env ENV`, and register the endpoint with `deed endpoint add`".to_owned();
    }
    did_you_mean(name, endpoints.keys().map(String::as_str)).unwrap_or_else(|| {
        let known: Vec<String> = endpoints.keys().map(|known| quote(known)).collect();
        format!("the pack has {} here; register others with `deed endpoint add`", known.join(", "))
    })
}

/// Returns the fields that a rule states and its endpoint decides.
fn stated(rule: &EgressRule) -> Vec<&'static str> {
    let fields = [
        ("scheme", rule.scheme != EgressScheme::default()),
        ("host", !rule.host.is_empty()),
        ("port", rule.port.is_some()),
        ("subdomains", rule.subdomains),
        ("private_addresses", rule.private_addresses),
        ("credential", rule.credential.is_some()),
        ("base_path", rule.base_path.is_some()),
    ];
    fields.into_iter().filter_map(|(field, is_stated)| is_stated.then_some(field)).collect()
}

/// Fills in what the endpoint decides. Paths of the rule are those below the endpoint.
fn fill(rule: &mut EgressRule, endpoint: &Endpoint, location: &Location) {
    let base = base_path(location);
    rule.scheme = location.scheme;
    rule.host = location.host.plain();
    rule.port = (location.port != location.scheme.port()).then_some(location.port);
    rule.subdomains = false;
    rule.private_addresses = endpoint.private_addresses;
    rule.credential.clone_from(&endpoint.credential);
    rule.paths = match (rule.paths.is_empty(), base.is_empty()) {
        (true, true) => Vec::new(),
        (true, false) => vec![base.to_owned(), format!("{base}/*")],
        (false, _) => rule.paths.iter().map(|path| format!("{base}{path}")).collect(),
    };
    rule.base_path = Some(base.to_owned());
}
