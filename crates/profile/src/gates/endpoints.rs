//! The part of gate 13 about endpoints of providers: addresses that can be read, and secrets by their names.

use super::GateInput;
use crate::provider::{PROVIDERS, provider};
use deed_detect::SecretScanner;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_reach::{Location, secret_name};

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let bad = |message: String| Diagnostic::error(codes::BAD_MODEL_ENDPOINT, message);
    for (name, endpoint) in &input.profile.model_endpoints {
        let pointer = deed_canon::Pointer::push("/model_endpoints", name);
        if provider(name).is_none() {
            let known = PROVIDERS.iter().map(|provider| provider.name);
            let help = did_you_mean(name, known.clone());
            let help = help.unwrap_or_else(|| format!("the providers are {}", known.collect::<Vec<_>>().join(", ")));
            findings.push(bad(format!("unknown provider {}", quote(name))).at(input.file.place(&pointer)).help(help));
        }
        if let Some(why) = unfit(&endpoint.base_url) {
            let place = input.file.place(&format!("{pointer}/base_url"));
            findings.push(bad(why).at(place).help("write an address such as `https://models.acme.example/v1`"));
        }
        if endpoint.secret.as_deref().is_some_and(|secret| secret_name(secret).is_none()) {
            let place = input.file.place(&format!("{pointer}/secret"));
            let found = bad("the key is not named by a secret".to_owned()).at(place);
            findings.push(found.help("write `secret: secret://name`, and put the key into `.deed/secrets/name`"));
        }
    }
    findings
}

/// Returns the reason why an address cannot be used. The address is not repeated: it may hold a key.
fn unfit(base_url: &str) -> Option<String> {
    if !SecretScanner::standard().scan(base_url).is_empty() {
        return Some("the address holds what looks like a key".to_owned());
    }
    match Location::read(base_url) {
        Err(fault) => Some(format!("the address cannot be read: {fault}")),
        Ok(location) if location.query.is_some() || base_url.contains('#') => {
            Some("the address has a query or a fragment, where keys leak".to_owned())
        }
        Ok(_) => None,
    }
}
