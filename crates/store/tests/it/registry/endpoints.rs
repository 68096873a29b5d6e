//! The endpoint registry: recorded in the same chain, with the rules of its own.

use super::fixture::*;
use deed_model::Endpoint;
use deed_store::{LogFilter, Outcome, Registry};
use serde_json::json;

fn known(registry: &Registry) -> Vec<(String, String)> {
    let endpoints = registry.endpoints().unwrap();
    endpoints.iter().map(|e| (e.environment.clone(), e.base_url.clone())).collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn entries_are_a_fold_over_the_log() {
    let scratch = tempfile::tempdir().unwrap();
    let registry = Registry::create_with(scratch.path(), quick()).unwrap();
    let set = |environment, url| registry.set_endpoint(&endpoint(environment, url), &stamp()).unwrap();
    assert!(matches!(set("prod", "https://a.test"), Outcome::Recorded(_)));
    assert_eq!(set("prod", "https://a.test"), Outcome::AlreadyDone);
    set("stage", "https://b.test");
    set("prod", "https://c.test");
    assert_eq!(known(&registry), pairs(&[("prod", "https://c.test"), ("stage", "https://b.test")]));
    registry.remove_endpoint("stage", "internal://orders", "closed", &stamp()).unwrap();
    assert_eq!(known(&registry), pairs(&[("prod", "https://c.test")]));
    for (reference, reason) in [("internal://orders", ""), ("internal://none", "gone")] {
        assert!(registry.remove_endpoint("prod", reference, reason, &stamp()).is_err());
    }
    // Another process reads the same, and every event is allowed by the rules.
    let again = Registry::open_with(scratch.path(), quick()).unwrap();
    assert_eq!(known(&again), pairs(&[("prod", "https://c.test")]));
    assert_eq!(again.verify(None).unwrap().findings, Vec::new());
    assert_eq!(again.log(&LogFilter::default()).unwrap().len(), 4);
}

#[test]
fn what_is_malformed_is_refused_and_not_recorded() {
    let scratch = tempfile::tempdir().unwrap();
    let registry = Registry::create_with(scratch.path(), quick()).unwrap();
    let plain = endpoint("prod", "https://a.test");
    let mut secret = plain.clone();
    secret.credential = serde_json::from_value(json!({ "secret": "hunter2-hunter2", "header": "x" })).unwrap();
    let bad = [
        Endpoint { endpoint_ref: "https://a.test".to_owned(), ..plain.clone() },
        Endpoint { environment: "Prod!".to_owned(), ..plain.clone() },
        Endpoint { base_url: "https://user:password@a.test".to_owned(), ..plain.clone() },
        Endpoint { base_url: "file:///etc/passwd".to_owned(), ..plain },
        secret,
    ];
    for endpoint in bad {
        let refused = registry.set_endpoint(&endpoint, &stamp()).unwrap_err();
        let text = format!("{:?}", refused.diagnostics());
        assert!(text.contains("D2501"), "{text}");
        assert!(!text.contains("hunter2") && !text.contains("password@"), "{text}");
    }
    assert_eq!(registry.log(&LogFilter::default()).unwrap(), Vec::new());
}
