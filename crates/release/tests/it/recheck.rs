//! Rechecks: for each kind of dependency a planted break that is found, and a document that fits.

use crate::common::{bundle, document};
use deed_context::Hydrations;
use deed_diag::Severity;
use deed_pack::Bundle;
use deed_release::{AdapterDescription, Dependency, Recheck, recheck};
use serde_json::{Value, json};

fn support() -> Bundle {
    bundle("packs/support")
}

fn part(pointer: &str) -> Value {
    support().document.value().pointer(pointer).unwrap().clone()
}

fn run(dependency: &Dependency) -> Recheck {
    recheck(&support(), dependency, &Hydrations::new())
        .unwrap_or_else(|report| panic!("{}", report.render(deed_diag::Style::Lines)))
}

/// The codes of a recheck: errors, then warnings with a `~`.
fn codes(checked: &Recheck) -> Vec<String> {
    let of = |severity, mark: &str| {
        let found = checked.report.diagnostics().iter().filter(|d| d.severity == severity);
        found.map(|d| format!("{mark}{}", d.code)).collect::<Vec<_>>()
    };
    let mut codes = of(Severity::Error, "");
    codes.extend(of(Severity::Warning, "~"));
    codes.dedup();
    codes
}

#[track_caller]
fn fits(dependency: &Dependency) {
    let checked = run(dependency);
    assert_eq!(codes(&checked), Vec::<String>::new(), "{}", checked.report.render(deed_diag::Style::Lines));
    assert!(checked.passed() && !checked.gates.is_empty());
}

#[track_caller]
fn breaks(dependency: &Dependency, expected: &[&str]) -> Recheck {
    let checked = run(dependency);
    assert_eq!(codes(&checked), expected, "{}", checked.report.render(deed_diag::Style::Lines));
    assert_eq!(checked.passed(), expected.iter().all(|code| code.starts_with('~')));
    checked
}

fn ontology(edit: impl FnOnce(&mut Value)) -> Dependency {
    let mut ontology = json!({
        "format": "deed/ontology/v1", "namespace": "ont.support", "version": "1.0.0",
        "entity_types": ["Customer", "Order", "Parcel", "Payment", "Policy"],
        "relationship_types": ["order_belongs_to_customer"],
        "ceid_namespaces": ["customer", "order", "payment", "policy"],
    });
    edit(&mut ontology);
    Dependency::Ontology(document("ontology.json", &ontology))
}

#[test]
fn ontology_terms_and_version() {
    fits(&self::ontology(|_| {}));
    breaks(
        &self::ontology(|o| o["entity_types"] = json!(["Customer", "Orders", "Payment", "Policy"])),
        &["D0704", "D2431"],
    );
    breaks(&self::ontology(|o| o["relationship_types"] = json!([])), &["D2431"]);
    breaks(&self::ontology(|o| o["version"] = json!("0.9.0")), &["D2432"]);
    // A run that offers this version alone is refused.
    breaks(&self::ontology(|o| o["version"] = json!("1.1.0")), &["D2432"]);
    breaks(&self::ontology(|o| o["version"] = json!("2.0.0")), &["D2432"]);
    let gone = breaks(
        &self::ontology(|o| o["ceid_namespaces"] = json!(["customer", "payment", "policy"])),
        &["D2431", "~D0313"],
    );
    let found = gone.report.diagnostics().iter().find(|d| d.code.as_str() == "D2431").unwrap();
    let pointer = found.place.as_ref().unwrap().pointer.as_deref();
    assert_eq!(pointer, Some("/intelligence_refs/identity_layer/ceid_namespaces/1"));
}

/// Evidence that only an entity type supplied is found by the gates, with the ontology as it is now.
#[test]
fn evidence_mapped_to_a_removed_term_is_found() {
    let base = support();
    let pack = crate::common::edited(&base, |pack, _| {
        pack["decision_layer"]["decision_specs"][0]["required_evidence"] = json!(["policy_eval", "customer_record"]);
    });
    let without = self::ontology(|o| o["entity_types"] = json!(["Order"]));
    let checked = recheck(&pack, &without, &Hydrations::new()).unwrap();
    assert!(codes(&checked).contains(&"D0305".to_owned()), "{:?}", codes(&checked));
    let with = recheck(&pack, &self::ontology(|_| {}), &Hydrations::new()).unwrap();
    assert!(!codes(&with).contains(&"D0305".to_owned()));
}

fn adapter(edit: impl FnOnce(&mut Value)) -> Dependency {
    let mut schema = json!({
        "format": "deed/adapter-schema/v1", "adapter_id": "adp_payments",
        "capabilities": [{ "id": "issue_refund", "approval_mode": "destructive", "arguments": {
            "type": "object",
            "properties": {
                "amount_inr": { "type": "number", "minimum": 1, "maximum": 100_000 },
                "idempotency_key": { "type": "string" },
            },
        } }],
    });
    edit(&mut schema);
    let (adapter_id, file) = ("adp_payments".to_owned(), "payments.json".to_owned());
    Dependency::Adapter(AdapterDescription { adapter_id, file, document: schema })
}

#[test]
fn adapter_schema() {
    fits(&adapter(|_| {}));
    let properties = "/capabilities/0/arguments/properties";
    let amount = |edit: fn(&mut Value)| adapter(|s| edit(s.pointer_mut(properties).unwrap()));
    breaks(&amount(|p| p["amount_inr"]["maximum"] = json!(10_000)), &["D2435"]);
    breaks(&amount(|p| p["amount_inr"]["minimum"] = json!(5)), &["D2435"]);
    breaks(&amount(|p| p["amount_inr"]["type"] = json!("string")), &["D2435"]);
    breaks(
        &amount(|p| {
            let amount = p.as_object_mut().unwrap().remove("amount_inr").unwrap();
            p["amount_in_inr"] = amount;
        }),
        &["D2434"],
    );
    breaks(&adapter(|s| s["capabilities"][0]["id"] = json!("refund")), &["D2433"]);
    let payments = Dependency::Adapter(AdapterDescription {
        adapter_id: "adp_orders".to_owned(),
        file: "orders.json".to_owned(),
        document: json!({
            "format": "deed/adapter-schema/v1", "adapter_id": "adp_orders",
            "capabilities": [{ "id": "lookup", "approval_mode": "network", "arguments": { "type": "object" } }],
        }),
    });
    breaks(&payments, &["D2445"]);
}

fn openapi(maximum: u64, name: &str) -> Dependency {
    let document = json!({
        "openapi": "3.1.0",
        "info": { "title": "payments", "version": "2" },
        "paths": { "/refunds": { "post": {
            "operationId": "issue_refund",
            "parameters": [{ "name": "idempotency_key", "in": "header", "required": true, "schema": { "type": "string" } }],
            "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Refund" } } } },
            "responses": { "200": { "description": "done" } },
        } } },
        "components": { "schemas": { "Refund": {
            "type": "object",
            "properties": { name: { "type": "number", "minimum": 1, "maximum": maximum } },
        } } },
    });
    Dependency::Adapter(AdapterDescription {
        adapter_id: "adp_payments".to_owned(),
        file: "openapi.json".to_owned(),
        document,
    })
}

/// The description in the older version, with keywords that it does not have.
fn openapi_30(schema: Value) -> Dependency {
    let Dependency::Adapter(mut description) = openapi(100_000, "amount_inr") else { panic!("an adapter") };
    description.document["openapi"] = json!("3.0.3");
    let schemas = &mut description.document["components"]["schemas"];
    schemas["Refund"]["properties"]["amount_inr"] = json!({ "$ref": "#/components/schemas/Amount" });
    schemas["Amount"] = schema;
    Dependency::Adapter(description)
}

#[test]
fn keywords_that_openapi_30_does_not_have_are_named() {
    fits(&openapi_30(json!({ "type": "number", "maximum": 100_000 })));
    let schema = json!({ "type": "number", "maximum": 100_000, "const": 7, "allOf": [{ "if": { "minimum": 9 }, "then": { "maximum": 1 } }] });
    let checked = breaks(&openapi_30(schema), &["~D2447"]);
    let places: Vec<_> = checked.report.diagnostics().iter().filter_map(|d| d.place.clone()?.pointer).collect();
    let at = |rest: &str| format!("/components/schemas/Amount{rest}");
    assert_eq!(places, [at("/allOf/0/if"), at("/allOf/0/then"), at("/const")]);
}

#[test]
fn openapi_description() {
    fits(&openapi(100_000, "amount_inr"));
    breaks(&openapi(10_000, "amount_inr"), &["D2435"]);
    let renamed = breaks(&openapi(100_000, "amount"), &["D2434"]);
    let found = renamed.report.diagnostics().iter().find(|d| d.code.as_str() == "D2434").unwrap();
    assert!(found.message.contains("`amount_inr`"), "{}", found.message);
}

/// However a schema says that it takes no such value, it is found.
#[test]
fn a_schema_is_tried_with_the_values_that_the_pack_admits() {
    let amount = |schema: Value| {
        adapter(|s| *s.pointer_mut("/capabilities/0/arguments/properties/amount_inr").unwrap() = schema)
    };
    for schema in [
        json!({ "allOf": [{ "type": "number" }, { "maximum": 100 }] }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "boolean" }] }),
        json!({ "const": 7 }),
        json!(false),
        json!({ "multipleOf": 7 }),
        json!({ "type": "number", "exclusiveMinimum": 1 }),
        json!({ "not": { "type": "number" } }),
        json!({ "type": "string" }),
    ] {
        breaks(&amount(schema), &["D2435"]);
    }
    let referred = adapter(|s| {
        let arguments = &mut s["capabilities"][0]["arguments"];
        arguments["$defs"] = json!({ "amount": { "type": "number" } });
        arguments["properties"]["amount_inr"] = json!({ "$ref": "#/$defs/amount", "allOf": [{ "maximum": 10 }] });
    });
    breaks(&referred, &["D2435"]);
    // Only some values are refused: the pack admits 1.5.
    breaks(&amount(json!({ "type": "integer" })), &["~D2435"]);
    let key = adapter(|s| {
        s["capabilities"][0]["arguments"]["properties"]["idempotency_key"] = json!({ "type": "integer" });
    });
    breaks(&key, &["D2435"]);
}

#[test]
fn bounds_of_texts_are_tried_too() {
    let base = support();
    let with = |bound: Value, schema: Value| {
        let pack = crate::common::edited(&base, |pack, _| {
            pack["tooling_layer"]["permissions"][2]["arg_constraints"]["note"] = bound;
        });
        let changed = adapter(|s| s["capabilities"][0]["arguments"]["properties"]["note"] = schema);
        // That nothing ties the new argument is a finding of its own.
        let mut found = codes(&recheck(&pack, &changed, &Hydrations::new()).unwrap());
        found.retain(|code| code != "D0508");
        found
    };
    let three = json!({ "pattern": "[a-z]{3}" });
    assert_eq!(with(three.clone(), json!({ "type": "string", "minLength": 5 })), ["D2435"]);
    assert_eq!(with(three.clone(), json!({ "type": "string", "minLength": 3 })), Vec::<String>::new());
    assert_eq!(with(three, json!({ "type": "string", "pattern": "^[0-9]" })), ["D2435"]);
    let repeated = json!({ "pattern": "x+" });
    assert_eq!(with(repeated, json!({ "type": "string", "maxLength": 2 })), ["~D2435"]);
    assert_eq!(with(json!({ "max_length": 50 }), json!({ "type": "string", "maxLength": 20 })), ["D2435"]);
    assert_eq!(with(json!({ "enum": ["a", "b"] }), json!({ "enum": ["a"] })), ["D2435"]);
    // Tied to the request alone: the golden cases say what it is.
    let tied = json!({ "equals": { "var": "request.context.refund_amount" } });
    assert_eq!(with(tied.clone(), json!({ "type": "string" })), ["D2435"]);
    assert_eq!(with(tied, json!({ "type": "number" })), Vec::<String>::new());
}

#[test]
fn a_reading_capability_that_becomes_another_method_is_found() {
    let orders = |method: &str| {
        let operation = json!({ "operationId": "lookup", "responses": { "200": { "description": "done" } } });
        Dependency::Adapter(AdapterDescription {
            adapter_id: "adp_orders".to_owned(),
            file: "orders.json".to_owned(),
            document: json!({
                "openapi": "3.1.0", "info": { "title": "orders", "version": "2" },
                "paths": { "/orders": { method: operation } },
            }),
        })
    };
    fits(&orders("get"));
    breaks(&orders("delete"), &["D2445"]);
    breaks(&orders("put"), &["D2445"]);
    breaks(&orders("post"), &["~D2445"]);
}

fn policy_bundle(edit: impl FnOnce(&mut Value)) -> Dependency {
    let mut bundle = part("/policy_layer/policy_bundles/0");
    edit(&mut bundle);
    Dependency::PolicyBundle(document("policy.json", &bundle))
}

#[test]
fn policy_bundle_as_it_is_fits() {
    fits(&policy_bundle(|b| b["description"] = json!("words for people")));
}

#[test]
fn policy_bundle_that_loosens_breaks() {
    let looser = policy_bundle(|b| {
        b["policy_dsl"]["rules"][0].as_object_mut().unwrap().remove("else");
    });
    let checked = run(&looser);
    let codes = codes(&checked);
    assert!(codes.contains(&"D1533".to_owned()) && codes.contains(&"D0703".to_owned()), "{codes:?}");
    let gate = checked.report.diagnostics().iter().find(|d| d.code.as_str() == "D1533").unwrap();
    assert_eq!(gate.place.as_ref().unwrap().source, "policy.json");
}

#[test]
fn a_policy_bundle_that_no_proof_covers_breaks() {
    let rules = "/policy_dsl/rules";
    let cases: [fn(&mut Value); 5] = [
        |rules| rules[0]["non_enforcing"] = json!(true),
        |rules| rules[1]["if"]["and"][1][">"][1] = json!(4199),
        |rules| rules[0]["if"] = json!({ "!=": [{ "var": "request.context.identity_verified" }, false] }),
        |rules| rules[0]["rationale"] = json!("Pay refunds at once."),
        |rules| rules[1]["then"]["requires_approval_gate"] = Value::Null,
    ];
    for edit in cases {
        let checked = run(&policy_bundle(|b| edit(b.pointer_mut(rules).unwrap())));
        let stopped = |d: &&deed_diag::Diagnostic| ["D2413", "D2414", "D0203"].contains(&d.code.as_str());
        let found = checked.report.diagnostics().iter().find(stopped);
        let place = found.unwrap_or_else(|| panic!("{:?}", codes(&checked))).place.clone().unwrap();
        assert_eq!(place.source, "policy.json");
        assert!(!checked.passed());
    }
    let compat = run(&policy_bundle(|b| b["policy_dsl"]["language"] = json!("jsonlogic-compat")));
    assert!(codes(&compat).contains(&"D2413".to_owned()), "{:?}", codes(&compat));
    let stricter = policy_bundle(|b| b["policy_dsl"]["rules"][1]["if"]["and"][1][">"][1] = json!(2999));
    assert!(!codes(&run(&stricter)).contains(&"D2413".to_owned()));
}

#[test]
fn a_pack_without_golden_cases_is_told_what_was_not_looked_at() {
    let bare = crate::common::edited(&support(), |_, golden| golden.clear());
    for changed in [policy_bundle(|_| {}), model_config(|_| {})] {
        let checked = recheck(&bare, &changed, &Hydrations::new()).unwrap();
        assert!(codes(&checked).contains(&"~D2411".to_owned()), "{:?}", codes(&checked));
    }
}

#[test]
fn policy_bundle_with_an_unknown_gate_breaks_at_its_own_place() {
    let dangling =
        policy_bundle(|b| b["policy_dsl"]["rules"][1]["then"]["requires_approval_gate"] = json!("GATE_NONE"));
    let checked = run(&dangling);
    let found = checked.report.diagnostics().iter().find(|d| d.code.as_str() == "D0302").unwrap();
    let place = found.place.as_ref().unwrap();
    assert_eq!(place.source, "policy.json");
    assert_eq!(place.pointer.as_deref(), Some("/policy_dsl/rules/1/then/requires_approval_gate"));
}

fn catalog(edit: impl FnOnce(&mut Value)) -> Dependency {
    let specs = part("/decision_layer/decision_specs");
    let mut catalog = json!({ "format": "deed/decision-catalog/v1", "decision_specs": specs });
    edit(&mut catalog["decision_specs"]);
    Dependency::DecisionCatalog(document("catalog.json", &catalog))
}

#[test]
fn decision_catalog() {
    fits(&catalog(|_| {}));
    let fewer = catalog(|s| {
        s[0]["allowed_outcomes"] = json!(["approved", "denied"]);
        s[0]["outcome_effects"] = json!({ "approved": "act", "denied": "refuse" });
    });
    breaks(&fewer, &["D2438"]);
    breaks(&catalog(|s| s[0]["outcome_effects"]["denied"] = json!("act")), &["D2438"]);
    breaks(&catalog(|s| s[0]["on_insufficient_evidence"] = json!("refuse")), &["D2438"]);
    breaks(&catalog(|s| s[0]["version"] = json!("2.0.0")), &["D2438"]);
    breaks(&catalog(|s| s[0]["version"] = json!("1.1.0")), &["~D2438"]);
    breaks(&catalog(|s| s[0]["allowed_outcomes"] = json!(["approved", "denied", "escalated", "partly"])), &["~D2438"]);
    // The catalogue demands evidence that nothing of the pack can supply: both are found.
    breaks(
        &catalog(|s| s[0]["required_evidence"].as_array_mut().unwrap().push(json!("fraud_score"))),
        &["D0305", "D2438"],
    );
    breaks(&catalog(|s| s[0]["decision_key"] = json!("support.refund.perform")), &["D2437"]);
}

fn memory_policy(edit: impl FnOnce(&mut Value)) -> Dependency {
    let mut layer = part("/memory_layer");
    edit(&mut layer);
    Dependency::MemoryPolicy(document("memory.json", &layer))
}

#[test]
fn memory_policy_that_is_as_strict_fits() {
    fits(&memory_policy(|m| m["memory_policy"]["tier_ttls"]["episodic"] = json!("12h")));
}

#[test]
fn memory_policy_that_is_looser_breaks() {
    breaks(
        &memory_policy(|m| m["memory_policy"]["consent_gating"]["pii_write_back_allowed"] = json!(true)),
        &["D0607", "D2446"],
    );
    breaks(&memory_policy(|m| m["memory_policy"]["tier_ttls"]["semantic"] = json!("700d")), &["D2446"]);
    // A golden case no longer recalls what it expects.
    let short = run(&memory_policy(|m| m["memory_policy"]["tier_ttls"]["semantic"] = json!("2d")));
    let found = codes(&short);
    assert!(found.contains(&"D0704".to_owned()) && found.contains(&"~D2442".to_owned()), "{found:?}");
}

fn evaluator(edit: impl FnOnce(&mut Value)) -> Dependency {
    let score = |metric: &str, before: f64, after: f64| json!({ "intent": "support.refund", "metric": metric, "before": before, "after": after });
    let mut results = json!({
        "format": "deed/evaluator-results/v1", "evaluator_id": "eval.refunds", "evaluator_version": "3.1.0",
        "scores": [
            score("policy", 1.0, 1.0), score("safety", 1.0, 1.0), score("utility", 0.92, 0.93),
            score("latency_p99_ms", 2500.0, 2600.0), score("economics_cents_per_decision", 1.2, 1.3),
        ],
    });
    edit(&mut results["scores"]);
    Dependency::Evaluator(document("scores.json", &results))
}

#[test]
fn evaluator_results() {
    fits(&evaluator(|_| {}));
    // Below the target of 1, and worse than the release gate of 0 allows.
    let policy = breaks(&evaluator(|s| s[0]["after"] = json!(0.99)), &["D2439"]);
    assert_eq!(policy.count(Severity::Error), 2);
    // The target of 1.5 holds, and the growth of 0.3 is more than 0.25.
    breaks(
        &evaluator(
            |s| s[4] = json!({ "intent": "support.refund", "metric": "economics_cents_per_decision", "before": 1.0, "after": 1.3 }),
        ),
        &["D2439"],
    );
    // Without a score from before the release gates of three metrics compare nothing.
    let alone = breaks(
        &evaluator(|s| {
            for score in s.as_array_mut().unwrap() {
                score.as_object_mut().unwrap().remove("before");
            }
        }),
        &["~D2441"],
    );
    assert_eq!(alone.count(Severity::Warning), 3);
    breaks(&evaluator(|s| drop(s.as_array_mut().unwrap().pop())), &["D2441"]);
    breaks(&evaluator(|s| s[2]["intent"] = json!("support.refunds")), &["D2436", "D2441"]);
}

fn model_config(edit: impl FnOnce(&mut Value)) -> Dependency {
    let mut config = json!({
        "format": "deed/model-config/v1", "model": "model-b", "tokenizer": "o200k_base",
        "context_window_tokens": 32_000, "max_output_tokens": 2_000,
    });
    edit(&mut config);
    Dependency::ModelConfig(document("model.json", &config))
}

#[test]
fn model_config_as_before_fits() {
    fits(&model_config(|_| {}));
}

#[test]
fn model_config_with_a_small_window_breaks() {
    breaks(&model_config(|c| c["context_window_tokens"] = json!(2_100)), &["D2443"]);
}

#[test]
fn model_config_with_another_tokenizer_is_replayed() {
    // A case counted by an estimate, with evidence for which the new tokenizer counts twice as much as it has room.
    let content: String = (0u32..60).map(|n| format!("{:08x}", n.wrapping_mul(2_654_435_761))).collect();
    let hash = deed_canon::ContentHash::of_bytes(content.as_bytes()).to_string();
    let tight = crate::common::edited(&support(), |_, golden| {
        let (_, case) = golden.iter_mut().find(|(name, _)| name == "01_allow").unwrap();
        case["run"]["tokenizer"] = json!("bytes/4");
        case["run"]["run_budget"]["bucket_tokens"]["evidence"] = json!(190);
        case["evidence"][0]["content"] = json!(content);
        case["evidence"][0]["payload_hash"] = json!(hash);
    });
    let found = |tokenizer: &str| {
        let config = model_config(|c| c["tokenizer"] = json!(tokenizer));
        codes(&recheck(&tight, &config, &Hydrations::new()).unwrap()).contains(&"D2442".to_owned())
    };
    assert!(found("o200k_base"));
    assert!(!found("bytes/4"));
}

#[test]
fn runtime_version() {
    fits(&Dependency::Runtime("1.4.0".to_owned()));
    breaks(&Dependency::Runtime("0.9.0".to_owned()), &["D2432"]);
}

#[test]
fn a_document_of_another_kind_is_refused() {
    let refusals = [
        (Dependency::Ontology(document("o.json", &json!({ "format": "deed/ontology/v2" }))), "D2430"),
        (self::ontology(|o| o["namespace"] = json!("ont.other")), "D2436"),
        (policy_bundle(|b| b["bundle_id"] = json!("POLICY_OTHER")), "D2436"),
        (model_config(|c| c["tokenizer"] = json!("abacus")), "D2430"),
        (model_config(|c| c["windw"] = json!(1)), "D2430"),
        (adapter(|s| s["adapter_id"] = json!("adp_other")), "D2430"),
        (evaluator(|s| s[0]["after"] = json!(100)), "D2430"),
        (evaluator(|s| s[3]["after"] = json!(-5)), "D2430"),
        (evaluator(|s| s[1]["before"] = json!(-0.1)), "D2430"),
        (Dependency::Runtime("latest".to_owned()), "D2430"),
    ];
    for (dependency, code) in refusals {
        let report = recheck(&support(), &dependency, &Hydrations::new()).unwrap_err();
        let found: Vec<String> = report.diagnostics().iter().map(|d| d.code.to_string()).collect();
        assert!(found.contains(&code.to_owned()), "{dependency:?} {found:?}");
    }
}
