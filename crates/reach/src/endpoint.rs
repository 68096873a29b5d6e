//! Endpoints as URLs: `internal://orders/v1/x` means the address that a rule has for `internal://orders`.

use crate::url::Location;
use deed_model::EgressRule;

/// Returns the path of an endpoint's address, without its final slash: that of `https://a.test/v1/` is `/v1`.
pub fn base_path(location: &Location) -> &str {
    location.path.as_str().trim_end_matches('/')
}

/// Returns the URL that a request to an endpoint is sent to, if a rule names the endpoint.
///
/// A path that leads above the endpoint is not resolved here: the URL is read and decided like any other.
pub fn resolved(rules: &[EgressRule], url: &str) -> Option<String> {
    rules.iter().find_map(|rule| {
        let rest = url.strip_prefix(rule.endpoint.as_deref()?)?;
        if !(rest.is_empty() || rest.starts_with(['/', '?', '#'])) {
            return None;
        }
        let host = if rule.host.contains(':') { format!("[{}]", rule.host) } else { rule.host.clone() };
        let port = rule.port.map_or_else(String::new, |port| format!(":{port}"));
        let base = rule.base_path.as_deref().unwrap_or_default();
        Some(format!("{}://{host}{port}{base}{rest}", rule.scheme.as_str()))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use serde_json::json;

    fn rules() -> Vec<EgressRule> {
        let rule = json!({ "endpoint": "internal://orders", "base_path": "/v1", "host": "orders.test", "port": 8443 });
        vec![serde_json::from_value(rule).unwrap()]
    }

    #[test]
    fn a_url_of_an_endpoint_is_the_address_and_the_rest() {
        for (url, sent) in [
            ("internal://orders", Some("https://orders.test:8443/v1")),
            ("internal://orders/881?full=1", Some("https://orders.test:8443/v1/881?full=1")),
            ("internal://orders-staging/881", None),
            ("internal://payments/1", None),
            ("https://orders.test/881", None),
        ] {
            assert_eq!(resolved(&rules(), url).as_deref(), sent, "{url}");
        }
    }

    #[test]
    fn a_path_does_not_lead_above_the_endpoint() {
        let sent = resolved(&rules(), "internal://orders/../admin").unwrap();
        let read = Location::read(&sent);
        assert!(read.is_err() || !read.unwrap().path.as_str().starts_with("/v1/"), "{sent}");
    }

    #[test]
    fn the_base_path_has_no_final_slash() {
        for (url, base) in [("https://a.test", ""), ("https://a.test/", ""), ("https://a.test/v1/", "/v1")] {
            assert_eq!(base_path(&Location::read(url).unwrap()), base);
        }
    }
}
