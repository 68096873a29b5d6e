//! A rule in words.

use deed_model::EgressRule;
use std::fmt::Write as _;

/// Describes what a rule allows, in one line.
pub fn in_words(rule: &EgressRule) -> String {
    let or = |list: &[String], otherwise: &str| if list.is_empty() { otherwise.to_owned() } else { list.join(", ") };
    let host = if rule.host.contains(':') { format!("[{}]", rule.host) } else { rule.host.clone() };
    let port = rule.port.filter(|port| *port != rule.scheme.port()).map_or_else(String::new, |port| format!(":{port}"));
    let mut words = format!("{} {}://{host}{port}", or(&rule.methods, "GET, HEAD"), rule.scheme.as_str());
    match rule.paths.as_slice() {
        [] => words.push_str("/*"),
        [path] => words.push_str(path),
        // Writing to a string cannot fail.
        paths => drop(write!(words, " at {}", paths.join(", "))),
    }
    if let Some(endpoint) = &rule.endpoint {
        let _ = write!(words, " ({endpoint})");
    }
    if rule.subdomains {
        words.push_str(", and names below it");
    }
    if rule.private_addresses {
        words.push_str(", also at a private address");
    }
    if let Some(credential) = &rule.credential {
        let _ = write!(words, ", sending {}", credential.secret);
    }
    if !rule.headers.is_empty() {
        let _ = write!(words, " beside {}", rule.headers.join(", "));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use deed_model::{EgressCredential, EgressRepeat, EgressScheme};

    fn plain(host: &str) -> EgressRule {
        EgressRule {
            endpoint: None,
            base_path: None,
            scheme: EgressScheme::Https,
            host: host.to_owned(),
            subdomains: false,
            port: None,
            paths: Vec::new(),
            methods: Vec::new(),
            private_addresses: false,
            credential: None,
            headers: Vec::new(),
            repeat: EgressRepeat::default(),
            price_micros: None,
        }
    }

    #[test]
    fn a_rule_reads_as_what_it_allows() {
        let rule = plain("api.example.com");
        assert_eq!(in_words(&rule), "GET, HEAD https://api.example.com/*");
        let rule = EgressRule {
            scheme: EgressScheme::Http,
            port: Some(8080),
            host: "::1".to_owned(),
            methods: vec!["POST".to_owned()],
            paths: vec!["/v1/a".to_owned(), "/v1/b/*".to_owned()],
            subdomains: true,
            private_addresses: true,
            credential: Some(EgressCredential {
                secret: "secret://key".to_owned(),
                header: "x".to_owned(),
                format: None,
            }),
            ..rule
        };
        let words = "POST http://[::1]:8080 at /v1/a, /v1/b/*, and names below it, also at a private address, \
                     sending secret://key";
        assert_eq!(in_words(&rule), words);
    }
}
