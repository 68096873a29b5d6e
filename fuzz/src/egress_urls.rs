//! Ways out: what is decided about is what is sent, and an odd spelling never opens a path that the plain one does not.
#![no_main]

use deed_model::EgressVerdict;
use deed_reach::{Location, Rules, Target};
use libfuzzer_sys::fuzz_target;
use serde_json::json;
use std::sync::OnceLock;

fuzz_target!(|data: &str| {
    static RULES: OnceLock<Rules> = OnceLock::new();
    let rules = RULES.get_or_init(|| {
        let rules = json!([{ "host": "api.example.com", "paths": ["/v1/rates", "/v1/clients/*"], "methods": ["GET"] }]);
        Rules::read(serde_json::from_value(rules).expect("rules")).expect("sound rules")
    });
    let Ok(location) = Location::read(data) else { return };
    // What was read is written, read again and is the same: two readers cannot disagree about it.
    let written = location.to_string();
    let again = Location::read(&written).expect("what was written can be read");
    assert_eq!(written, again.to_string());
    let ruling = rules.decide(&Target {
        scheme: location.scheme,
        host: &location.host,
        port: location.port,
        method: "GET",
        path: &location.path,
    });
    if ruling.verdict == EgressVerdict::Allowed {
        let path = location.path.as_str();
        assert!(path == "/v1/rates" || path.starts_with("/v1/clients/"), "{path}");
        assert!(!path.contains("/../") && !path.contains('\\'), "{path}");
        // Also for a server that takes several slashes for one.
        let mut segments = path.split('/').filter(|segment| !segment.is_empty());
        let known = (segments.next(), segments.next());
        assert!(matches!(known, (Some("v1"), Some("rates" | "clients"))), "{path}");
        assert!(written.starts_with("https://api.example.com/v1/"), "{written}");
    }
});
