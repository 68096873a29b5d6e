//! Suggests rules that would have allowed what a run needed.

mod left_out;
mod needed;
mod paths;
mod yaml;

use deed_model::{EgressDecision, EgressRule, EgressScheme, EgressVerdict};
use std::collections::{BTreeMap, BTreeSet};

pub use left_out::{LeftOut, capability, left_out, spelled};
pub use needed::needed;
pub use yaml::yaml;

type Place<'a> = (EgressScheme, &'a str, u16);

/// Returns the smallest list of rules that allows what was learned: one rule for each host and set of methods. A folder with
/// three or more different entries is allowed as a whole, the root never. Tunnels are left out, since the
/// requests through them are learned themselves.
pub fn suggest(decisions: &[EgressDecision]) -> Vec<EgressRule> {
    let mut methods: BTreeMap<(Place<'_>, &str), BTreeSet<&str>> = BTreeMap::new();
    for decision in decisions.iter().filter(|decision| decision.verdict == EgressVerdict::Learned) {
        if let Some(path) = &decision.path {
            let place = (decision.scheme, decision.host.as_str(), decision.port);
            methods.entry((place, path)).or_default().insert(&decision.method);
        }
    }
    let mut paths: BTreeMap<(Place<'_>, BTreeSet<&str>), BTreeSet<&str>> = BTreeMap::new();
    for ((place, path), methods) in methods {
        paths.entry((place, methods)).or_default().insert(path);
    }
    paths.into_iter().map(|((place, methods), paths)| needed::rule(place, paths::folded(&paths), &methods)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use deed_model::EgressChannel;

    fn learned(method: &str, host: &str, path: Option<&str>) -> EgressDecision {
        EgressDecision {
            channel: EgressChannel::Proxy,
            method: method.to_owned(),
            scheme: EgressScheme::Https,
            host: host.to_owned(),
            port: 443,
            path: path.map(str::to_owned),
            verdict: EgressVerdict::Learned,
            rule: None,
            address: None,
        }
    }

    #[test]
    fn a_list_is_no_larger_than_what_was_needed() {
        let mut decisions = vec![learned("CONNECT", "a.test", None), learned("POST", "a.test", Some("/v1/orders"))];
        decisions.extend(["/v1/rates/eur", "/v1/rates/usd"].map(|path| learned("GET", "a.test", Some(path))));
        decisions.extend(["/x", "/y", "/z"].map(|path| learned("GET", "b.test", Some(path))));
        decisions.extend(["/p/1/a", "/p/2/b", "/p/3/c"].map(|path| learned("GET", "c.test", Some(path))));
        let text = yaml(&suggest(&decisions));
        let expected = r#"- host: "a.test"
  paths: ["/v1/rates/eur", "/v1/rates/usd"]
  methods: ["GET"]
- host: "a.test"
  paths: ["/v1/orders"]
  methods: ["POST"]
- host: "b.test"
  paths: ["/x", "/y", "/z"]
  methods: ["GET"]
- host: "c.test"
  paths: ["/p/*"]
  methods: ["GET"]
"#;
        assert_eq!(text, expected);
        assert!(Rules::read(suggest(&decisions)).is_ok());
    }

    #[test]
    fn what_was_allowed_or_refused_is_not_suggested() {
        let mut decision = learned("GET", "a.test", Some("/"));
        decision.verdict = EgressVerdict::PrivateAddress;
        assert_eq!(suggest(&[decision]), Vec::new());
    }
}
