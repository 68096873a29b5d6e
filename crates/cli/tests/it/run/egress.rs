//! Egress: rules, denials, rules that would have been needed, and secrets.

use super::example::ends;
use crate::common::Project;
use crate::common::billing::Api;
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;

const ASK: &str = r#"plan: ask
mission: { objective: Ask the other side what it has }
policy_profile_id: generic.inference-allowed.v1
steps:
  - id: ask
    label: Ask
    objective: MUST write down what it was answered
    code:
      language: python
      source: |
        import json
        from deed import fetch
        answer = fetch("http://api.example.test:PORT/v1/corrections")
        json.dump({"status": answer["status"]}, open("output/answer.json", "w"))
    tool_needs: [http.fetch]
    egress:
      - { scheme: http, host: api.example.test, port: PORT, paths: [/v1/corrections], private_addresses: true,
          credential: { secret: "secret://api_key", header: authorization, format: "Bearer {}" } }
    expected_outputs: [{ path: output/answer.json }]
    artifact_contracts: { output/answer.json: { format: json, kind_key: object.json } }
    budget: { wall_seconds: 60 }
    max_retries: 0
"#;

pub(crate) const RUN: [&str; 5] = ["run", "--plan", "ask.yaml", "--resolve", "api.example.test=127.0.0.1"];
pub(crate) const SECRET: &str = "d0-not-show-this-to-anybody";

pub(crate) fn ask(api: &Api, edits: &[(&str, &str)]) -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "tenant_acme_prod"]);
    let mut text = ASK.to_owned();
    for (find, replace) in edits {
        assert!(text.contains(find), "{find}");
        text = text.replace(find, replace);
    }
    p.write("ask.yaml", text.replace("PORT", &api.port.to_string()));
    p
}

pub(crate) fn secret(p: &Project, mode: u32) {
    p.write(".deed/secrets/api_key", format!("{SECRET}\n"));
    let path = p.path(".deed/secrets/api_key");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_secret_is_read_from_a_file_that_only_its_owner_can_read() {
    let api = Api::start();
    let p = ask(&api, &[]);
    ends(&p, &[&RUN[..], &["--id", "none"]].concat(), 1, &["there is no secret `api_key`", "DEED_SECRET_"]);
    secret(&p, 0o644);
    ends(&p, &[&RUN[..], &["--id", "open"]].concat(), 1, &["others may read its file; `chmod 600` it"]);
    secret(&p, 0o600);
    let out = ends(&p, &[&RUN[..], &["--id", "closed"]].concat(), 0, &["closed  ask  succeeded"]);
    let events = p.ok(&["runs", "events", "closed", "--json"]).stdout;
    let receipts = p.ok(&["receipts", "show", "closed", "--json"]).stdout;
    for text in [&out.stdout, &out.stderr, &events, &receipts] {
        assert!(!text.contains(SECRET), "{text}");
    }
    let database = std::fs::read(p.path(".deed/runs/journal.sqlite")).unwrap();
    assert!(!database.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()));
}

#[test]
fn a_secret_comes_from_a_variable_too() {
    let api = Api::start();
    let p = ask(&api, &[]);
    let out = p.command(&RUN).env("DEED_SECRET_API_KEY", SECRET).output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn what_no_rule_allows_is_denied_and_not_tried_again() {
    let api = Api::start();
    let p = ask(&api, &[("paths: [/v1/corrections]", "paths: [/v1/rates]"), ("max_retries: 0", "max_retries: 3")]);
    secret(&p, 0o600);
    let out =
        ends(&p, &[&RUN[..], &["--id", "one"]].concat(), 1, &["D2051", "deed.CallFailed: denied:", "--learn-egress"]);
    assert!(!out.stderr.contains("retried in"), "{}", out.stderr);
    let line = p.ok(&["runs", "events", "one", "--kind", "egress"]).stdout;
    assert!(line.trim_end().ends_with("ask  GET  api.example.test  /v1/corrections  path_not_listed"), "{line}");
    let data = p.json(&["runs", "events", "one", "--kind", "egress"])["data"].clone();
    assert_eq!(data[0]["event"]["decision"]["verdict"], json!("path_not_listed"));
}

#[test]
fn a_name_that_leads_nowhere() {
    let api = Api::start();
    let p = ask(&api, &[]);
    secret(&p, 0o600);
    let args = ["run", "--plan", "ask.yaml", "--resolve", "other.example.test=127.0.0.1"];
    ends(&p, &args, 1, &["`api.example.test` leads to no address"]);
}

#[test]
fn learning_keeps_private_addresses_closed_and_says_what_would_be_needed() {
    let api = Api::start();
    let rule = ASK.get(ASK.find("    egress:").unwrap()..ASK.find("    expected_outputs").unwrap()).unwrap();
    let p = ask(&api, &[(rule, "")]);
    let args = [&RUN[..], &["--learn-egress", "--id", "one"]].concat();
    ends(
        &p,
        &args,
        1,
        &["leads to an address that is not public (127.0.0.1)", "# rules that would have been needed", "egress:"],
    );
    assert_eq!(api.did(), (0, 0, 0));
    let json = p.json(&[&RUN[..], &["--learn-egress", "--id", "two"]].concat());
    assert!(json["data"]["egress"].is_array(), "{json}");
    // Without asking for it, nothing is learned.
    let plain = ends(&p, &[&RUN[..], &["--id", "three"]].concat(), 1, &["D2051"]);
    assert!(!plain.stdout.contains("rules that would have been needed"));
}

#[test]
fn rules_that_contradict_themselves_are_refused_before_anything_runs() {
    let api = Api::start();
    let p = ask(&api, &[("private_addresses: true", "private_addresses: false")]);
    p.refuses(&RUN, 1, "D1974", "a secret is sent over `https` only");
}

#[test]
fn a_call_that_a_person_approves_parks_the_code_until_they_have() {
    let api = Api::start();
    let gate =
        "tool_needs: [http.fetch]\n    call_gates: [{ tool: http.fetch, question: May it ask?, approver_role: clerk }]";
    let p = ask(&api, &[("tool_needs: [http.fetch]", gate)]);
    secret(&p, 0o600);
    ends(&p, &[&RUN[..], &["--id", "one"]].concat(), 5, &["parked     ask", "May it ask?"]);
    assert_eq!(p.ok(&["runs", "events", "one", "--kind", "egress"]).stdout, "");
    let shown = p.json(&["gate", "show", "one"])["data"]["subject"].clone();
    let url = format!("http://api.example.test:{}/v1/corrections", api.port);
    assert_eq!((&shown["call"]["tool"], &shown["call"]["arguments"]["url"]), (&json!("http.fetch"), &json!(url)));
    ends(&p, &["gate", "show", "one"], 0, &["  call      http.fetch  (tool sha256:", &url]);
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    let resolve = ["runs", "resume", "one", "--resolve", "api.example.test=127.0.0.1"];
    ends(&p, &resolve, 0, &["one  ask  succeeded"]);
    assert_eq!(p.ok(&["runs", "events", "one", "--kind", "egress"]).stdout.lines().count(), 1);
    p.ok(&["receipts", "verify", "one"]);
    // The call as an envelope: its modes, what the approver was shown, and the answer.
    let tools = p.json(&["runs", "tools", "one", "--step", "ask"])["data"].clone();
    let [envelope] = tools["calls"].as_array().unwrap().as_slice() else { panic!("{tools:#}") };
    assert_eq!(envelope["format"], "deed/tool-envelope/v1");
    let modes = json!({ "declared_mode": "network", "approval_mode": "network", "safety_mode": "network" });
    assert_eq!(envelope["call"]["approval_modes"], modes);
    assert_eq!(
        (&envelope["call"]["tool_id"], &envelope["call"]["arguments"]["url"]),
        (&json!("http.fetch"), &json!(url))
    );
    assert_eq!(
        (&envelope["call"]["approvals"][0]["decision"], &envelope["call"]["approvals"][0]["role"]),
        (&json!("approved"), &json!("clerk"))
    );
    assert_eq!(envelope["result"]["outcome"]["status"], "ok");
    let text = p.ok(&["runs", "tools", "one"]).stdout;
    assert!(text.contains("network of network, at most network") && text.contains("approved by clerk"), "{text}");
    p.refuses(&["runs", "tools", "one", "--step", "as"], 1, "D2005", "did you mean `ask`?");
}

/// A list that is pasted must not look whole where it is not.
#[test]
fn learning_tells_what_is_in_no_rule_and_why() {
    let api = Api::start();
    let rule = ASK.get(ASK.find("    egress:").unwrap()..ASK.find("    expected_outputs").unwrap()).unwrap();
    let ask_two =
        "try: fetch(\"https://nowhere.example.test/x\")\n        except Exception: pass\n        answer = fetch(";
    let p = ask(&api, &[(rule, ""), ("answer = fetch(", ask_two)]);
    let private = format!("GET http://api.example.test:{}/v1/corrections", api.port);
    let why = "its address is not public; only a rule with `private_addresses: true` lets it through";
    let nowhere = "GET https://nowhere.example.test/x";
    let no_address = "its name leads to no address; `--resolve NAME=ADDRESS` gives it one";
    let out = ends(&p, &[&RUN[..], &["--learn-egress", "--id", "one"]].concat(), 1, &[]);
    let list = out.stdout.split_once("# rules that would have been needed\n").unwrap().1;
    let expected =
        format!("egress: []\n# needed beyond these rules:\n# ask: {private}: {why}\n# ask: {nowhere}: {no_address}\n");
    assert_eq!(list, expected);
    let data = p.json(&["runs", "resume", "one", "--resolve", "api.example.test=127.0.0.1"])["data"].clone();
    assert_eq!(data["egress"], json!([]));
    let left = json!([
        { "step": "ask", "request": private, "why": why },
        { "step": "ask", "request": nowhere, "why": no_address },
    ]);
    assert_eq!(data["egress_left_out"], left);
}

#[test]
fn learning_tells_of_a_capability_that_a_method_needs() {
    let api = Api::start();
    let rule = ASK.get(ASK.find("    egress:").unwrap()..ASK.find("    expected_outputs").unwrap()).unwrap();
    let p = ask(&api, &[(rule, ""), ("/v1/corrections\")", "/v1/corrections\", method=\"POST\")")]);
    let out = ends(&p, &[&RUN[..], &["--learn-egress", "--id", "one"]].concat(), 1, &["D2050"]);
    let says = format!(
        "# needed beyond these rules:\n# ask: POST http://api.example.test:{}/v1/corrections: list `http.submit` under \
         `tool_needs` of the step\n",
        api.port
    );
    assert!(out.stdout.ends_with(&says), "{}", out.stdout);
    // Also where the code catches it, and all ends well.
    let caught = "answer = {\"status\": 0, \"body\": \"\"}\n        try: answer = fetch(";
    let refused = "/v1/corrections\", method=\"POST\")\n        except Exception: pass";
    let p = ask(&api, &[(rule, ""), ("answer = fetch(", caught), ("/v1/corrections\")", refused)]);
    let out = ends(&p, &[&RUN[..], &["--learn-egress", "--id", "one"]].concat(), 0, &["remark: POST http://api"]);
    assert!(out.stdout.ends_with(&says), "{}", out.stdout);
    let shown = p.json(&["runs", "show", "one"])["data"]["steps"][0]["remarks"].clone();
    assert!(shown[0].as_str().unwrap().contains("the contract does not have `http.submit`"), "{shown}");
    assert_eq!(p.ok(&["runs", "events", "one", "--kind", "call_refused"]).stdout.lines().count(), 1);
}

#[test]
fn a_fork_reports_what_the_earlier_run_had_sent() {
    let api = Api::start();
    let sends = [
        (
            r#"fetch("http://api.example.test:PORT/v1/corrections")"#,
            r#"fetch("http://api.example.test:PORT/v1/corrections", "POST", body={"n": 1})"#,
        ),
        ("tool_needs: [http.fetch]", "tool_needs: [http.submit]"),
        ("paths: [/v1/corrections], private", "methods: [POST], repeat: by_key, private"),
        (
            ",\n          credential: { secret: \"secret://api_key\", header: authorization, format: \"Bearer {}\" } }",
            " }",
        ),
    ];
    let p = ask(&api, &sends);
    ends(&p, &[&RUN[..], &["--id", "one"]].concat(), 0, &["one  ask  succeeded"]);
    let on = [&RUN[..], &["--id", "two", "--from", "one", "--step", "ask"]].concat();
    ends(&p, &on, 0, &["`one` made 1 call with effects elsewhere", "served again"]);
}

/// A list without rules would say that nothing is needed, where the capability is.
#[test]
fn learning_tells_that_no_step_may_reach_anything() {
    let p = super::example::tally();
    let run = [&super::example::RUN[..], &["--learn-egress", "--approve", "clerk"]].concat();
    ends(
        &p,
        &run,
        0,
        &["egress: []\n# no step has `tool_needs: [http.fetch]`, without which its code can reach nothing"],
    );
}
