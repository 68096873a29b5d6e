//! The smallest rule that would allow a request.

use super::Place;
use crate::address::{Special, special};
use deed_model::{EgressDecision, EgressRepeat, EgressRule, EgressVerdict};
use std::collections::BTreeSet;

/// Returns the smallest rule that would allow a denied request, where a rule could.
pub fn needed(decision: &EgressDecision) -> Option<EgressRule> {
    match decision.verdict {
        EgressVerdict::HostNotListed | EgressVerdict::PathNotListed | EgressVerdict::MethodNotListed => {}
        EgressVerdict::Allowed | EgressVerdict::Learned | EgressVerdict::OverBudget => return None,
        EgressVerdict::PrivateAddress | EgressVerdict::Unresolved => return None,
        EgressVerdict::NamesDisagree | EgressVerdict::Malformed => return None,
    }
    // A rule that lets a step read the credentials of the machine it runs on is never suggested.
    let special = decision.host.parse().ok().and_then(special);
    if special.is_some_and(|special| special == Special::Metadata || !special.may_be_listed()) {
        return None;
    }
    let place = (decision.scheme, decision.host.as_str(), decision.port);
    // A tunnel needs the host only; what is to go through it is not known yet.
    let paths = decision.path.iter().cloned().collect();
    let methods = decision.path.iter().map(|_| decision.method.as_str()).collect();
    let private_addresses = special.is_some() || decision.host == "localhost" || decision.host.ends_with(".localhost");
    Some(EgressRule { private_addresses, ..rule(place, paths, &methods) })
}

pub(super) fn rule((scheme, host, port): Place<'_>, paths: Vec<String>, methods: &BTreeSet<&str>) -> EgressRule {
    EgressRule {
        endpoint: None,
        base_path: None,
        scheme,
        host: host.to_owned(),
        subdomains: false,
        port: (port != scheme.port()).then_some(port),
        paths,
        methods: methods.iter().map(|method| (*method).to_owned()).collect(),
        private_addresses: false,
        credential: None,
        headers: Vec::new(),
        repeat: EgressRepeat::default(),
        price_micros: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deed_model::{EgressChannel, EgressScheme};

    fn for_host(host: &str) -> Option<bool> {
        let decision = EgressDecision {
            channel: EgressChannel::Proxy,
            method: "GET".to_owned(),
            scheme: EgressScheme::Http,
            host: host.to_owned(),
            port: 80,
            path: Some("/".to_owned()),
            verdict: EgressVerdict::HostNotListed,
            rule: None,
            address: None,
        };
        needed(&decision).map(|rule| rule.private_addresses)
    }

    #[test]
    fn what_is_suggested_would_allow_the_request() {
        for (host, private) in [("example.com", false), ("93.184.215.14", false), ("127.0.0.1", true), ("::1", true)] {
            assert_eq!(for_host(host), Some(private), "{host}");
        }
        assert_eq!(for_host("localhost"), Some(true));
        // What hands out credentials, and what no rule can list, is not suggested.
        for host in ["169.254.169.254", "fd00:ec2::254", "0.0.0.0", "224.0.0.1"] {
            assert_eq!(for_host(host), None, "{host}");
        }
    }
}
