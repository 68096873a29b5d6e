use crate::common::Project;
use crate::context::example::{context, inputs, vary};
use serde_json::Value;

const FIRST: &str = "ctxpack.support@1.0.0";

/// The support pack, published, with a recording of the worked example as a named archive.
fn published() -> Project {
    let p = Project::published();
    inputs(&p);
    p.ok(&context("record", &["--pack", FIRST, "--out", "incidents/first.json"]));
    p.ok(&["registry", "archive", "add", "incidents", "incidents"]);
    p
}

/// Signs the draft as 2.0.0, with the limit of the gate raised or not.
fn signed_next(p: &Project, limit: &str) {
    p.edit_in_place(
        "support/pack.yaml",
        &[
            ("pack_version: 1.0.0", "pack_version: 2.0.0"),
            ("refund_amount }, 3000", &format!("refund_amount }}, {limit}")),
        ],
    );
    for overlay in ["staging", "high_risk"] {
        p.edit_in_place(
            &format!("support/overlays/{overlay}.yaml"),
            &[("ctxpack.support@1.0.0", "ctxpack.support@2.0.0")],
        );
    }
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme"]);
}

#[test]
fn a_loosening_is_published_only_on_the_record() {
    let p = published();
    signed_next(&p, "9000");
    let publish = ["pack", "publish", "support"];
    let refused = p.refuses(&publish, 1, "D1533", "`--accept policy --as ROLE --reason TEXT`");
    assert!(refused.stderr.contains("must_escalate -> compiled"), "{}", refused.stderr);
    let accept = |metric: &'static str| {
        [&publish[..], &["--accept", metric, "--as", "security", "--reason", "the limit is meant"]].concat()
    };
    // Another metric is not what got worse, and the options come together.
    p.refuses(&accept("safety"), 1, "D2410", "no regression of `safety`");
    assert_eq!(p.run(&["pack", "publish", "support", "--accept", "policy"]).code, 2);
    let done = p.json(&accept("policy"))["data"].clone();
    assert_eq!(done["compared"], 1);
    assert!(done["accepted"][0].as_str().unwrap().starts_with("`policy` gets worse"), "{done}");
    let shown = p.ok(&["pack", "show", "ctxpack.support@2.0.0"]).stdout;
    assert!(shown.contains("accepted  policy as security: `policy` gets worse"), "{shown}");
    assert!(shown.contains("accepted  policy as security: gate GATE_FINANCE_APPROVAL"), "{shown}");
    let log = p.ok(&["pack", "log", "ctxpack.support@2.0.0"]).stdout;
    assert!(log.contains("pack_regression_accepted") && log.contains("(the limit is meant)"), "{log}");
    p.ok(&["pack", "verify"]);
}

#[test]
fn an_environment_is_pinned_through_the_same_gates_and_rolled_back_without() {
    let p = published();
    // A refund that waits for finance with the overlay alone.
    vary(&p, "request.yaml", "middling.yaml", &[("4200", "2000")]);
    let middling = ["--pack", FIRST, "--request", "middling.yaml", "--out", "incidents/second.json"];
    p.ok(&context("record", &middling));
    p.ok(&["registry", "archive", "add", "incidents", "incidents"]);
    p.ok(&["pack", "pin", FIRST, "--env", "prod", "--overlay", "high_risk"]);
    // Without the overlay the limit is looser.
    let base = ["pack", "pin", FIRST, "--env", "prod"];
    p.refuses(&base, 1, "D1533", "gets worse");
    signed_next(&p, "3000");
    p.ok(&["pack", "publish", "support"]);
    let next = "ctxpack.support@2.0.0";
    p.ok(&["pack", "pin", next, "--env", "prod", "--overlay", "high_risk"]);
    let back = p.json(&["pack", "rollback", "ctxpack.support", "--env", "prod"])["data"].clone();
    assert!(back["took_ms"].is_u64() && back["rollback"] == Value::Bool(true), "{back}");
    p.ok(&["pack", "pin", next, "--env", "prod", "--overlay", "high_risk"]);
    let text = p.ok(&["pack", "rollback", "ctxpack.support", "--env", "prod"]);
    assert!(text.stderr.contains("rolled back in "), "{}", text.stderr);
}

#[test]
fn an_archive_that_changed_is_refused_until_it_is_named_again() {
    let p = published();
    signed_next(&p, "3000");
    std::fs::copy(p.path("incidents/first.json"), p.path("incidents/second.json")).unwrap();
    p.refuses(&["pack", "publish", "support"], 1, "D2421", "2 recordings, and 1 then");
    p.ok(&["registry", "archive", "add", "incidents", "incidents", "--kind", "correction"]);
    let listed = p.json(&["registry", "archive", "list"])["data"].clone();
    assert_eq!((&listed[0]["path"], &listed[0]["recordings"]), (&Value::from("incidents"), &Value::from(2)));
    p.ok(&["pack", "publish", "support"]);
    p.refuses(&["registry", "archive", "forget", "incident", "--reason", "x"], 1, "D2420", "incidents");
    p.ok(&["registry", "archive", "forget", "incidents", "--reason", "replaced"]);
    assert_eq!(p.ok(&["registry", "archive", "list"]).stdout, "");
    p.ok(&["pack", "verify"]);
}

#[test]
fn the_checklist_has_eight_lines_in_every_format() {
    let p = published();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/support");
    let data = p.json(&["pack", "ci", root])["data"].clone();
    assert_eq!(data["lines"].as_array().unwrap().len(), 8);
    assert_eq!(data["lines"][4]["state"], "passed", "{data}");
    for (format, begins) in [("json", "{"), ("sarif", "{"), ("junit", "<?xml"), ("text", "1 schema      passed")] {
        let direct = p.ok(&["pack", "ci", root, "--format", format]).stdout;
        assert!(direct.starts_with(begins), "{format} {direct}");
        let out = format!("report.{format}");
        let lines = p.ok(&["pack", "ci", root, "--format", format, "--out", &out]).stdout;
        assert!(lines.starts_with("1 schema      passed"), "{lines}");
        assert!(std::fs::read_to_string(p.path(&out)).unwrap().starts_with(begins));
    }
    // The draft of the tests has no golden cases.
    let draft = p.run(&["pack", "ci", "./support"]);
    assert_eq!(draft.code, 1);
    assert!(draft.stderr.contains("D2411"), "{}", draft.stderr);
    p.write("broken/pack.yaml", "a: [");
    let broken = p.run(&["pack", "ci", "./broken"]);
    assert_eq!(broken.code, 1);
    assert!(broken.stdout.starts_with("1 schema      failed, 1 error\n2 references  not run"), "{}", broken.stdout);
    assert_eq!(p.run(&["pack", "ci", "./missing"]).code, 3);
    assert_eq!(p.run(&["pack", "ci"]).code, 2);
    assert_eq!(p.run(&["pack", "ci", root, "--deny-not-run"]).code, 1);
    let workflow = p.ok(&["pack", "ci", "--workflow"]).stdout;
    p.write("workflow.yaml", &workflow);
    for part in ["deed pack ci \"$PACK\"", "actions/checkout@", "cargo install", "github.event.before", "--archive"] {
        assert!(workflow.contains(part), "{part}");
    }
}

#[test]
fn a_recheck_of_a_version_is_recorded_and_keeps_it_from_new_pins() {
    let p = published();
    p.write(
        "ontology.yaml",
        "format: deed/ontology/v1\nnamespace: ont.support\nversion: 1.0.0\nentity_types: [Customer, Payment, Policy]\n\
         relationship_types: [order_belongs_to_customer]\nceid_namespaces: [customer, order, payment, policy]\n",
    );
    let recheck = ["pack", "recheck", FIRST, "--ontology", "ontology.yaml"];
    p.refuses(&recheck, 1, "D2431", "no entity type `Order`");
    p.refuses(&["pack", "pin", FIRST, "--env", "prod"], 1, "D2440", "ONTOLOGY_UPDATED");
    let shown = p.ok(&["pack", "show", FIRST]).stdout;
    assert!(shown.contains("rechecked ONTOLOGY_UPDATED ont.support: 1 error"), "{shown}");
    p.edit_in_place("ontology.yaml", &[("[Customer, ", "[Customer, Order, ")]);
    let passed = p.json(&recheck)["data"].clone();
    assert_eq!((&passed["passed"], &passed["changes"][0]["errors"]), (&Value::Bool(true), &Value::from(0)));
    assert!(passed["changes"][0]["event"]["seq"].is_u64(), "{passed}");
    p.ok(&["pack", "pin", FIRST, "--env", "prod"]);
    // A folder has no history.
    let folder = p.ok(&["pack", "recheck", "./support", "--runtime", "1.2.0"]);
    assert!(folder.stdout.contains("not recorded"), "{}", folder.stdout);
    assert_eq!(p.run(&["pack", "recheck", FIRST]).code, 2);
    assert_eq!(p.run(&["pack", "recheck", FIRST, "--adapter", "adp_orders"]).code, 2);
    assert_eq!(p.run(&["pack", "recheck", FIRST, "--ontology", "missing.yaml"]).code, 3);
    p.ok(&["pack", "verify"]);
}

/// A change that no request of the archive reaches is stopped by its text alone, and passes on the record.
#[test]
fn a_text_that_a_model_reads_is_published_only_on_the_record() {
    let p = published();
    p.edit_in_place("support/pack.yaml", &[("a customer we have recognised", "a customer who asks for it")]);
    signed_next(&p, "3000");
    let publish = ["pack", "publish", "support"];
    p.refuses(&publish, 1, "D2414", "`--accept prompt_text --as ROLE --reason TEXT`");
    let accept = ["--accept", "prompt_text", "--as", "security", "--reason", "clearer"];
    p.ok(&[&publish[..], &accept].concat());
    p.ok(&["pack", "pin", FIRST, "--env", "prod"]);
    // What was accepted for these documents holds for the pin too.
    p.ok(&["pack", "pin", "ctxpack.support@2.0.0", "--env", "prod"]);
    p.ok(&["pack", "verify"]);
}

#[test]
fn a_lower_version_that_was_never_pinned_passes_the_gates() {
    let p = published();
    signed_next(&p, "9000");
    let publish = ["pack", "publish", "support", "--accept", "policy", "--as", "security", "--reason", "meant"];
    p.ok(&publish);
    let next = "ctxpack.support@2.0.0";
    p.ok(&["pack", "pin", next, "--env", "test"]);
    // The first version was never pinned there: it is compared, and tightens.
    let pin = ["pack", "pin", FIRST, "--env", "test"];
    p.refuses(&pin, 1, "D1533", "economics_cents_per_decision");
    let meant = ["--accept", "economics_cents_per_decision", "--as", "security", "--reason", "a longer prompt"];
    let first = p.json(&[&pin[..], &meant].concat())["data"].clone();
    assert_eq!((&first["rollback"], &first["compared"]), (&Value::Bool(false), &Value::from(1)), "{first}");
    let text = p.ok(&["pack", "log", FIRST]).stdout;
    assert!(!text.contains("rollback from"), "{text}");
    p.ok(&["pack", "pin", next, "--env", "test"]);
    let back = p.json(&["pack", "pin", FIRST, "--env", "test"])["data"].clone();
    assert_eq!((&back["rollback"], &back["compared"]), (&Value::Bool(true), &Value::from(0)), "{back}");
    p.ok(&["pack", "verify"]);
}

#[test]
fn a_later_recheck_of_the_same_kind_unblocks_whatever_the_document_is_called() {
    let p = published();
    let config = |model: &str, window: u64| {
        format!(
            "format: deed/model-config/v1\nmodel: {model}\ntokenizer: o200k_base\ncontext_window_tokens: {window}\n\
             max_output_tokens: 1000\n"
        )
    };
    let recheck = ["pack", "recheck", FIRST, "--runtime", "0.1.0"];
    p.refuses(&recheck, 1, "D2432", "0.1.0");
    p.refuses(&["pack", "pin", FIRST, "--env", "prod"], 1, "D2440", "RUNTIME_UPDATED");
    p.ok(&["pack", "recheck", FIRST, "--runtime", "1.0.0"]);
    for (model, window) in [("model-a", 32_000), ("model-b", 32_000)] {
        p.write("model.yaml", config(model, window));
        p.ok(&["pack", "recheck", FIRST, "--model-config", "model.yaml"]);
    }
    p.ok(&["pack", "pin", FIRST, "--env", "prod"]);
}
