//! Profiles in the registry: signed, published once, bound to scopes.

use crate::common::Project;
use serde_json::{Value, json};

const TEAM: &str = "profile_id: team\nversion: 1.0.0\nissuer: tenant_acme_prod\nbudgets: { tool_calls: 5 }\n";

fn project() -> Project {
    let p = Project::new();
    p.write("team.yaml", TEAM);
    p
}

fn listed(p: &Project) -> Vec<Value> {
    p.json(&["profile", "list"])["data"].as_array().unwrap().clone()
}

#[test]
fn a_published_profile_is_loaded_by_its_reference_whatever_happens_to_the_file() {
    let p = project();
    let published = p.json(&["profile", "publish", "team.yaml", "--key", "acme"]);
    assert_eq!(published["data"]["recorded"], true);
    p.write("team.yaml", "profile_id: other\n");
    let shown = p.json(&["profile", "show", "team@1.0.0"]);
    assert_eq!(shown["data"]["origin"], "published");
    assert_eq!(shown["data"]["content_hash"], published["data"]["content_hash"]);
    let explained = p.json(&["profile", "explain", "team@1.0.0", "--key", "power/tool_calls"]);
    assert_eq!(explained["data"]["values"][0]["value"], 5);
    p.refuses(&["profile", "show", "team@1.0.1"], 1, "D2824", "team@1.0.1");
}

#[test]
fn two_documents_of_one_version_are_refused_and_the_same_one_is_nothing_new() {
    let p = project();
    p.ok(&["profile", "publish", "team.yaml", "--key", "acme"]);
    let again = p.json(&["profile", "publish", "team.yaml", "--key", "acme"]);
    assert_eq!(again["data"]["recorded"], false);
    p.write("team.yaml", TEAM.replace("tool_calls: 5", "tool_calls: 4"));
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D2826", "published with other bytes");
    p.write("team.yaml", TEAM.replace("1.0.0", "1.1.0").replace("tool_calls: 5", "tool_calls: 9"));
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D2825", "need a major version");
    p.write("team.yaml", TEAM.replace("1.0.0", "2.0.0").replace("tool_calls: 5", "tool_calls: 9"));
    p.ok(&["profile", "publish", "team.yaml", "--key", "acme"]);
    assert_eq!(listed(&p).len(), 4);
}

#[test]
fn a_version_of_a_prompt_never_changes() {
    let p = project();
    let with = |version: &str, text: &str| {
        let own = TEAM.replace("1.0.0", version);
        format!("{own}prompts: [{{ prompt_ref: acme.brief@v1, text: {text} }}]\n")
    };
    p.write("team.yaml", with("1.0.0", "one"));
    p.ok(&["profile", "publish", "team.yaml", "--key", "acme"]);
    p.write("team.yaml", with("1.1.0", "two"));
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D2826", "acme.brief@v1");
}

#[test]
fn only_a_trusted_key_of_the_issuer_publishes() {
    let p = project();
    p.ok(&["keys", "generate", "other"]);
    p.refuses(&["profile", "publish", "team.yaml", "--key", "other"], 1, "D1301", "no key that is trusted");
    p.write("team.yaml", TEAM.replace("tenant_acme_prod", "elsewhere"));
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D1304", "elsewhere");
    p.write("team.yaml", TEAM.replace("issuer: tenant_acme_prod\n", ""));
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D2801", "issuer");
    p.write("team.yaml", TEAM.replace("profile_id: team", "profile_id: fast-prototype"));
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D2826", "ships with Deed");
}

#[test]
fn profiles_are_bound_to_scopes_and_a_revoked_key_ends_them() {
    let p = project();
    p.refuses(&["profile", "bind", "team@1.0.0"], 1, "D2824", "not published");
    p.ok(&["profile", "publish", "team.yaml", "--key", "acme"]);
    assert_eq!(p.json(&["profile", "bind", "team@1.0.0"])["data"]["recorded"], true);
    assert_eq!(p.json(&["profile", "bind", "team@1.0.0"])["data"]["recorded"], false);
    p.ok(&["profile", "bind", "team@1.0.0", "--workspace", "reports"]);
    p.refuses(&["profile", "bind", "team@1.0.0", "--run", "a b"], 1, "D0015", "`a b`");
    let bound = &listed(&p)[2]["bound_to"];
    let expected = json!([
        { "kind": "tenant", "tenant_id": "tenant_acme_prod" },
        { "kind": "workspace", "workspace": "reports" },
    ]);
    assert_eq!(*bound, expected);
    let checked = p.json(&["pack", "verify"]);
    assert_eq!(checked["ok"], true, "{checked}");
    let id =
        p.json(&["profile", "publish", "team.yaml", "--key", "acme"])["data"]["key_id"].as_str().unwrap().to_owned();
    p.ok(&["keys", "trust", &id, "--revoke", "--reason", "lost"]);
    p.refuses(&["profile", "show", "team@1.0.0"], 1, "D1302", "revoked: lost");
    p.refuses(&["profile", "bind", "team@1.0.0", "--workspace", "other"], 1, "D1302", "revoked: lost");
}

#[test]
fn a_profile_that_pins_a_pack_needs_one_that_may_be_used() {
    let p = Project::published();
    p.write("team.yaml", format!("{TEAM}context_pack_ref: ctxpack.support@9.0.0\n"));
    p.refuses(&["profile", "publish", "team.yaml", "--key", "acme"], 1, "D1205", "ctxpack.support@9.0.0");
    p.write("team.yaml", format!("{TEAM}context_pack_ref: ctxpack.support@1.0.0\n"));
    p.ok(&["profile", "publish", "team.yaml", "--key", "acme"]);
    p.write("plan.yaml", crate::run::example::TALLY);
    p.write("input/orders.csv", "order,amount\na,40\nb,2\n");
    let run = ["run", "plan.yaml", "--id", "one", "--approve", "clerk", "--profile", "team@1.0.0"];
    p.ok(&run);
    p.ok(&["pack", "revoke", "ctxpack.support@1.0.0", "--reason", "leaks refunds", "--force"]);
    let again = [&run[..3], &["two"], &run[4..]].concat();
    let refused = p.refuses(&again, 1, "D1207", "leaks refunds");
    assert!(refused.stderr.contains("profile:team@1.0.0"), "{}", refused.stderr);
    p.refuses(&["runs", "show", "two"], 1, "D2004", "two");
}
