//! Requests that no suggested rule covers, with the reason: a list that is pasted must not look complete where it is not.

use deed_model::{EgressDecision, EgressVerdict};
use std::collections::BTreeSet;

/// Methods that are not learned, since no rule can allow them.
const NEVER: [&str; 3] = ["CONNECT", "TRACE", "TRACK"];

/// A request that was needed and that no suggested rule allows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// The method and where it was to go.
    pub request: String,
    /// The reason why no rule covers it, and what can be done about it.
    pub why: &'static str,
}

/// Returns the requests that none of the rules of [`suggest`](super::suggest) covers, each once and in order.
pub fn left_out(decisions: &[EgressDecision]) -> Vec<LeftOut> {
    let left = decisions.iter().filter_map(|decision| {
        let why = why(decision).or_else(|| unused(decision, decisions))?;
        Some(LeftOut { request: spelled(decision), why })
    });
    left.collect::<BTreeSet<_>>().into_iter().collect()
}

fn why(decision: &EgressDecision) -> Option<&'static str> {
    match decision.verdict {
        EgressVerdict::Allowed | EgressVerdict::Learned => None,
        EgressVerdict::PrivateAddress => {
            Some("its address is not public; only a rule with `private_addresses: true` lets it through")
        }
        EgressVerdict::Unresolved => Some("its name leads to no address; `--resolve NAME=ADDRESS` gives it one"),
        EgressVerdict::HostNotListed | EgressVerdict::PathNotListed | EgressVerdict::MethodNotListed => {
            let never = NEVER.contains(&decision.method.as_str());
            Some(if never { "no rule can allow its method" } else { "it was refused before it could be learned" })
        }
        EgressVerdict::NamesDisagree => Some("host, server name and tunnel do not agree; no rule lets that through"),
        EgressVerdict::Malformed => Some("it can be read in more than one way; no rule lets that through"),
        EgressVerdict::OverBudget => Some("the budget was spent before it; grant more and learn again"),
    }
}

/// A tunnel that was learned, and through which nothing was asked: what it was for is not known.
fn unused(tunnel: &EgressDecision, decisions: &[EgressDecision]) -> Option<&'static str> {
    let within = |other: &EgressDecision| {
        other.path.is_some() && (other.scheme, &other.host, other.port) == (tunnel.scheme, &tunnel.host, tunnel.port)
    };
    let is_one = tunnel.path.is_none() && tunnel.verdict == EgressVerdict::Learned;
    (is_one && !decisions.iter().any(within)).then_some("nothing was asked through this tunnel")
}

/// The capability that a step needs for a method, in addition to a rule.
pub fn capability(method: &str) -> &'static str {
    match method {
        "GET" | "HEAD" | "OPTIONS" => "http.fetch",
        _ => "http.submit",
    }
}

/// Describes a request in a line: its method and destination.
pub fn spelled(decision: &EgressDecision) -> String {
    let EgressDecision { method, scheme, host, port, path, .. } = decision;
    if host.is_empty() {
        return format!("{method} of an address that cannot be read");
    }
    let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    let port = if *port == scheme.port() { String::new() } else { format!(":{port}") };
    format!("{method} {}://{host}{port}{}", scheme.as_str(), path.as_deref().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::suggest;
    use crate::rules::Rules;
    use deed_model::{EgressChannel, EgressScheme};

    fn decision(method: &str, host: &str, path: Option<&str>, verdict: EgressVerdict) -> EgressDecision {
        EgressDecision {
            channel: EgressChannel::Fetch,
            method: method.to_owned(),
            scheme: EgressScheme::Https,
            host: host.to_owned(),
            port: 443,
            path: path.map(str::to_owned),
            verdict,
            rule: None,
            address: None,
        }
    }

    #[test]
    fn a_request_that_no_rule_covers_is_reported_once_with_its_reason() {
        let mut inner = decision("GET", "10.1.2.3", Some("/a"), EgressVerdict::PrivateAddress);
        (inner.scheme, inner.port) = (EgressScheme::Http, 8080);
        let decisions = [
            decision("GET", "b.test", Some("/x"), EgressVerdict::Unresolved),
            inner.clone(),
            inner,
            decision("TRACE", "a.test", Some("/"), EgressVerdict::MethodNotListed),
            decision("GET", "a.test", Some("/"), EgressVerdict::Learned),
            decision("GET", "a.test", Some("/known"), EgressVerdict::Allowed),
        ];
        let left: Vec<(String, &str)> = left_out(&decisions).into_iter().map(|left| (left.request, left.why)).collect();
        let expected = [
            (
                "GET http://10.1.2.3:8080/a",
                "its address is not public; only a rule with `private_addresses: true` lets it through",
            ),
            ("GET https://b.test/x", "its name leads to no address; `--resolve NAME=ADDRESS` gives it one"),
            ("TRACE https://a.test/", "no rule can allow its method"),
        ];
        assert_eq!(left, expected.map(|(request, why)| (request.to_owned(), why)));
    }

    #[test]
    fn a_tunnel_without_a_request_is_reported() {
        let tunnel = |host| decision("CONNECT", host, None, EgressVerdict::Learned);
        let asked = decision("GET", "a.test", Some("/"), EgressVerdict::Learned);
        let left = left_out(&[tunnel("a.test"), asked, tunnel("b.test")]);
        assert_eq!(left.iter().map(|left| left.request.as_str()).collect::<Vec<_>>(), ["CONNECT https://b.test"]);
    }

    #[test]
    fn no_rule_can_allow_what_is_said_to_be_so() {
        for method in NEVER {
            let rules = suggest(&[decision(method, "a.test", Some("/"), EgressVerdict::Learned)]);
            assert!(Rules::read(rules).is_err(), "{method}");
        }
    }

    /// Every need is covered by a suggested rule or listed as left out.
    #[test]
    fn nothing_that_was_refused_is_kept_quiet() {
        for verdict in [
            EgressVerdict::HostNotListed,
            EgressVerdict::PathNotListed,
            EgressVerdict::MethodNotListed,
            EgressVerdict::PrivateAddress,
            EgressVerdict::Unresolved,
            EgressVerdict::NamesDisagree,
            EgressVerdict::Malformed,
            EgressVerdict::OverBudget,
        ] {
            let decisions = [decision("GET", "a.test", Some("/"), verdict)];
            assert!(suggest(&decisions).is_empty());
            assert_eq!(left_out(&decisions).len(), 1, "{verdict:?}");
        }
    }
}
