//! Checks before the first stage: references, tenants, components, ontologies; and the intent.

use super::example::{compile, compiled, example, pack_with, refused, run_with, vary};
use serde_json::Value;

#[test]
fn intents() {
    let p = example();
    vary(&p, "request.yaml", "other.yaml", &[("intent: support.refund", "intent: support.refnd")]);
    let args = compile(&["--request", "other.yaml"]);
    refused(&p, &args, 1, "D1511", "did you mean `support.refund`?");
    let document = p.json(&args);
    let diagnostic = &document["diagnostics"][0];
    assert_eq!((&diagnostic["code"], &diagnostic["stage"]), (&"D1511".into(), &"intent".into()));
    assert_eq!(diagnostic["location"]["pointer"], "/input/intent");
    assert_eq!(document["data"], Value::Null);
    run_with(&p, "exchange.yaml", "intent: support.exchange");
    refused(&p, &compile(&["--run", "exchange.yaml"]), 1, "D1512", "support.exchange");
    run_with(&p, "refund.yaml", "intent: support.refund");
    p.ok(&compile(&["--run", "refund.yaml"]));
}

#[test]
fn references_of_the_pack() {
    let p = example();
    let pack = |reference: &'static str| compile(&["--pack", reference]);
    refused(&p, &pack("ctxpack.support"), 1, "D0013", "ctxpack.support@1.0.0");
    refused(&p, &pack("ctxpack.support@1.0.0-rc.1"), 1, "D0014", "three numbers");
    refused(&p, &pack("ctxpack.support@latest"), 1, "D0014", "three numbers");
    refused(&p, &pack("ctxpack.support@1.0.0"), 3, "D0008", "deed init");
}

#[test]
fn references_of_the_request() {
    let p = example();
    for (refs, code, says) in [
        ("ctxpack.support", "D1501", "names no version"),
        ("ctxpack.support@1.0.0-rc.1", "D1501", "three numbers"),
        ("ctxpack.support@2.0.0", "D1502", "`ctxpack.support@2.0.0`"),
        ("ctxpack.other@1.0.0", "D1502", "`ctxpack.support@1.0.0` was loaded"),
        ("ctxpack.support@1.0.0, ctxpack.other@1.0.0", "D1503", "it declares `ctxpack.support.staging@1.0.0`"),
        ("ctxpack.support@1.0.0, ctxpack.support.staging", "D1503", "names no version"),
        ("ctxpack.support@1.0.0, ctxpack.support.staging@2.0.0", "D1503", "not declared"),
    ] {
        vary(&p, "request.yaml", "other.yaml", &[("[ctxpack.support@1.0.0]", &format!("[{refs}]"))]);
        refused(&p, &compile(&["--request", "other.yaml"]), 1, code, says);
    }
    // A run may name them too, and is held to them.
    run_with(&p, "pinned.yaml", "context_pack_refs: [ctxpack.support@2.0.0]");
    refused(&p, &compile(&["--run", "pinned.yaml"]), 1, "D1502", "the run context names");
    refused(&p, &compile(&["--overlay", "nowhere"]), 1, "D1009", "it has `staging`, `high_risk`");
    // Nothing named: the pack that is given counts.
    vary(&p, "request.yaml", "free.yaml", &[("context_pack_refs: [ctxpack.support@1.0.0]\n", "")]);
    p.ok(&compile(&["--request", "free.yaml"]));
}

#[test]
fn tenants() {
    let p = example();
    vary(&p, "run.yaml", "globex.yaml", &[("tenant_acme_prod", "tenant_globex")]);
    refused(&p, &compile(&["--run", "globex.yaml"]), 1, "D1504", "pack_meta.shared: true");
    vary(&p, "request.yaml", "globex_asks.yaml", &[("channel: chat", "channel: chat\ntenant_id: tenant_globex")]);
    refused(&p, &compile(&["--request", "globex_asks.yaml"]), 1, "D1504", "the request belongs to `tenant_globex`");
    pack_with(&p, "shared", &[("  ttl_seconds: 86400", "  shared: true\n  ttl_seconds: 86400")]);
    p.ok(&compile(&["--pack", "./shared", "--run", "globex.yaml"]));
}

#[test]
fn components() {
    let p = example();
    run_with(&p, "older.yaml", "components: { runtime: 0.9.0 }");
    refused(
        &p,
        &compile(&["--run", "older.yaml"]),
        1,
        "D1505",
        "the run states that `runtime` is `0.9.0`, but it is `1.0.0`",
    );
    // A run cannot claim a runtime that it does not have.
    run_with(&p, "newer.yaml", "components: { runtime: 9.4.0 }");
    refused(&p, &compile(&["--run", "newer.yaml"]), 1, "D1505", "it is `1.0.0`");
    run_with(&p, "same.yaml", "components: { runtime: 1.0.0 }");
    p.ok(&compile(&["--run", "same.yaml"]));
    pack_with(&p, "later", &[("runtime: \">=1.0.0\"", "runtime: \">=9.0.0\"")]);
    refused(&p, &compile(&["--pack", "./later"]), 1, "D1505", "requires `runtime` `>=9.0.0` and there is `1.0.0`");
    pack_with(&p, "gpu", &[("      ontology: \">=1.0.0\"", "      ontology: \">=1.0.0\"\n      gpu: \">=2.0.0\"")]);
    refused(&p, &compile(&["--pack", "./gpu"]), 1, "D1505", "requires `gpu`, which is missing");
}

#[test]
fn ontologies() {
    let p = example();
    vary(&p, "run.yaml", "other.yaml", &[("ont.support: [\"1.0.0\"]", "ont.support: [\"2.0.0\"]")]);
    refused(&p, &compile(&["--run", "other.yaml"]), 1, "D1506", "there is `2.0.0`");
    vary(&p, "run.yaml", "none.yaml", &[("{ ont.support: [\"1.0.0\"] }", "{}")]);
    refused(&p, &compile(&["--run", "none.yaml"]), 1, "D1506", "there is no version of it");
    vary(&p, "run.yaml", "two.yaml", &[("[\"1.0.0\"]", "[\"2.0.0\", \"1.0.0\"]")]);
    assert_eq!(compiled(&p, &["--run", "two.yaml"])["outcome"], "must_escalate");
}

#[test]
fn a_draft_that_holds_no_water() {
    let p = example();
    pack_with(&p, "gateless", &[("requires_approval_gate: GATE_FINANCE", "requires_approval_gate: GATE_FINANCES")]);
    refused(&p, &compile(&["--pack", "./gateless"]), 1, "D0302", "gateless/pack.yaml");
    pack_with(&p, "blind", &[("redaction_rules: [pan, credit_card]", "redaction_rules: [pan, aura]")]);
    refused(&p, &compile(&["--pack", "./blind"]), 1, "D0314", "`aura`");
}
