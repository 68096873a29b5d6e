//! `deed workspace`: made, listed, used, set, shown and verified; and what is refused.

use super::fixture::{data, project, uploaded};
use crate::common::Project;
use serde_json::{Value, json};

#[test]
fn a_workspace_is_made_and_used() {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "acme"]);
    assert_eq!(data(&p, &["workspace", "list"]), json!([]));
    assert_eq!(data(&p, &["workspace", "use"])["workspace"], Value::Null);
    let made = data(&p, &["workspace", "new", "reports", "--purpose", "Monthly reports"]);
    assert_eq!(made, json!({ "workspace": "reports", "owner": "tester", "in_use": false }));
    p.refuses(&["workspace", "show"], 1, "D3004", "none is in use");
    p.ok(&["workspace", "use", "reports"]);
    let shown = data(&p, &["workspace", "show"]);
    assert_eq!(shown["summary"]["purpose"], "Monthly reports");
    assert_eq!(shown["people"][0]["roles"], json!(["owner"]));
    assert_eq!(shown["created_at"], "2026-11-15T00:00:00Z");
    assert_eq!(data(&p, &["workspace", "list"])[0]["in_use"], true);
    assert_eq!(data(&p, &["workspace", "use", "--none"])["workspace"], Value::Null);
    p.refuses(&["files", "list"], 1, "D3004", "`deed workspace use NAME`");
    p.ok(&["files", "list", "--workspace", "reports"]);
}

#[test]
fn names_that_cannot_be_used_are_refused() {
    let p = project();
    for name in ["Reports", "../up", "a b", "con", ""] {
        p.refuses(&["workspace", "new", name], 1, "D3003", "does not name a workspace");
    }
    p.refuses(&["workspace", "new", "reports"], 1, "D3002", "there is a workspace `reports` already");
    p.refuses(&["workspace", "use", "report"], 1, "D3001", "did you mean `reports`?");
    p.refuses(&["workspace", "show", "--workspace", "../reports"], 1, "D3003", "does not name a workspace");
    assert!(!p.path(".deed/workspaces/Reports").exists());
    p.write(".deed/workspace.json", "{ \"format\": 9, \"workspace\": \"reports\" }");
    p.refuses(&["workspace", "show"], 3, "D0009", "its format is 9");
}

#[test]
fn settings_are_checked_when_they_are_made() {
    let p = project();
    p.write("limits.yaml", "limits: { max_steps: 2, egress: [{ host: api.acme.example }] }\n");
    p.ok(&["workspace", "set", "--settings", "limits.yaml", "--profile", "strict-compliance", "--quota-bytes", "1000"]);
    p.ok(&["workspace", "set", "--secret", "stripe", "--secret", "bank=env:BANK_KEY", "--secret", "old=file:old_key"]);
    let shown = data(&p, &["workspace", "show"]);
    assert_eq!(shown["profile"], json!({ "profile": "strict-compliance", "origin": "default" }));
    assert_eq!(shown["settings"]["model_settings"]["limits"]["max_steps"], 2);
    assert_eq!(shown["settings"]["secrets"]["bank"], json!({ "from": "environment", "variable": "BANK_KEY" }));
    let text = p.ok(&["workspace", "show"]).stdout;
    for line in ["limit     2 steps", "limit     egress", "secret    stripe of the project", "quota     1000 bytes"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    p.ok(&["workspace", "set", "--unset", "secret:old", "--unset", "profile", "--unset", "settings"]);
    let shown = data(&p, &["workspace", "show"]);
    assert_eq!((&shown["profile"], &shown["settings"]["secrets"]["old"]), (&Value::Null, &Value::Null));
    assert_eq!(shown["settings"]["quota"]["bytes"], 1000);
    // The same again records nothing.
    assert_eq!(data(&p, &["workspace", "set", "--quota-bytes", "1000"])["recorded"], false);
    p.write("limits.yaml", "limitz: {}\n");
    p.refuses(&["workspace", "set", "--settings", "limits.yaml"], 1, "D0203", "limitz");
    p.refuses(&["workspace", "set", "--profile", "strict-complience"], 1, "D2824", "did you mean");
    p.write("team.yaml", "profile_id: team\nversion: 1.0.0\n");
    p.refuses(&["workspace", "set", "--profile", "./team.yaml"], 1, "D2824", "is a file, which can change unnoticed");
    p.refuses(&["workspace", "set", "--pack", "ctxpack.support"], 1, "D0013", "names no version");
    p.refuses(&["workspace", "set", "--unset", "secret:none"], 1, "D3017", "names no secret `none`");
    assert_eq!(p.run(&["workspace", "set", "--unset", "people"]).code, 2);
    assert_eq!(p.run(&["workspace", "set"]).code, 2);
    // A workspace whose settings cannot be used is not made.
    p.refuses(&["workspace", "new", "other", "--profile", "none"], 1, "D2824", "unknown profile");
    assert!(!p.path(".deed/workspaces/other").exists());
}

#[test]
fn values_of_secrets_are_neither_taken_nor_repeated() {
    let p = project();
    let value = "sk_live_4242424242424242";
    for secret in
        [format!("bank={value}"), format!("bank=env:{value}"), value.to_uppercase(), format!("bank=file:../{value}")]
    {
        let out = p.refuses(&["workspace", "set", "--secret", &secret], 1, "D3017", "secret");
        assert!(!out.stderr.to_lowercase().contains("4242"), "{}", out.stderr);
    }
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    let token = sample.text.get(sample.secret).unwrap();
    p.write("limits.yaml", format!("# {token}\nlimits: {{}}\n"));
    let out = p.run(&["workspace", "set", "--settings", "limits.yaml"]);
    assert!(out.code == 1 && !out.stderr.contains(token), "{}", out.stderr);
    p.refuses(&["files", "remove", "people/a", "--reason", token], 1, "D0024", "--reason");
}

#[test]
fn a_workspace_verifies_until_it_is_changed() {
    let p = uploaded();
    let verified = data(&p, &["workspace", "verify"]);
    assert_eq!(verified["events"], 3);
    let head = verified["head"]["hash"].as_str().unwrap().to_owned();
    p.ok(&["files", "remove", "people/orders.csv", "--reason", "wrong month"]);
    p.ok(&["workspace", "verify", "--head", &head]);
    let database = rusqlite::Connection::open(p.path(".deed/workspaces/reports/workspace.sqlite")).unwrap();
    let edit = "UPDATE events SET body = replace(body, 'wrong month', 'right month')";
    assert_eq!(database.execute(edit, []).unwrap(), 4);
    p.refuses(&["workspace", "verify"], 1, "D1220", "tampered with");
    p.refuses(&["files", "list"], 1, "D1220", "deed workspace verify");
    p.refuses(&["workspace", "verify", "--workspace", "none"], 1, "D3001", "no workspace `none`");
}

#[test]
fn memory_is_that_of_the_workspace_in_use() {
    let p = Project::published();
    let proposal = json!({
        "tenant_id": "tenant_acme_prod", "subject": "customer:cus_17", "intent_id": "support.refund",
        "tier": "semantic", "class": "preference", "classification": "INTERNAL", "provenance": ["feedback:1"],
        "confidence": 0.97, "text": "prefers e-mail",
    });
    p.write("proposal.json", proposal.to_string());
    let propose = ["memory", "propose", "proposal.json", "--pack", "ctxpack.support@1.0.0"];
    p.ok(&["workspace", "new", "desk", "--use"]);
    p.ok(&propose);
    assert_eq!(data(&p, &["memory", "list"]).as_array().unwrap().len(), 1);
    assert_eq!(data(&p, &["workspace", "show"])["memories"], 1);
    p.ok(&["workspace", "new", "other", "--use"]);
    assert_eq!(data(&p, &["memory", "list"]), json!([]));
    p.ok(&["workspace", "use", "--none"]);
    assert_eq!(data(&p, &["memory", "list"]), json!([]));
    p.ok(&propose);
    p.ok(&["workspace", "use", "desk"]);
    assert_eq!(data(&p, &["memory", "list"]).as_array().unwrap().len(), 1);
    p.ok(&["memory", "verify"]);
}
