//! Profiles, validation packs and prompts in the registry: how their lives end, and what profiles may name.

use crate::common::Project;
use crate::run::example::TALLY;
use serde_json::Value;

const TEAM: &str = "profile_id: team\nversion: 1.0.0\nissuer: tenant_acme_prod\n";
const ORDERS: &str = "pack_ref: valpack.acme.orders@v1\nsummary: Orders.\nphases: [step_output]\n\
                      rules: [{ id: any, artifact_path: '*', read_as: bytes, checks: [not_empty] }]\n";
const NAMES: &str = "validation:\n  phases:\n    step_output: { pack_ref: valpack.acme.orders@v1, mode: block }\n";
const BRIEF: &str = "prompt_ref: acme.brief@v1\ndescription: Briefs.\ntext: |\n  Summarise.\n  {{report}}\n\
                     variables: { report: { description: The report. } }\n";
const BINDS: &str = "consumer_bindings: { operator_brief: { prompt_binding_ref: acme.brief@v1 } }\n";
const RUN: [&str; 4] = ["run", "plan.yaml", "--id", "one"];

/// A project with a plan whose run waits at a gate.
fn project() -> Project {
    let p = Project::new();
    p.write("plan.yaml", TALLY);
    p.write("input/orders.csv", "order,amount\na,40\nb,2\n");
    p.write("team.yaml", TEAM);
    p.write("orders.yaml", ORDERS);
    p.write("brief.yaml", BRIEF);
    p
}

fn publish(p: &Project, group: &str, file: &str) -> Value {
    p.json(&[group, "publish", file, "--key", "acme"])["data"].clone()
}

fn row(p: &Project, group: &str, field: &str, name: &str) -> Value {
    let listed = p.json(&[group, "list"])["data"].as_array().unwrap().clone();
    listed.into_iter().find(|row| row[field] == name).unwrap_or_else(|| panic!("{group} list has no {name}"))
}

fn verified(p: &Project) {
    let checked = p.json(&["pack", "verify"]);
    assert_eq!(checked["ok"], true, "{checked}");
}

#[test]
fn an_ended_profile_governs_no_new_run_and_a_run_under_way_goes_on() {
    let p = project();
    publish(&p, "profile", "team.yaml");
    p.ok(&["profile", "bind", "team@1.0.0"]);
    p.ok(&["profile", "bind", "team@1.0.0", "--run", "two"]);
    assert_eq!(p.run(&RUN).code, 5);
    let end = |verb: &'static str, reason: &'static str| ["profile", verb, "team@1.0.0", "--reason", reason];
    p.refuses(&end("deprecate", " "), 1, "D1208", "needs a reason");
    let refused = p.refuses(&end("deprecate", "old"), 1, "D2828", "tenant tenant_acme_prod, run two");
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    let ended = p.json(&[&end("deprecate", "old")[..], &["--force"]].concat());
    assert_eq!(ended["data"]["under_way"], serde_json::json!(["one"]));
    assert!(p.json(&end("deprecate", "old"))["data"]["event"].is_null());
    p.refuses(&end("deprecate", "other words"), 1, "D1206", "deprecated: old");
    p.refuses(&["run", "plan.yaml", "--id", "two"], 1, "D1206", "deprecated: old");
    p.refuses(&["run", "plan.yaml", "--id", "x", "--profile", "team@1.0.0"], 1, "D1206", "deprecated: old");
    p.refuses(&["profile", "bind", "team@1.0.0", "--workspace", "w"], 1, "D1206", "deprecated: old");
    p.ok(&[&end("revoke", "leaks")[..], &["--force"]].concat());
    p.refuses(&["run", "plan.yaml", "--id", "two"], 1, "D1207", "revoked: leaks");
    p.refuses(&end("deprecate", "old"), 1, "D1207", "revoked: leaks");
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D1207", "revoked: leaks");
    p.refuses(&["runs", "show", "two"], 1, "D2004", "two");
    // What was frozen with the run governs it to its end.
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    p.ok(&["runs", "resume", "one"]);
    assert_eq!(p.json(&["runs", "show", "one"])["data"]["status"], "succeeded");
    p.ok(&["receipts", "verify", "one"]);
    verified(&p);
}

#[test]
fn lists_show_states_and_a_shown_profile_its_history() {
    let p = project();
    publish(&p, "profile", "team.yaml");
    assert_eq!(row(&p, "profile", "profile_ref", "team@1.0.0")["state"], "published");
    p.ok(&["profile", "bind", "team@1.0.0"]);
    p.ok(&["profile", "unbind", "--reason", "not yet"]);
    p.ok(&["profile", "deprecate", "team@1.0.0", "--reason", "old"]);
    p.ok(&["profile", "revoke", "team@1.0.0", "--reason", "leaks"]);
    let listed = row(&p, "profile", "profile_ref", "team@1.0.0");
    assert_eq!((&listed["state"], &listed["reason"]), (&Value::from("revoked"), &Value::from("leaks")));
    let shown = p.json(&["profile", "show", "team@1.0.0"])["data"].clone();
    let events = shown["history"].as_array().unwrap().iter().map(|entry| {
        assert!(entry["actor"].is_string() && entry["at"].is_string() && entry["seq"].is_u64(), "{entry}");
        format!("{}: {}", entry["event"].as_str().unwrap(), entry["detail"].as_str().unwrap())
    });
    let events: Vec<String> = events.skip(1).collect();
    let expected = [
        "profile_bound: tenant tenant_acme_prod",
        "profile_unbound: tenant tenant_acme_prod: not yet",
        "profile_deprecated: old",
        "profile_revoked: leaks",
    ];
    assert_eq!(events, expected);
    assert_eq!(shown["state"], "revoked");
    let printed = p.ok(&["profile", "show", "team@1.0.0", "--history"]).stdout;
    assert_eq!(printed.lines().count(), 5, "{printed}");
    let history = p.json(&["profile", "show", "team@1.0.0", "--history"])["data"].clone();
    assert!(history["document"].is_null() && shown["document"].is_object());
    assert_eq!(history["history"], shown["history"]);
    verified(&p);
}

#[test]
fn an_unbound_scope_has_no_profile_and_what_was_never_bound_is_not_unbound() {
    let p = project();
    publish(&p, "profile", "team.yaml");
    p.refuses(&["profile", "unbind", "--reason", "r"], 1, "D2829", "no profile is bound to tenant");
    p.ok(&["profile", "bind", "team@1.0.0"]);
    p.refuses(&["profile", "unbind", "--reason", ""], 1, "D1208", "needs a reason");
    assert!(p.json(&["profile", "unbind", "--reason", "r"])["data"]["event"].is_object());
    assert!(p.json(&["profile", "unbind", "--reason", "r"])["data"]["event"].is_null());
    assert_eq!(row(&p, "profile", "profile_ref", "team@1.0.0")["bound_to"], serde_json::json!([]));
    p.ok(&["profile", "bind", "team@1.0.0"]);
    verified(&p);
}

#[test]
fn a_workspace_whose_default_a_profile_is_counts_as_its_user() {
    let p = project();
    publish(&p, "profile", "team.yaml");
    p.ok(&["workspace", "new", "reports", "--profile", "team@1.0.0"]);
    let end = ["profile", "revoke", "team@1.0.0", "--reason", "leaks"];
    p.refuses(&end, 1, "D2828", "workspace reports by default");
    p.ok(&[&end[..], &["--force"]].concat());
    p.refuses(&["workspace", "set", "--workspace", "reports", "--profile", "team@1.0.0"], 1, "D1207", "revoked: leaks");
}

#[test]
fn a_published_validation_pack_is_found_by_reference_and_frozen_with_the_run() {
    let p = project();
    p.write("team.yaml", format!("{TEAM}{NAMES}"));
    let unknown =
        p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D2902", "valpack.acme.orders@v1");
    assert!(unknown.stderr.contains("team.yaml:6"), "{}", unknown.stderr);
    let published = publish(&p, "valpack", "orders.yaml");
    assert!(published["event"].is_object());
    assert!(publish(&p, "valpack", "orders.yaml")["event"].is_null());
    p.write("other.yaml", ORDERS.replace("Orders.", "Other."));
    p.refuses(&["valpack", "publish", "other.yaml", "--key", "acme"], 1, "D2826", "published with other bytes");
    assert_eq!(p.json(&["valpack", "show", "valpack.acme.orders@v1"])["data"]["origin"], "published");
    publish(&p, "profile", "team.yaml");
    assert_eq!(p.run(&[&RUN[..], &["--profile", "team@1.0.0"]].concat()).code, 5);
    assert_eq!(row(&p, "valpack", "pack_ref", "valpack.acme.orders@v1")["named_by"], serde_json::json!(["team@1.0.0"]));
    let end = ["valpack", "revoke", "valpack.acme.orders@v1", "--reason", "blind"];
    p.refuses(&end, 1, "D2828", "`team@1.0.0`");
    p.ok(&[&end[..], &["--force"]].concat());
    let refused =
        p.refuses(&["run", "plan.yaml", "--id", "two", "--profile", "team@1.0.0"], 1, "D1207", "revoked: blind");
    assert!(refused.stderr.contains("team@1.0.0"), "{}", refused.stderr);
    let linted = p.run(&["profile", "lint", "team.yaml"]);
    assert!(
        linted.code == 1 && linted.stderr.contains("D1207") && linted.stderr.contains("team.yaml:6"),
        "{}",
        linted.stderr
    );
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    p.ok(&["runs", "resume", "one"]);
    p.ok(&["receipts", "verify", "one"]);
    let shown = p.json(&["valpack", "show", "valpack.acme.orders@v1"])["data"].clone();
    assert_eq!((&shown["state"], shown["history"].as_array().unwrap().len()), (&Value::from("revoked"), 2));
    verified(&p);
}

#[test]
fn one_reference_of_a_validation_pack_has_one_content() {
    let p = project();
    publish(&p, "valpack", "orders.yaml");
    let own = |summary: &str| {
        let pack = ORDERS.replace("Orders.", summary).replace("phases:", "\nphases:");
        let lines: String =
            pack.lines().filter(|line| !line.is_empty()).map(|line| format!("      {line}\n")).collect();
        format!("{TEAM}{NAMES}  packs:\n    -\n{lines}")
    };
    p.write("team.yaml", own("Other."));
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D2908", "profile and published");
    p.refuses(&["run", "plan.yaml", "--id", "a", "--profile", "./team.yaml"], 1, "D2908", "profile and published");
    p.write("team.yaml", own("Orders."));
    publish(&p, "profile", "team.yaml");
    // A pack that a profile holds has its one content too.
    let q = project();
    q.write("team.yaml", own("Other."));
    publish(&q, "profile", "team.yaml");
    q.refuses(&["valpack", "publish", "orders.yaml", "--key", "acme"], 1, "D2826", "published with other bytes");
    q.write("valpacks/orders.yaml", ORDERS);
    q.write("beside.yaml", format!("{TEAM}{NAMES}").replace("1.0.0", "1.0.1"));
    assert_eq!(q.run(&["profile", "lint", "beside.yaml"]).code, 0);
    q.refuses(&["profile", "publish", "beside.yaml", "--key", "acme"], 1, "D2902", "valpack.acme.orders@v1");
    verified(&p);
    verified(&q);
}

#[test]
fn what_ships_cannot_be_published_and_only_trusted_keys_publish() {
    let p = project();
    p.write("ships.yaml", ORDERS.replace("valpack.acme.orders@v1", "valpack.operator.json-schema@v9"));
    p.refuses(&["valpack", "publish", "ships.yaml", "--key", "acme"], 1, "D2826", "ships with Deed");
    p.write("ships.yaml", BRIEF.replace("acme.brief@v1", "workspace.operator.planner.system@v9"));
    p.refuses(&["prompt", "publish", "ships.yaml", "--key", "acme"], 1, "D2826", "ships with Deed");
    p.ok(&["keys", "generate", "other"]);
    p.refuses(&["valpack", "publish", "orders.yaml", "--key", "other"], 1, "D1301", "no key that is trusted");
    p.refuses(&["prompt", "publish", "brief.yaml", "--key", "acme", "--issuer", "b"], 1, "D1304", "issuer `b`");
    p.write("orders.yaml", ORDERS.replace("not_empty", "not_emty"));
    p.refuses(&["valpack", "publish", "orders.yaml", "--key", "acme"], 1, "D0206", "not_emty");
}

#[test]
fn a_published_prompt_is_bound_by_reference_and_has_one_text() {
    let p = project();
    p.write("team.yaml", format!("{TEAM}{BINDS}"));
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D2810", "acme.brief@v1");
    publish(&p, "prompt", "brief.yaml");
    p.write("brief.yaml", BRIEF.replace("Summarise.", "Shorten."));
    p.refuses(&["prompt", "publish", "brief.yaml", "--key", "acme"], 1, "D2826", "published with other bytes");
    publish(&p, "profile", "team.yaml");
    let explained = p.json(&["profile", "explain", "team@1.0.0"])["data"].clone();
    let text = explained["snapshot"]["prompts"]["acme.brief@v1"]["text"].as_str().unwrap();
    assert!(text.starts_with("Summarise."), "{text}");
    let shown = p.ok(&["prompt", "show", "acme.brief@v1"]).stdout;
    assert!(shown.contains("object_published") && shown.contains("report             outside"), "{shown}");
    // The same reference with another text in a profile is refused, and settings may bind a published prompt too.
    let own = "prompts: [{ prompt_ref: acme.brief@v1, text: other }]\n";
    p.write("own.yaml", format!("{}{own}", TEAM.replace("team", "own")));
    let refused = p.refuses(&["profile", "publish", "own.yaml", "--key", "acme"], 1, "D2826", "acme.brief@v1");
    assert!(refused.stderr.contains("own.yaml:4"), "{}", refused.stderr);
    p.write("settings.yaml", "consumers: { operator_auditor: { prompt_binding_ref: acme.brief } }\n");
    let key = ["--key", "operator_auditor/prompt_binding_ref"];
    let settings = [&["profile", "explain", "strict-compliance", "--settings", "settings.yaml"], &key[..]].concat();
    let snapshot = p.json(&settings)["data"]["snapshot"].clone();
    assert_eq!(snapshot["bindings"]["operator_auditor"]["prompt_binding_ref"], "acme.brief@v1");
    p.refuses(&["prompt", "deprecate", "acme.brief@v1", "--reason", "old"], 1, "D2828", "`team@1.0.0`");
    p.ok(&["prompt", "deprecate", "acme.brief@v1", "--reason", "old", "--force"]);
    p.refuses(&["run", "plan.yaml", "--id", "x", "--profile", "team@1.0.0"], 1, "D1206", "deprecated: old");
    p.refuses(&settings, 1, "D2810", "acme.brief");
    assert_eq!(row(&p, "prompt", "prompt_ref", "acme.brief@v1")["state"], "deprecated");
    verified(&p);
}

#[test]
fn a_prompt_declares_its_variables_and_holds_no_secret() {
    let p = project();
    p.ok(&["prompt", "lint", "brief.yaml"]);
    let refused = |text: String, code: &str, said: &str| {
        p.write("bad.yaml", text);
        p.refuses(&["prompt", "publish", "bad.yaml", "--key", "acme"], 1, code, said);
    };
    refused(BRIEF.replace("{{report}}", "{{reprot}}"), "D2812", "reprot");
    refused(BRIEF.replace("acme.brief@v1", "acme.brief"), "D2809", "has no version");
    refused(BRIEF.replace("variables:", "variabels:"), "D0203", "variabels");
    let secret = deed_detect::sample("github-classic-token", 1).unwrap().text;
    refused(BRIEF.replace("Summarise.", &secret), "D2822", "bad.yaml");
}

#[test]
fn a_revoked_key_ends_what_it_signed_and_no_run_under_way() {
    let p = project();
    p.write("team.yaml", format!("{TEAM}{NAMES}"));
    let id = publish(&p, "valpack", "orders.yaml")["key_id"].as_str().unwrap().to_owned();
    publish(&p, "profile", "team.yaml");
    assert_eq!(p.run(&[&RUN[..], &["--profile", "team@1.0.0"]].concat()).code, 5);
    p.ok(&["keys", "trust", &id, "--revoke", "--reason", "lost"]);
    p.refuses(&["run", "plan.yaml", "--id", "two", "--profile", "team@1.0.0"], 1, "D1302", "revoked: lost");
    p.refuses(&["run", "plan.yaml", "--id", "two", "--profile", "./team.yaml"], 1, "D1302", "revoked: lost");
    assert!(row(&p, "valpack", "pack_ref", "valpack.acme.orders@v1")["reason"].as_str().unwrap().contains("lost"));
    let checked = p.run(&["pack", "verify"]);
    assert!(format!("{}{}", checked.stdout, checked.stderr).contains("D1228"), "{}", checked.stderr);
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    p.ok(&["runs", "resume", "one"]);
    assert_eq!(p.json(&["runs", "show", "one"])["data"]["status"], "succeeded");
}
