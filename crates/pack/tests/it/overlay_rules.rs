//! Overlays: what is accepted, what is refused, and with which code at which place.

use deed_diag::{Report, Severity, explain};
use deed_model::{ContextPack, RESOLVED_PACK_TAG};
use deed_pack::{Bundle, PackFiles, Resolved, Selection, SourceFile, check_overlays, resolve};
use serde_json::json;
use std::collections::BTreeMap;

const PACK: &str = include_str!("fixtures/claims.yaml");

fn file(name: &str, text: &str) -> SourceFile {
    SourceFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
}

/// A folder with these overlays; `declared` goes into the pack.
fn bundle(declared: &[&str], overlays: &[(&str, &str)]) -> Bundle {
    let list = format!("  overlays: [{}]\n  ttl_seconds: 3600\n", declared.join(", "));
    let pack = PACK.replace("  ttl_seconds: 3600\n", &list);
    let overlays =
        overlays.iter().map(|(name, text)| ((*name).to_owned(), file(&format!("overlays/{name}.yaml"), text)));
    let files = PackFiles { pack: file("pack.yaml", &pack), overlays: overlays.collect(), golden: Vec::new() };
    Bundle::read(&files).unwrap()
}

fn overlay(name: &str, changes: &str) -> String {
    format!("overlay_ref: ctxpack.claims.{name}@1.0.0\nbase: ctxpack.claims@1.2.3\nchanges:\n{changes}\n")
}

fn run(bundle: &Bundle, selection: &Selection) -> Result<Resolved, Report> {
    resolve(bundle, &bundle.typed().unwrap(), selection)
}

/// Applies one overlay with one change.
fn one(change: &str) -> Result<Resolved, Report> {
    let text = overlay("prod", &format!("  - {change}"));
    run(&bundle(&["ctxpack.claims.prod@1.0.0"], &[("prod", &text)]), &Selection::All)
}

#[track_caller]
fn accepts(change: &str, pointer: &str, proof: &str) {
    let resolved = one(change).unwrap_or_else(|r| panic!("{change}: {:?}", r.diagnostics()));
    let [made] = resolved.changes.as_slice() else { panic!("{:?}", resolved.changes) };
    assert_eq!(made.pointer, pointer);
    assert_eq!(resolved.pack.pointer(pointer), Some(&made.after));
    assert!(made.proof.contains(proof), "{}", made.proof);
}

#[track_caller]
fn codes(report: &Report) -> Vec<&'static str> {
    for d in report.diagnostics() {
        assert!(explain(d.code.as_str()).is_some(), "{} has no page", d.code);
        assert!(d.place.as_ref().is_some_and(|p| p.span.is_some()), "{d:?} has no place");
        assert!(d.help.is_some(), "{d:?} has no hint");
        assert!(!d.message.ends_with('.') && !d.message.starts_with(char::is_uppercase), "{}", d.message);
    }
    report.diagnostics().iter().map(|d| d.code.as_str()).collect()
}

/// One finding of this code, underlining `place` and saying `message`.
#[track_caller]
fn refuses(change: &str, code: &str, place: &str, message: &str) {
    let report = one(change).expect_err(change);
    assert_eq!(codes(&report), [code], "{:?}", report.diagnostics());
    let found = &report.diagnostics()[0];
    let at = found.place.as_ref().unwrap();
    let span = at.span.unwrap();
    let underlined = report.source(&at.source).unwrap().text().get(span.start..span.end).unwrap();
    assert_eq!(underlined, place);
    assert!(found.message.contains(message), "{}", found.message);
}

fn rule(id: &str, pointer: &str, value: &str) -> String {
    format!("{{ kind: policy_threshold, rule_id: {id}, pointer: {pointer:?}, value: {value} }}")
}

fn gate(id: &str, pointer: &str, value: &str) -> String {
    format!("{{ kind: policy_threshold, gate_id: {id}, pointer: {pointer:?}, value: {value} }}")
}

const RULES: &str = "/policy_layer/policy_bundles/0/policy_dsl/rules";

#[test]
fn a_rule_threshold_tightens_in_the_direction_that_its_rule_needs() {
    accepts(&rule("R_LARGE", "/if/and/1/>/1", "1000"), &format!("{RULES}/1/if/and/1/>/1"), "hold more often");
    accepts(&rule("R_SMALL", "/if/</1", "50"), &format!("{RULES}/2/if/</1"), "hold less often");
    accepts(&rule("R_LATE", "/if/>=/1", "10"), &format!("{RULES}/3/if/>=/1"), "hold more often");
    accepts(&rule("R_OR_DENY", "/if/or/0/>/1", "8000"), &format!("{RULES}/6/if/or/0/>/1"), "hold more often");
    accepts(&rule("R_LARGE", "/if/and/1/>/1", "3000"), &format!("{RULES}/1/if/and/1/>/1"), "the value is unchanged");
    let legacy = "/policy_layer/policy_bundles/1/policy_dsl/rules/0/if/>/1";
    accepts(&rule("R_COMPAT", "/if/>/1", "2000.5"), legacy, "hold more often");
}

#[test]
fn the_other_direction_widens_and_the_message_says_which_way_is_right() {
    refuses(&rule("R_LARGE", "/if/and/1/>/1", "4000"), "D1032", "4000", "it may only be lowered");
    refuses(&rule("R_SMALL", "/if/</1", "200"), "D1032", "200", "it may only be lowered");
    refuses(&rule("R_LATE", "/if/>=/1", "31"), "D1032", "31", "rule `R_LATE`");
    refuses(&rule("R_COMPAT", "/if/>/1", "2501"), "D1032", "2501", "it may only be lowered");
}

#[test]
fn what_cannot_be_proven_is_refused_with_its_reason() {
    let pointer = |text: &str| format!("{text:?}");
    refuses(&rule("R_OR", "/if/or/0/>/1", "10"), "D1033", &pointer("/if/or/0/>/1"), "can fail");
    refuses(&rule("R_MODE", "/if/>/1", "100"), "D1033", &pointer("/if/>/1"), "neither branch");
    refuses(&rule("R_MODE", "/if/>/1", "300"), "D1033", &pointer("/if/>/1"), "neither branch");
    refuses(&rule("R_MIXED", "/if/>/1", "100"), "D1033", &pointer("/if/>/1"), "neither branch");
    refuses(&rule("R_EXACT", "/if/==/1", "70"), "D1033", &pointer("/if/==/1"), "equality");
    refuses(&rule("R_COMPAT_BETWEEN", "/if/</0", "5"), "D1033", &pointer("/if/</0"), "stops early");
    refuses(&gate("GATE_MIXED", "/when/and/0/or/0/>/1", "5"), "D1033", &pointer("/when/and/0/or/0/>/1"), "can fail");
}

/// The fixture with another rule in the place of `R_EXACT`, and its threshold moved.
fn with_rule(rule: &str, pointer: &str, value: u64) -> Result<Resolved, Report> {
    let exact =
        "            if: { \"==\": [{ var: request.context.amount }, 77] }\n            then: { requires: [note] }\n";
    assert!(PACK.contains(exact));
    let declared = "  ttl_seconds: 3600\n  overlays: [ctxpack.claims.prod@1.0.0]\n";
    let indented: String = rule.lines().map(|line| format!("            {line}\n")).collect();
    let pack = PACK.replace(exact, &indented).replace("  ttl_seconds: 3600\n", declared);
    let change = format!("{{ kind: policy_threshold, rule_id: R_EXACT, pointer: {pointer:?}, value: {value} }}");
    let text = overlay("prod", &format!("  - {change}"));
    let overlays = BTreeMap::from([("prod".to_owned(), file("overlays/prod.yaml", &text))]);
    let files = PackFiles { pack: file("pack.yaml", &pack), overlays, golden: Vec::new() };
    run(&Bundle::read(&files).unwrap(), &Selection::All)
}

#[test]
fn an_error_weighs_what_it_does_to_the_rule() {
    let rule = "if: { and: [{ \">\": [{ var: amount }, 50] }, { var: flag }] }\nthen: { requires: [a, b] }\nelse: { requires: [a] }\n";
    assert!(with_rule(rule, "/if/and/0/>/1", 10).is_ok(), "an error that comes in denies");
    let report = with_rule(&format!("{rule}non_enforcing: true\n"), "/if/and/0/>/1", 10).unwrap_err();
    assert_eq!(codes(&report), ["D1033"]);
    assert!(report.diagnostics()[0].message.contains("skips the rule"), "{:?}", report.diagnostics());
}

#[test]
fn a_denial_does_not_make_up_for_what_still_runs_under_it() {
    let rule = |otherwise: &str| {
        format!("if: {{ \">\": [{{ var: amount }}, 50] }}\nthen: {{ allow: false }}\nelse: {otherwise}\n")
    };
    for (otherwise, proven) in [
        ("{ requires: [a] }", true),
        ("{ requires_approval_gate: GATE_FINANCE }", true),
        ("{ requires_approval_gate: GATE_RISK }", false),
        ("{ forbids: [adp_pay.payout] }", true),
        ("{ forbids: [adp_orders.lookup] }", false),
        ("{ capabilities: [adp_pay.payout], arg_constraints: { amount: { max: 5 } } }", true),
        ("{ capabilities: [adp_orders.lookup], arg_constraints: { amount: { max: 5 } } }", false),
        ("{ approval_mode: network, capabilities: [adp_pay.payout] }", true),
    ] {
        assert_eq!(with_rule(&rule(otherwise), "/if/>/1", 10).is_ok(), proven, "{otherwise}");
    }
}

#[test]
fn a_lower_mode_is_never_the_stricter_side() {
    let rule = |then: &str| {
        format!("if: {{ \">\": [{{ var: amount }}, 50] }}\nthen: {then}\ndecision_binding: claims.pay.execute\n")
    };
    for (then, proven) in [
        ("{ requires: [a], approval_mode: destructive }", true),
        ("{ requires: [a], approval_mode: network }", false),
        ("{ requires: [a], approval_mode: destructive, capabilities: [adp_pay.payout] }", true),
        ("{ requires: [a], approval_mode: delegated, capabilities: [adp_pay.payout] }", false),
        ("{ requires: [a], approval_mode: network, capabilities: [adp_orders.lookup] }", true),
        ("{ requires: [a], approval_mode: network, capabilities: [adp_pay.nope] }", false),
    ] {
        assert_eq!(with_rule(&rule(then), "/if/>/1", 10).is_ok(), proven, "{then}");
    }
}

#[test]
fn gates_and_argument_bounds_tighten() {
    let gates = "/policy_layer/approval_gates";
    accepts(&gate("GATE_FINANCE", "/when/>/1", "500"), &format!("{gates}/0/when/>/1"), "active more often");
    accepts(&gate("GATE_RISK", "/when/or/0/>/1", "0.5"), &format!("{gates}/1/when/or/0/>/1"), "active more often");
    accepts(&gate("GATE_RISK", "/ttl_seconds", "60"), &format!("{gates}/1/ttl_seconds"), "expires sooner");
    refuses(&gate("GATE_FINANCE", "/when/>/1", "3001"), "D1032", "3001", "only be lowered");
    refuses(&gate("GATE_RISK", "/ttl_seconds", "601"), "D1032", "601", "only be lowered");
    refuses(&gate("GATE_RISK", "/ttl_seconds", "0"), "D1035", "0", "is not allowed here");
    refuses(&gate("GATE_RISK", "/ttl_seconds", "1.5"), "D1035", "1.5", "is not allowed here");
    let bounds = format!("{RULES}/4/then/arg_constraints");
    accepts(&rule("R_CAP", "/then/arg_constraints/amount/max", "500"), &format!("{bounds}/amount/max"), "fewer values");
    accepts(&rule("R_CAP", "/then/arg_constraints/amount/min", "11"), &format!("{bounds}/amount/min"), "fewer values");
    accepts(
        &rule("R_CAP", "/then/arg_constraints/note/max_length", "9"),
        &format!("{bounds}/note/max_length"),
        "texts",
    );
    refuses(&rule("R_CAP", "/then/arg_constraints/amount/max", "1001"), "D1032", "1001", "only be lowered");
    refuses(&rule("R_CAP", "/then/arg_constraints/amount/min", "9"), "D1032", "9", "only be raised");
}

#[test]
fn a_pointer_must_lead_to_a_threshold() {
    refuses(&rule("R_LARGE", "/if/and/0/==/1", "5"), "D1031", "\"/if/and/0/==/1\"", "there is no number at that place");
    refuses(&rule("R_LARGE", "if", "5"), "D1031", "\"if\"", "no number");
    refuses(&rule("R_LARGE", "", "5"), "D1031", "\"\"", "no number");
    refuses(&gate("GATE_RISK", "/when/or/5/>/1", "5"), "D1031", "\"/when/or/5/>/1\"", "no number");
    refuses(&rule("R_LRAGE", "/if/>/1", "5"), "D1030", "R_LRAGE", "no rule `R_LRAGE`");
    refuses(&gate("GATE_RISKY", "/when/>/1", "5"), "D1030", "GATE_RISKY", "no gate");
}

#[test]
fn evaluator_targets_only_get_stricter() {
    let change = |intent: &str, metric: &str, value: &str| {
        format!("{{ kind: evaluator_threshold, intent: {intent}, metric: {metric}, value: {value} }}")
    };
    let at = |metric: &str| format!("/evaluation_layer/eval_targets/0/{metric}");
    accepts(&change("claims.pay", "policy", "1"), &at("policy"), "raised");
    accepts(&change("claims.pay", "latency_p99_ms", "2000"), &at("latency_p99_ms"), "lowered");
    accepts(&change("claims.pay", "safety", "0.5"), &at("safety"), "had no target");
    refuses(&change("claims.pay", "policy", "0.9"), "D1034", "0.9", "may only be raised");
    refuses(&change("claims.pay", "latency_p99_ms", "3001"), "D1034", "3001", "may only be lowered");
    refuses(&change("claims.pay", "policy", "1.01"), "D1035", "1.01", "out of range");
    refuses(&change("claims.pay", "latency_p99_ms", "-1"), "D1035", "-1", "out of range");
    refuses(&change("claims.pya", "policy", "1"), "D1030", "claims.pya", "no score target");
    refuses(&change("claims.pay", "polcy", "1"), "D1030", "polcy", "not a metric");
}

#[test]
fn endpoints_are_registry_references_of_adapters_that_are_there() {
    let change =
        |adapter: &str, value: &str| format!("{{ kind: endpoint_ref, adapter_id: {adapter}, value: {value:?} }}");
    let at = "/tooling_layer/adapter_registry/0/endpoint_ref";
    accepts(&change("adp_orders", "internal://orders-staging"), at, "keeps its capabilities");
    refuses(&change("adp_order", "internal://x"), "D1020", "adp_order", "cannot add one");
    for (value, message) in [
        ("https://orders.example.com", "address"),
        ("vault://orders", "registry `vault`"),
        ("orders", "no `<registry>://`"),
        ("internal://bob@orders", "user name"),
        ("internal://orders?debug=1", "query"),
    ] {
        refuses(&change("adp_orders", value), "D1036", &format!("{value:?}"), message);
    }
}

#[test]
fn locale_defaults_have_a_form_and_no_reader() {
    let change = |key: &str, value: &str| format!("{{ kind: locale_default, key: {key}, value: {value} }}");
    let at = |key: &str| format!("/pack_meta/environment_defaults/{key}");
    accepts(&change("currency", "INR"), &at("currency"), "no rule, gate or guardrail reads");
    accepts(&change("locale", "en-IN"), &at("locale"), "reads `env.locale`");
    accepts(&change("timezone", "Asia/Kolkata"), &at("timezone"), "reads");
    accepts(&change("region", "ap-south-1"), &at("region"), "reads");
    refuses(&change("curency", "INR"), "D1030", "curency", "not an environment default");
    for (key, value) in [("currency", "Rupee"), ("language", "english-"), ("timezone", "Kolkata"), ("region", "x/y")] {
        refuses(&change(key, value), "D1035", value, "not a plausible");
    }
    refuses(&change("currency", "7"), "D1010", "7", "`value` must be a text");
}

#[test]
fn a_default_that_policy_reads_stays() {
    for predicate in [
        r#"{ "==": [{ var: env.currency }, EUR] }"#,
        r#"{ "==": [{ var: env }, 1] }"#,
        r#"{ "==": [{ var: "" }, 1] }"#,
        r#"{ "==": [{ var: { cat: [env., currency] } }, 1] }"#,
        r#"{ "!!": [{ missing: [env.currency] }] }"#,
        r#"{ "nonsense": [] }"#,
    ] {
        let pack = PACK
            .replace(r#"{ ">=": [{ var: request.context.days_late }, 30] }"#, predicate)
            .replace("  ttl_seconds: 3600\n", "  ttl_seconds: 3600\n  overlays: [ctxpack.claims.prod@1.0.0]\n");
        let text = overlay("prod", "  - { kind: locale_default, key: currency, value: INR }");
        let overlays = BTreeMap::from([("prod".to_owned(), file("overlays/prod.yaml", &text))]);
        let files = PackFiles { pack: file("pack.yaml", &pack), overlays, golden: Vec::new() };
        let report = run(&Bundle::read(&files).unwrap(), &Selection::All).expect_err(predicate);
        assert_eq!(codes(&report), ["D1037"], "{predicate}");
    }
}

#[test]
fn the_forbidden_things_are_recognised_in_any_form() {
    for (code, changes) in [
        (
            "D1020",
            vec![
                "{ kind: grant_capability, adapter_id: adp_pay, capability: payout }",
                "{ kind: add_permission, permission_id: p }",
                "{ op: add, path: /tooling_layer/permissions/-, value: { allow: true } }",
                "{ kind: patch, target: \"tooling_layer.adapter_registry[0].capabilities\", value: [x] }",
                "{ kind: endpoint_ref, adapter_id: adp_orders, value: internal://o, capabilities: [drop] }",
                "{ kind: endpoint_ref, adapter_id: adp_nope, value: internal://o }",
                "{ kind: merge, value: { toolingLayer: {} } }",
                "{ kind: policy_threshold, rule_id: R_MODE, pointer: /then/capabilities/0, value: 1 }",
            ],
        ),
        (
            "D1021",
            vec![
                "{ kind: approval_mode, adapter_id: adp_pay, value: read_only }",
                "{ kind: set_approval_mode, value: destructive }",
                "{ op: replace, path: /tooling_layer/adapter_registry/0/approval_mode, value: destructive }",
                "{ op: replace, path: /decision_layer/decision_specs/0/approval_mode, value: read_only }",
                "{ kind: policy_threshold, rule_id: R_LARGE, pointer: /then/approval_mode, value: 1 }",
                "{ kind: endpoint_ref, adapter_id: adp_orders, value: internal://o, approvalMode: network }",
                "{ kind: locale_default, key: approval_mode, value: read_only }",
            ],
        ),
        (
            "D1022",
            vec![
                "{ kind: decision_outcomes, decision_key: claims.pay.execute, value: [paid] }",
                "{ op: add, path: /decision_layer/decision_specs/0/allowed_outcomes/-, value: lost }",
                "{ kind: locale_default, key: currency, value: INR, allowed_outcomes: [x] }",
            ],
        ),
        (
            "D1023",
            vec![
                "{ kind: ontology, namespace: ont.other }",
                "{ op: replace, path: /intelligence_refs/ontology/namespace, value: ont.other }",
                "{ kind: evaluator_threshold, intent: claims.pay, metric: policy, value: 1, ontology: { namespace: o } }",
            ],
        ),
    ] {
        for change in changes {
            let report = one(change).expect_err(change);
            assert_eq!(codes(&report), [code], "{change}: {:?}", report.diagnostics());
        }
        assert!(explain(code).is_some());
    }
}

#[test]
fn forbidden_keys_beside_the_changes_are_recognised_too() {
    for (key, code) in [
        ("tooling_layer: { adapter_registry: [] }", "D1020"),
        ("permissions: []", "D1020"),
        ("approval_mode: read_only", "D1021"),
        ("decision_layer: {}", "D1022"),
        ("intelligence_refs: {}", "D1023"),
        ("note: hello", "D1011"),
    ] {
        let text = format!("{}{key}\n", overlay("prod", "  - { kind: locale_default, key: currency, value: INR }"));
        let bundle = bundle(&["ctxpack.claims.prod@1.0.0"], &[("prod", &text)]);
        let report = run(&bundle, &Selection::All).expect_err(key);
        assert_eq!(codes(&report), [code], "{key}: {:?}", report.diagnostics());
    }
}

#[test]
fn argument_names_are_the_authors_own() {
    let pack = PACK
        .replace("amount: { min: 10, max: 1000 }", "permission: { max: 1000 }")
        .replace("  ttl_seconds: 3600\n", "  ttl_seconds: 3600\n  overlays: [ctxpack.claims.prod@1.0.0]\n");
    let text = overlay("prod", &format!("  - {}", rule("R_CAP", "/then/arg_constraints/permission/max", "5")));
    let overlays = BTreeMap::from([("prod".to_owned(), file("overlays/prod.yaml", &text))]);
    let files = PackFiles { pack: file("pack.yaml", &pack), overlays, golden: Vec::new() };
    assert!(run(&Bundle::read(&files).unwrap(), &Selection::All).is_ok());
}

#[test]
fn a_secret_is_found_anywhere_and_shown_nowhere() {
    let secret = format!("ghp_{}", "x7Kq2Lm9Zp4Rt6Vw8Yb1Nc3Df5Gh0JsAqWeR");
    for change in [
        format!("  - {{ kind: endpoint_ref, adapter_id: adp_orders, value: \"internal://{secret}\" }}"),
        format!("  - {{ kind: locale_default, key: currency, value: INR, rationale: \"use {secret}\" }}"),
        format!("  - {{ kind: locale_default, key: {secret}, value: INR }}"),
        format!("  - {{ kind: locale_default, key: currency, value: INR }} # {secret}"),
        format!("  - {{ kind: {secret}, value: INR }}"),
    ] {
        let bundle = bundle(&["ctxpack.claims.prod@1.0.0"], &[("prod", &overlay("prod", &change))]);
        let report = run(&bundle, &Selection::All).expect_err(&change);
        assert!(codes(&report).contains(&"D1024"), "{change}: {:?}", report.diagnostics());
        assert!(!format!("{:?}", report.diagnostics()).contains(&secret), "{:?}", report.diagnostics());
    }
}

#[test]
fn shapes_are_checked_with_places_and_all_at_once() {
    refuses("{ kind: endpoint_reff, adapter_id: a, value: b }", "D1012", "endpoint_reff", "not one of the four kinds");
    refuses(
        "{ adapter_id: adp_orders, value: internal://o }",
        "D1010",
        "{ adapter_id: adp_orders, value: internal://o }",
        "`kind` is missing",
    );
    refuses(
        "{ kind: endpoint_ref, adapter: a, adapter_id: adp_orders, value: internal://o }",
        "D1011",
        "adapter",
        "unknown key",
    );
    refuses(
        "{ kind: policy_threshold, pointer: /if, value: 1 }",
        "D1010",
        "{ kind: policy_threshold, pointer: /if, value: 1 }",
        "one rule or one gate",
    );
    refuses(
        "{ kind: policy_threshold, rule_id: R_LATE, pointer: /if, value: \"1\" }",
        "D1010",
        "\"1\"",
        "must be a number",
    );
    refuses("just words", "D1010", "just words", "a change is an object");
    let text = "base: ctxpack.claims@1.2.3\nchanges:\n  - { kind: endpoint_ref }\n  - { kind: nope }\nextra: 1\n";
    let report = run(&bundle(&["ctxpack.claims.prod@1.0.0"], &[("prod", text)]), &Selection::All).unwrap_err();
    assert_eq!(codes(&report), ["D1011", "D1010", "D1010", "D1010", "D1012"]);
}

#[track_caller]
fn folder(declared: &[&str], overlays: &[(&str, &str)], expected: &[&str]) {
    let bundle = bundle(declared, overlays);
    let report = run(&bundle, &Selection::All).unwrap_err();
    assert_eq!(codes(&report), expected, "{:?}", report.diagnostics());
    let pack = bundle.typed().unwrap();
    let linted: Vec<_> = check_overlays(&bundle, &pack).iter().map(|d| d.code.as_str()).collect();
    assert_eq!(linted, expected);
}

#[test]
fn files_and_declarations_agree() {
    let good = overlay("prod", "  - { kind: locale_default, key: currency, value: INR }");
    let prod = ("prod", good.as_str());
    let declared = "ctxpack.claims.prod@1.0.0";
    folder(&[], &[prod], &["D1001"]);
    folder(&[declared], &[], &["D1002"]);
    folder(&["ctxpack.claims.prod"], &[prod], &["D1003", "D1001"]);
    folder(&["ctxpack.claims.prod@1.0"], &[prod], &["D1004", "D1001"]);
    folder(&["ctxpack.claims.prod@1.0.0-beta"], &[prod], &["D1004", "D1001"]);
    folder(&["Prod@1.0.0"], &[prod], &["D1005", "D1001"]);
    folder(&[declared, declared], &[prod], &["D1006"]);
    folder(&["ctxpack.other.prod@1.0.0"], &[prod], &["D1007", "D1001"]);
    folder(&["ctxpack.claims.prod@2.0.0"], &[prod], &["D1007"]);
    folder(&[declared], &[("prod", &good.replace("claims.prod@", "claims.staging@"))], &["D1007"]);
    folder(&[declared], &[("prod", &good.replace("claims.prod@1.0.0", "claims.prod"))], &["D1003"]);
    folder(&[declared], &[("prod", &good.replace("claims.prod@1.0.0", "claims.prod@latest"))], &["D1004"]);
    folder(&[declared], &[("prod", &good.replace("claims@1.2.3", "claims@1.2.4"))], &["D1008"]);
    folder(&[declared], &[("prod", &good.replace("claims@1.2.3", "claims"))], &["D1003"]);
}

#[test]
fn an_unknown_selection_is_refused_with_a_suggestion() {
    let text = overlay("prod", "  - { kind: locale_default, key: currency, value: INR }");
    let bundle = bundle(&["ctxpack.claims.prod@1.0.0"], &[("prod", &text)]);
    let report = run(&bundle, &Selection::Named(vec!["prd".to_owned()])).unwrap_err();
    assert_eq!(codes(&report), ["D1009"]);
    assert_eq!(report.diagnostics()[0].help.as_deref(), Some("did you mean `prod`?"));
}

#[test]
fn overlays_are_applied_in_declared_order_each_against_what_came_before() {
    let first = overlay("high", &format!("  - {}", rule("R_LATE", "/if/>=/1", "20")));
    let second = overlay("low", &format!("  - {}", rule("R_LATE", "/if/>=/1", "10")));
    let files = [("high", first.as_str()), ("low", second.as_str())];
    let (high, low) = ("ctxpack.claims.high@1.0.0", "ctxpack.claims.low@1.0.0");
    let resolved = run(&bundle(&[high, low], &files), &Selection::All).unwrap();
    let steps: Vec<_> = resolved.changes.iter().map(|c| (c.before.clone(), c.after.clone())).collect();
    assert_eq!(steps, [(json!(30), json!(20)), (json!(20), json!(10))]);
    let backwards = bundle(&[low, high], &files);
    assert_eq!(codes(&run(&backwards, &Selection::All).unwrap_err()), ["D1032"]);
    // Each is fine on its own, which is what lint asks.
    assert!(check_overlays(&backwards, &backwards.typed().unwrap()).is_empty());
    let named = Selection::Named(vec!["low".to_owned(), "high".to_owned()]);
    let chosen = run(&bundle(&[high, low], &files), &named).unwrap();
    assert_eq!(chosen, resolved);
}

#[test]
fn the_hash_covers_base_overlays_and_document() {
    let text = overlay("prod", "  - { kind: locale_default, key: currency, value: INR }");
    let bundle = bundle(&["ctxpack.claims.prod@1.0.0"], &[("prod", &text)]);
    let all = run(&bundle, &Selection::All).unwrap();
    let none = run(&bundle, &Selection::Named(Vec::new())).unwrap();
    assert_eq!(none.pack, *bundle.document.value());
    assert_eq!(all.base_hash, bundle.content_hash().unwrap());
    assert_ne!(all.hash, none.hash);
    let value = json!({ "base": all.base_hash, "overlays": all.overlays, "pack": all.pack });
    assert_eq!(all.hash, deed_canon::hash(&RESOLVED_PACK_TAG, &value).unwrap());
    let _: ContextPack = serde_json::from_value(all.pack).unwrap();
    assert_eq!(
        check_overlays(&bundle, &bundle.typed().unwrap()).iter().filter(|d| d.severity == Severity::Error).count(),
        0
    );
}
