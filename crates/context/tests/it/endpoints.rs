//! Endpoints, clearances, namespaces and overlays, as a compile sees them.

use crate::common::{Given, bundle, document};
use deed_context::{Hydrated, Outcome, compile, render_prompt, tokenizer, verify};
use deed_diag::{Document, Format};
use deed_model::{AdapterType, EndpointAddress, EnvironmentEndpoints, ToolCheck, Verdict};
use deed_pack::{Bundle, Selection, resolve};
use serde_json::{Value, json};

fn inputs(change: impl FnOnce(&mut Value)) -> Given {
    let example = |name: &str| document(&format!("packs/support/examples/{name}.yaml")).value().clone();
    let mut run = example("run");
    change(&mut run);
    Given::of(example("request"), run, example("evidence"), example("memory"))
}

fn edited(change: impl FnOnce(&mut Value)) -> Bundle {
    let own = bundle("packs/support");
    let mut pack = own.document.value().clone();
    change(&mut pack);
    let bytes = serde_json::to_vec(&pack).unwrap();
    Bundle::new(Document::read("pack.json", &bytes, Format::Json).unwrap(), own.overlays, Vec::new())
}

fn hydrated(bundle: &Bundle, overlays: &[&str], endpoints: Option<EnvironmentEndpoints>) -> Hydrated {
    let names = overlays.iter().map(|name| (*name).to_owned()).collect();
    let resolved = resolve(bundle, &bundle.typed().unwrap(), &Selection::Named(names)).unwrap();
    Hydrated::new(&resolved, tokenizer("o200k_base").unwrap()).unwrap().with_endpoints(endpoints)
}

fn prod() -> EnvironmentEndpoints {
    let address = |name: &str, adapter_type| {
        (format!("internal://{name}"), EndpointAddress { adapter_type, base_url: format!("https://{name}.test") })
    };
    let addresses = [
        address("orders", AdapterType::OpenApi),
        address("orders-staging", AdapterType::OpenApi),
        address("policy", AdapterType::Mcp),
    ];
    EnvironmentEndpoints { environment: "prod".to_owned(), addresses: addresses.into_iter().collect() }
}

fn compiled<R>(pack: &Hydrated, given: &Given, look: impl FnOnce(&deed_model::CompiledContext<'_>) -> R) -> R {
    match compile(pack, given.inputs()) {
        Outcome::Refused(refusal) => panic!("{:?}", refusal.diagnostic),
        Outcome::Compiled(c) | Outcome::MustEscalate(c) | Outcome::MustRefuse(c) => {
            assert_eq!(verify(&c), Ok(()));
            look(&c)
        }
    }
}

fn refusal(pack: &Hydrated, given: &Given) -> String {
    match compile(pack, given.inputs()) {
        Outcome::Refused(refusal) => refusal.diagnostic.code.to_string(),
        _ => panic!("it compiled"),
    }
}

#[test]
fn the_manifest_has_the_endpoint_where_an_environment_is_named() {
    let own = bundle("packs/support");
    let given = inputs(|_| {});
    let plain = compiled(&hydrated(&own, &[], None), &given, |c| {
        assert!(c.manifests.tool_manifest.iter().all(|entry| entry.endpoint.is_none()));
        c.context_ledger.compiled_context_hash
    });
    compiled(&hydrated(&own, &[], Some(prod())), &given, |c| {
        let endpoints: Vec<_> = c.manifests.tool_manifest.iter().map(|entry| entry.endpoint.clone().unwrap()).collect();
        let urls: Vec<_> = endpoints.iter().map(|endpoint| endpoint.base_url.as_deref()).collect();
        // Policy is INTERNAL and its entry MCP; payments are not registered.
        assert_eq!(urls, [Some("https://orders.test"), None, None]);
        let codes: Vec<_> = c.context_ledger.notices.iter().map(|notice| &*notice.code).collect();
        assert!(codes.contains(&"D2503") && codes.contains(&"D2504"), "{codes:?}");
        assert_ne!(c.context_ledger.compiled_context_hash, plain);
    });
}

/// Each of the four kinds of overlay changes what is compiled, besides the hashes of the pack.
#[test]
fn every_kind_of_overlay_has_an_effect_on_a_compile() {
    let own = bundle("packs/support");
    let given = inputs(|_| {});
    let view = |overlays: &[&str]| {
        compiled(&hydrated(&own, overlays, Some(prod())), &given, |c| {
            let value = serde_json::to_value(c).unwrap();
            (value, render_prompt(&c.compiled_prompt))
        })
    };
    let (base, staging, high) = (view(&[]), view(&["staging"]), view(&["high_risk"]));
    let url = |view: &(Value, String)| view.0["manifests"]["tool_manifest"][0]["endpoint"]["base_url"].clone();
    assert_eq!(
        (url(&base), url(&staging)),
        (json!("https://orders.test"), json!("https://orders-staging.test")),
        "endpoint_ref"
    );
    assert_ne!(base.1, staging.1, "locale_default");
    assert!(staging.1.contains("en-IN"));
    let utility = |view: &(Value, String)| view.0["runtime_controls"]["targets"]["utility"].clone();
    assert_eq!((utility(&base), utility(&high)), (json!(0.9), json!(0.95)), "evaluator_threshold");
    // The threshold of the gate is lower: a refund between the two needs an approval under the overlay alone.
    let gates = |overlays: &[&str], amount: u64| {
        let mut request = document("packs/support/examples/request.yaml").value().clone();
        request["input"]["context"]["refund_amount"] = json!(amount);
        let run = document("packs/support/examples/run.yaml").value().clone();
        let given = Given::of(request, run, json!([]), json!([]));
        compiled(&hydrated(&own, overlays, None), &given, |c| c.runtime_controls.approval_gates_active.len())
    };
    let between = (1..=3000).step_by(100).find(|amount| gates(&["high_risk"], *amount) > 0);
    assert_eq!(between.map(|amount| gates(&[], amount)), Some(0), "policy_threshold");
}

#[test]
fn a_service_that_is_not_cleared_for_the_data_is_hidden() {
    let level = |pack: &mut Value, level: &str| pack["pack_meta"]["data_classification"] = json!(level);
    let surfaced = |bundle: &Bundle, given: &Given| {
        compiled(&hydrated(bundle, &[], None), given, |c| {
            let hidden: Vec<_> = c.context_ledger.tools.iter().filter(|tool| !tool.surfaced).collect();
            assert!(hidden.iter().all(|tool| tool.hidden_by.iter().any(|by| by.check == ToolCheck::Classification)));
            c.manifests.tool_manifest.len()
        })
    };
    let any = inputs(|_| {});
    assert_eq!(surfaced(&bundle("packs/support"), &any), 3);
    // INTERNAL data does not reach a service that is cleared for PUBLIC, unless the run lowers the ceiling.
    let public = edited(|p| p["tooling_layer"]["adapter_registry"][0]["max_classification"] = json!("PUBLIC"));
    assert_eq!(surfaced(&public, &any), 2);
    assert_eq!(surfaced(&public, &inputs(|run| run["max_classification"] = json!("PUBLIC"))), 3);
    // A RESTRICTED pack shows no service that does not state its clearance.
    assert_eq!(surfaced(&edited(|p| level(p, "RESTRICTED")), &any), 0);
    assert_eq!(surfaced(&edited(|p| level(p, "CONFIDENTIAL")), &any), 3);
}

#[test]
fn a_subject_outside_of_the_namespaces_is_refused() {
    let pack = hydrated(&bundle("packs/support"), &[], None);
    for subject in ["alien:1", "customer:", "customer", "Customer:1", ":1"] {
        let given = inputs(|run| run["subject_ids"] = json!(["customer:cus_17", subject]));
        assert_eq!(refusal(&pack, &given), "D2508", "{subject}");
    }
    // The user is not a subject that the run was opened for.
    compiled(&pack, &inputs(|run| run["subject_ids"] = json!([])), |c| assert_ne!(c.outcome, Verdict::MustRefuse));
}

#[test]
fn a_pack_of_another_contract_is_refused() {
    let of = |version: &str| hydrated(&edited(|p| p["contract_meta"]["contract_version"] = json!(version)), &[], None);
    for version in ["9.9.9", "3.0.0", "0.9.0"] {
        assert_eq!(refusal(&of(version), &inputs(|_| {})), "D0214", "{version}");
    }
    compiled(&of("2.7.3"), &inputs(|_| {}), |c| assert_ne!(c.outcome, Verdict::MustRefuse));
}
