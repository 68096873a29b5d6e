//! Egress rules that name an endpoint of the pack.

use deed_catalog::builtin;
use deed_diag::{Document, Format};
use deed_model::{EgressRule, Endpoint};
use deed_plan::{Endpoints, LowerOptions, Lowered, lower_with};
use serde_json::{Value, json};

fn endpoint(base_url: &str) -> Endpoint {
    let credential = json!({ "secret": "secret://key", "header": "authorization" });
    let value = json!({ "endpoint_ref": "internal://orders", "environment": "prod", "type": "OPENAPI",
        "base_url": base_url, "private_addresses": true, "credential": credential });
    serde_json::from_value(value).unwrap()
}

fn lowered(rule: &Value, base_url: &str) -> Lowered {
    let plan = json!({
        "plan": "asker", "mission": { "objective": "Ask" }, "policy_profile_id": "generic.inference-allowed.v1",
        "steps": [{
            "id": "ask", "label": "Ask", "objective": "MUST ask", "tool_needs": ["http.fetch"], "egress": [rule],
            "expected_outputs": [{ "path": "output/a.txt" }], "success_criteria": ["output/a.txt exists"],
            "artifact_contracts": { "output/a.txt": { "format": "txt", "kind_key": "file.text" } },
            "code": { "language": "python", "source": "pass" },
        }],
    });
    let document = Document::read("plan.json", &serde_json::to_vec(&plan).unwrap(), Format::Json).unwrap();
    let endpoints: Endpoints = ["internal://orders", "adapter://adp_orders"]
        .map(|name| (name.to_owned(), endpoint(base_url)))
        .into_iter()
        .collect();
    lower_with(&document, builtin().unwrap(), &LowerOptions { endpoints, ..LowerOptions::default() })
}

fn rule_of(lowered: Lowered) -> EgressRule {
    let plan = lowered.compiled.unwrap_or_else(|| panic!("{}", lowered.report.render(deed_diag::Style::Plain)));
    plan.steps[0].execution_contract.egress[0].clone()
}

#[test]
fn the_contract_has_the_address_and_the_credential_of_the_endpoint() {
    for name in ["internal://orders", "adapter://adp_orders"] {
        let rule =
            rule_of(lowered(&json!({ "endpoint": name, "paths": ["/a", "/b/*"] }), "https://orders.test:8443/v1/"));
        assert_eq!((rule.host.as_str(), rule.port, rule.private_addresses), ("orders.test", Some(8443), true));
        assert_eq!(rule.paths, ["/v1/a", "/v1/b/*"]);
        assert_eq!((rule.endpoint.as_deref(), rule.base_path.as_deref()), (Some(name), Some("/v1")));
        assert_eq!(rule.credential.map(|credential| credential.secret).as_deref(), Some("secret://key"));
    }
}

#[test]
fn a_rule_without_paths_reaches_what_lies_beneath_the_endpoint_and_no_more() {
    let rule = |base: &str| rule_of(lowered(&json!({ "endpoint": "internal://orders" }), base));
    assert_eq!(rule("https://orders.test/v1").paths, ["/v1", "/v1/*"]);
    assert!(rule("https://orders.test").paths.is_empty());
}

#[test]
fn the_hash_of_a_contract_moves_with_its_endpoint() {
    let hash = |base: &str| {
        let plan = lowered(&json!({ "endpoint": "internal://orders" }), base).compiled.unwrap();
        (plan.steps[0].spec_hash, plan.plan_hash)
    };
    assert_eq!(hash("https://orders.test"), hash("https://orders.test"));
    assert_ne!(hash("https://orders.test"), hash("https://staging.test"));
}

#[test]
fn a_rule_that_cannot_name_its_endpoint_is_refused_once() {
    for (rule, code, says) in [
        (json!({ "endpoint": "internal://order" }), "D2503", "did you mean `internal://orders`?"),
        (json!({ "endpoint": "internal://orders", "port": 1 }), "D2506", "`port` comes from the endpoint"),
        (json!({ "endpoint": "internal://orders", "scheme": "http" }), "D2506", "`scheme` comes from the endpoint"),
        (json!({ "endpoint": "internal://orders", "base_path": "/" }), "D2506", "`base_path` comes from the endpoint"),
        (json!({ "host": "a.test", "base_path": "/v1" }), "D2506", "has no base path"),
        (json!({ "paths": ["/a"] }), "D1974", "host"),
    ] {
        let report = lowered(&rule, "https://orders.test").report;
        let errors: Vec<_> = report.diagnostics().iter().filter(|d| d.severity == deed_diag::Severity::Error).collect();
        let text = report.render(deed_diag::Style::Plain);
        assert_eq!(errors.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), [code], "{text}");
        assert!(text.contains(says), "{says}: {text}");
    }
}
