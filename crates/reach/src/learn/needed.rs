//! The smallest rule that would allow a request.

use super::Place;
use deed_model::{EgressDecision, EgressRepeat, EgressRule, EgressVerdict};
use std::collections::BTreeSet;

/// The smallest rule that would allow what was decided against, where a rule could.
pub fn needed(decision: &EgressDecision) -> Option<EgressRule> {
    match decision.verdict {
        EgressVerdict::HostNotListed | EgressVerdict::PathNotListed | EgressVerdict::MethodNotListed => {}
        EgressVerdict::Allowed | EgressVerdict::Learned | EgressVerdict::OverBudget => return None,
        EgressVerdict::PrivateAddress | EgressVerdict::Unresolved => return None,
        EgressVerdict::NamesDisagree | EgressVerdict::Malformed => return None,
    }
    let place = (decision.scheme, decision.host.as_str(), decision.port);
    // A tunnel needs the host only; what is to go through it is not known yet.
    let paths = decision.path.iter().cloned().collect();
    let methods = decision.path.iter().map(|_| decision.method.as_str()).collect();
    Some(rule(place, paths, &methods))
}

pub(super) fn rule((scheme, host, port): Place<'_>, paths: Vec<String>, methods: &BTreeSet<&str>) -> EgressRule {
    EgressRule {
        scheme,
        host: host.to_owned(),
        subdomains: false,
        port: (port != scheme.port()).then_some(port),
        paths,
        methods: methods.iter().map(|method| (*method).to_owned()).collect(),
        private_addresses: false,
        credential: None,
        repeat: EgressRepeat::default(),
        price_micros: None,
    }
}
