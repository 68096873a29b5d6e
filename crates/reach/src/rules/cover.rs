//! Coverage: whether everything that one rule allows, another allows too.

use super::checked::{CheckedRule, PathRule};
use super::lint;
use crate::url::Host;
use deed_model::{EgressRepeat, EgressRule};

/// Returns true if `wide` allows whatever `narrow` allows, with the same credential and price. A rule with a fault
/// covers nothing and is covered by nothing.
///
/// Rules of an endpoint without an address are compared by its name, because the address is known only when a plan is compiled.
pub fn covers(wide: &EgressRule, narrow: &EgressRule) -> bool {
    let narrow = &of_endpoint(wide, narrow);
    let Some((wide_rule, narrow_rule)) = checked(wide).zip(checked(narrow)) else { return false };
    wide.endpoint == narrow.endpoint
        && wide.base_path == narrow.base_path
        && has_host(&wide_rule, &narrow_rule)
        && has_paths(&wide_rule.paths, &narrow_rule.paths)
        && has_methods(&wide_rule, &narrow_rule)
        && (wide.private_addresses || !narrow.private_addresses)
        && (narrow.credential.is_none() || wide.credential == narrow.credential)
        && (narrow.credential.is_none() || has_headers(wide, narrow))
        && (narrow.repeat == EgressRepeat::Never || wide.repeat == narrow.repeat)
        && (wide.price_micros.is_none() || wide.price_micros == narrow.price_micros)
}

/// Returns the narrower rule without the address of its endpoint, if the wider one names the same endpoint without an
/// address: where it lies and with which credential it is reached is then decided by the registry of endpoints alone.
fn of_endpoint(wide: &EgressRule, narrow: &EgressRule) -> EgressRule {
    let unresolved = wide.endpoint.is_some() && wide.host.is_empty() && wide.endpoint == narrow.endpoint;
    match unresolved {
        false => narrow.clone(),
        true => EgressRule {
            scheme: wide.scheme,
            host: String::new(),
            subdomains: wide.subdomains,
            port: wide.port,
            base_path: wide.base_path.clone(),
            private_addresses: wide.private_addresses,
            credential: wide.credential.clone(),
            ..narrow.clone()
        },
    }
}

/// Reads a rule. One that names an endpoint has no host yet.
fn checked(rule: &EgressRule) -> Option<CheckedRule> {
    let mut rule = rule.clone();
    if rule.endpoint.is_some() && rule.host.is_empty() {
        rule.host = "endpoint.invalid".to_owned();
    }
    lint::read(0, rule).ok().map(|(_, checked)| checked)
}

fn has_host(wide: &CheckedRule, narrow: &CheckedRule) -> bool {
    let below = match (&wide.host, &narrow.host) {
        (Host::Name(own), Host::Name(name)) if wide.subdomains => {
            name.strip_suffix(own.as_str()).is_some_and(|front| front.is_empty() || front.ends_with('.'))
        }
        (own, host) => own == host && !narrow.subdomains,
    };
    below && wide.scheme == narrow.scheme && wide.port == narrow.port
}

/// An empty list stands for all paths.
fn has_paths(wide: &[PathRule], narrow: &[PathRule]) -> bool {
    let has = |path: &PathRule| {
        wide.iter().any(|own| match (own, path) {
            (PathRule::Exact(own), PathRule::Exact(path)) => own == path,
            (PathRule::Below(folder), PathRule::Exact(path) | PathRule::Below(path)) => path.starts_with(folder),
            (PathRule::Exact(_), PathRule::Below(_)) => false,
        })
    };
    wide.is_empty() || (!narrow.is_empty() && narrow.iter().all(has))
}

fn has_methods(wide: &CheckedRule, narrow: &CheckedRule) -> bool {
    match narrow.methods.is_empty() {
        true => wide.has_method("GET") && wide.has_method("HEAD"),
        false => narrow.methods.iter().all(|method| wide.has_method(method)),
    }
}

/// What may be sent beside the credential.
fn has_headers(wide: &EgressRule, narrow: &EgressRule) -> bool {
    narrow.headers.iter().all(|name| wide.headers.iter().any(|own| own.eq_ignore_ascii_case(name)))
}
