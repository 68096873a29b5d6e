//! Egress rules: the compiler refuses what the runtime refuses when a plan is submitted, all of it and no more, each at
//! its place.

use deed_catalog::builtin;
use deed_diag::{Document, Format, Style};
use deed_model::{EgressCredential, EgressRepeat, EgressRule, EgressScheme};
use deed_plan::{Lowered, lower};
use deed_reach::Rules;
use proptest::prelude::*;
use serde_json::{Value, json};

const BAD_EGRESS: &str = "D1974";

/// A plan of one step with these rules, and nothing else in it to complain about.
fn lowered(egress: &Value) -> Lowered {
    let plan = json!({
        "plan": "reacher",
        "mission": { "objective": "Fetch and write" },
        "policy_profile_id": "generic.inference-allowed.v1",
        "steps": [{
            "id": "fetch",
            "label": "Fetch",
            "objective": "MUST fetch",
            "expected_outputs": [{ "path": "output/a.txt" }],
            "artifact_contracts": { "output/a.txt": { "format": "txt", "kind_key": "file.text" } },
            "success_criteria": ["output/a.txt exists"],
            "tool_needs": ["http.fetch"],
            "code": { "language": "python", "source": "pass" },
            "egress": egress,
        }],
    });
    let document = Document::read("plan.json", plan.to_string().as_bytes(), Format::Json).unwrap();
    lower(&document, builtin().unwrap())
}

/// Place and message of all that is said about egress rules, sorted.
fn said(lowered: &Lowered) -> Vec<(String, String)> {
    let findings = lowered.report.diagnostics().iter().filter(|finding| finding.code.as_str() == BAD_EGRESS);
    let place = |finding: &deed_diag::Diagnostic| finding.place.as_ref().unwrap().pointer.clone().unwrap();
    let mut said: Vec<_> = findings.map(|finding| (place(finding), finding.message.clone())).collect();
    said.sort();
    said
}

#[track_caller]
fn check(rule: Value, expected: &[&str]) {
    let lowered = lowered(&json!([{ "host": "fine.test" }, rule]));
    let places: Vec<String> = said(&lowered).into_iter().map(|(place, _)| place).collect();
    let expected: Vec<String> = expected.iter().map(|field| format!("/steps/0/egress/1/{field}")).collect();
    assert_eq!(places, expected, "{rule}");
    assert_eq!(lowered.compiled.is_some(), expected.is_empty(), "{}", lowered.report.render(Style::Plain));
}

#[test]
fn a_bad_rule_is_refused_at_its_field() {
    for host in
        ["", ".", "a b", "*.a.test", "bücher.example", "127.1", "0x7f.1", "a..b", "a.test:443", "https://a.test"]
    {
        check(json!({ "host": host }), &["host"]);
    }
    check(json!({ "host": "com", "subdomains": true }), &["subdomains"]);
    check(json!({ "host": "10.0.0.1", "subdomains": true }), &["subdomains"]);
    check(json!({ "host": "a.test", "port": 0 }), &["port"]);
    for path in ["v1", "", "/a/../b", "/a%2fb", "/%61", "/a/*/b", "/a*", "//a", "/a?b", "/a#b", "/a b", "/..;/a"] {
        check(json!({ "host": "a.test", "paths": ["/fine", path] }), &["paths/1"]);
    }
    for method in ["get", "", "A B", "CONNECT", "TRACE", "TRACK", "Post"] {
        check(json!({ "host": "a.test", "methods": ["GET", method] }), &["methods/1"]);
    }
    let credential = |secret: &str, header: &str, format: Option<&str>| json!({ "host": "a.test", "credential": { "secret": secret, "header": header, "format": format } });
    for secret in ["token", "secret://", "secret://Token", "secret://-a", "secret://a/b", " secret://a"] {
        check(credential(secret, "x-key", None), &["credential/secret"]);
    }
    for header in ["", "a b", "Host", "proxy-authorization", "Transfer_Encoding", "x-original-url", "a:"] {
        check(credential("secret://a", header, None), &["credential/header"]);
    }
    for format in ["", "Bearer", "{}{}", " {}", "{}\r\nx: y", "é{}"] {
        check(credential("secret://a", "x-key", Some(format)), &["credential/format"]);
    }
    let mut plain = credential("secret://a", "x-key", None);
    plain["scheme"] = json!("http");
    check(plain.clone(), &["credential"]);
    plain["private_addresses"] = json!(true);
    check(plain, &[]);
    check(
        json!({ "host": "a b", "port": 0, "paths": ["/x", "x"], "methods": ["get"] }),
        &["host", "methods/0", "paths/1", "port"],
    );
}

#[test]
fn a_sound_rule_is_taken_as_it_is() {
    check(json!({ "host": "API.Example.test.", "subdomains": true, "paths": ["/v1/*", "/x"], "port": 8443 }), &[]);
    check(json!({ "host": "[::1]", "scheme": "http", "methods": ["GET", "PROPFIND", "M-SEARCH"] }), &[]);
    let credential = json!({ "secret": "secret://billing_api", "header": "authorization", "format": "Bearer {}" });
    check(json!({ "host": "a.test", "credential": credential }), &[]);
}

/// Somebody may have written the secret itself, wherever a credential has room for it.
#[test]
fn what_was_written_into_a_credential_is_not_quoted() {
    let written = "hunter2-and-no-more";
    let texts =
        [written.to_owned(), format!("Bearer {written}"), format!("proxy-{written}"), format!("secret://{written}!")];
    for text in texts {
        for (field, other) in [("secret", "x-key"), ("header", "secret://a"), ("format", "secret://a")] {
            let mut credential = json!({ "secret": other, "header": "x-key" });
            credential[field] = json!(text);
            let lowered = lowered(&json!([{ "host": "a.test", "scheme": "http", "credential": credential }]));
            let said = said(&lowered);
            assert!(!said.is_empty(), "{credential}");
            assert!(!format!("{said:?}").contains("hunter2"), "{said:?}");
            // One word may be the name of a header; nobody can tell.
            if field == "header" && !text.contains([' ', '/']) {
                continue;
            }
            let styles = [Style::Plain, Style::Colour, Style::Lines].map(|style| lowered.report.render(style));
            let shown = format!("{}{}", styles.concat(), lowered.report.to_json());
            assert!(!shown.contains("hunter2"), "{shown}");
        }
    }
}

fn text_among(texts: &'static [&'static str], odd: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![12 => prop::sample::select(texts).prop_map(str::to_owned), 1 => odd]
}

fn credentials() -> impl Strategy<Value = EgressCredential> {
    let secrets = &["secret://a", "secret://a_b.c-9", "secret://", "secret://A", "token", "secret://a\n"];
    let headers = &["authorization", "X-Api-Key", "x_key", "Host", "host ", "TE", "proxy-x", "x-host", "a:b", ""];
    let formats = &["{}", "Bearer {}", "{} ", "{}{}", "none", "", "{}\t"];
    let format = prop::option::of(text_among(formats, "\\PC{0,8}"));
    (text_among(secrets, "secret://\\PC{0,8}"), text_among(headers, "\\PC{0,8}"), format)
        .prop_map(|(secret, header, format)| EgressCredential { secret, header, format })
}

fn rules() -> impl Strategy<Value = EgressRule> {
    let hosts =
        &["a.test", "A.test.", "com", "127.0.0.1", "127.1", "[::1]", "::1", "[::1", "*.a.test", "a..b", "a_b", ""];
    let paths =
        &["/", "/a", "/a/*", "/*", "/a/../b", "/%2e%2e/a", "/a%2fb", "/a%7e", "/~", "a", "", "//a", "/a*", "/a?b"];
    let methods = &["GET", "POST", "PROPFIND", "M-SEARCH", "GET1", "get", "CONNECT", "TRACK", "", "A B", "!"];
    let port = prop::option::of(prop_oneof![4 => 1_u16.., 1 => Just(0)]);
    let scheme = prop_oneof![3 => Just(EgressScheme::Https), 1 => Just(EgressScheme::Http)];
    let flags = (prop::bool::weighted(0.3), prop::bool::weighted(0.5));
    let lists = (
        prop::collection::vec(text_among(paths, "/\\PC{0,8}"), 0..3),
        prop::collection::vec(text_among(methods, "\\PC{0,6}"), 0..3),
    );
    (scheme, text_among(hosts, "\\PC{1,12}"), port, flags, lists, prop::option::of(credentials())).prop_map(
        |(scheme, host, port, (subdomains, private_addresses), (paths, methods), credential)| EgressRule {
            endpoint: None,
            base_path: None,
            scheme,
            host,
            subdomains,
            port,
            paths,
            methods,
            private_addresses,
            credential,
            repeat: EgressRepeat::Never,
            headers: Vec::new(),
            price_micros: None,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_compiler_refuses_what_the_runtime_refuses_and_no_more(rules in prop::collection::vec(rules(), 1..3)) {
        let lowered = lowered(&serde_json::to_value(&rules).unwrap());
        let read = Rules::read(rules.clone());
        let faults = read.as_ref().err().cloned().unwrap_or_default();
        let mut expected: Vec<_> = faults
            .iter()
            .map(|fault| (format!("/steps/0/egress/{}/{}", fault.index, fault.field), format!("step `fetch`: {}", fault.message)))
            .collect();
        expected.sort();
        prop_assert_eq!(said(&lowered), expected);
        match &lowered.compiled {
            // What is submitted is what was compiled, and the runtime reads it once more.
            Some(plan) => {
                prop_assert!(read.is_ok());
                prop_assert_eq!(&plan.steps[0].execution_contract.egress, &rules);
            }
            None => prop_assert!(read.is_err(), "{}", lowered.report.render(Style::Plain)),
        }
    }
}
