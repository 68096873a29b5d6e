//! `deed people`, and who approves in a run of a workspace.

use super::fixture::{data, history, tally, uploaded};
use crate::common::Project;
use base64::Engine as _;
use serde_json::{Value, json};

/// The seal of a run, as it was signed.
fn seal(p: &Project, run: &str) -> Value {
    let events = data(p, &["runs", "events", run, "--kind", "sealed"]).to_string();
    let at = events.find("\"payload\":\"").unwrap() + 11;
    let payload = &events[at..at + events[at..].find('"').unwrap()];
    let bytes = base64::engine::general_purpose::STANDARD.decode(payload).unwrap();
    serde_json::from_slice::<Value>(&bytes).unwrap()["predicate"].clone()
}

fn waits(p: &Project, args: &[&str]) {
    let out = p.run(args);
    assert_eq!(out.code, 5, "{}{}", out.stdout, out.stderr);
}

#[test]
fn people_are_added_listed_and_removed() {
    let p = uploaded();
    let added = data(&p, &["people", "add", "rosa", "--role", "clerk", "--role", "finance", "--name", "Rosa Lind"]);
    assert_eq!(added["person"]["roles"], json!(["clerk", "finance"]));
    assert_eq!(data(&p, &["people", "add", "rosa", "--role", "clerk", "--role", "finance"])["recorded"], false);
    assert_eq!(data(&p, &["people", "list"])["people"].as_array().unwrap().len(), 2);
    let shown = data(&p, &["people", "show", "rosa"]);
    assert_eq!((&shown["name"], &shown["added_by"]), (&json!("Rosa Lind"), &json!("tester")));
    assert!(p.ok(&["people", "list"]).stdout.contains("rosa (Rosa Lind): clerk, finance"));
    p.refuses(&["people", "show", "rosi"], 1, "D3014", "did you mean `rosa`?");
    p.refuses(&["people", "remove", "rosi"], 1, "D3014", "did you mean `rosa`?");
    p.refuses(&["people", "add", "eve", "--role", "clerk", "--actor", "rosa"], 1, "D3012", "ask an owner: `tester`");
    p.refuses(&["people", "add", "eve", "--actor", "eve"], 1, "D3011", "`eve` is no person");
    p.refuses(&["people", "add", " "], 1, "D3015", "does not name a person");
    p.refuses(&["people", "remove", "tester"], 1, "D3013", "the last owner");
    p.ok(&["people", "remove", "rosa", "--reason", "left"]);
    assert_eq!(data(&p, &["people", "list"])["people"].as_array().unwrap().len(), 1);
}

#[test]
fn a_workspace_of_one_person_is_its_own_approver_and_says_so() {
    let p = uploaded();
    waits(&p, &["run", "tally.yaml", "--id", "one"]);
    let approved = data(&p, &["gate", "approve", "one", "--as", "clerk"]);
    assert_eq!(approved["approval"]["authority"], "sole_person");
    p.ok(&["runs", "resume", "one"]);
    let sealed = seal(&p, "one")["workspace"].clone();
    assert_eq!(
        (&sealed["workspace"], &sealed["approvals"][0]["authority"]),
        (&json!("reports"), &json!("sole_person"))
    );
    let text = p.ok(&["runs", "show", "one"]).stdout;
    assert!(
        text.contains("approved by tester as clerk, the only person of the workspace and its own approver"),
        "{text}"
    );
    p.ok(&["receipts", "verify", "one"]);
    // Beforehand it is the same.
    tally(&p, "two");
    assert_eq!(seal(&p, "two")["workspace"]["approvals"][0]["authority"], "sole_person");
    // With a second person, roles decide.
    p.ok(&["people", "add", "rosa", "--role", "clerk"]);
    p.refuses(&["run", "tally.yaml", "--id", "three", "--approve", "clerk"], 1, "D3016", "ask `rosa`");
    waits(&p, &["run", "tally.yaml", "--id", "three"]);
    p.refuses(&["gate", "approve", "three", "--as", "clerk"], 1, "D3016", "`tester` does not hold the role `clerk`");
    p.refuses(&["gate", "approve", "three", "--actor", "eve"], 1, "D3016", "`eve` is no person of the workspace");
    // Nor does a resumed run take an approval that would not count: it says so instead of waiting in silence.
    p.refuses(&["runs", "resume", "three", "--approve", "clerk"], 1, "D3016", "`--approve clerk` has no effect");
    p.ok(&["gate", "approve", "three", "--actor", "rosa", "--resume"]);
    assert_eq!(seal(&p, "three")["workspace"]["approvals"][0]["authority"], "directory");
}

#[test]
fn a_person_who_was_removed_no_longer_approves() {
    for removal in [&["people", "remove", "rosa"][..], &["people", "add", "rosa", "--role", "finance"]] {
        let p = uploaded();
        p.ok(&["people", "add", "rosa", "--role", "clerk"]);
        waits(&p, &["run", "tally.yaml", "--id", "one"]);
        p.ok(&["gate", "approve", "one", "--as", "clerk", "--actor", "rosa"]);
        // The approval is signed and recorded, and does not count when the step would go on.
        p.ok(removal);
        waits(&p, &["runs", "resume", "one"]);
        let lapsed = data(&p, &["runs", "events", "one", "--kind", "gate_lapsed"]).to_string();
        assert!(lapsed.contains("the approval no longer counts"), "{lapsed}");
        assert_eq!(data(&p, &["files", "list", "--area", "agents"])["files"], json!([]));
        p.refuses(&["gate", "approve", "one", "--as", "clerk", "--actor", "rosa"], 1, "D3016", "rosa");
        p.ok(&["people", "add", "ben", "--role", "clerk"]);
        p.ok(&["gate", "approve", "one", "--as", "clerk", "--actor", "ben", "--resume"]);
        assert_eq!(history(&p, "agents/tally/note.txt"), [(1, "one".to_owned())]);
        assert_eq!(seal(&p, "one")["workspace"]["approvals"][0]["approver"], "ben");
        p.ok(&["receipts", "verify", "one"]);
    }
}

/// An approval counts while the authority under which it was given has lasted without a break.
#[test]
fn an_approval_from_before_a_removal_does_not_come_back() {
    let breaks: [&[&[&str]]; 2] = [
        &[&["people", "remove", "rosa"], &["people", "add", "rosa", "--role", "clerk"]],
        &[&["people", "add", "rosa", "--role", "finance"], &["people", "add", "rosa", "--role", "clerk"]],
    ];
    for steps in breaks {
        let p = uploaded();
        p.ok(&["people", "add", "rosa", "--role", "clerk"]);
        waits(&p, &["run", "tally.yaml", "--id", "one"]);
        p.ok(&["gate", "approve", "one", "--as", "clerk", "--actor", "rosa"]);
        assert_eq!(data(&p, &["runs", "show", "one"]).get("lapses"), None);
        steps.iter().for_each(|step| drop(p.ok(step)));
        // It is told before the run is resumed, and after.
        let why = "`rosa` has not been entitled to decide as `clerk` all the time since the decision";
        let next = format!("the approval by rosa lapses when the run is resumed, and the gate asks again: {why}");
        for args in [&["runs", "show", "one"][..], &["gate", "show", "one", "total-seen"]] {
            let told = p.ok(args).stdout;
            assert!(told.contains(&next), "{told}");
        }
        waits(&p, &["runs", "resume", "one"]);
        for args in [&["runs", "show", "one"][..], &["gate", "show", "one"]] {
            let told = p.ok(args).stdout;
            let lapsed = format!(": the approval no longer counts: {why}");
            assert!(told.contains("the approval by rosa lapsed at ") && told.contains(&lapsed), "{told}");
        }
        let lapse = data(&p, &["gate", "show", "one"])["lapse"].clone();
        assert_eq!((&lapse["gate"], &lapse["approver"]), (&json!("total-seen"), &json!("rosa")));
        assert_eq!(data(&p, &["runs", "show", "one"])["lapses"][0], lapse);
        // Decided anew, it counts.
        p.ok(&["gate", "approve", "one", "--as", "clerk", "--actor", "rosa", "--resume"]);
        assert_eq!(seal(&p, "one")["workspace"]["approvals"][0]["approver"], "rosa");
        p.ok(&["receipts", "verify", "one"]);
    }
}

/// Other changes of the directory do not touch an approval.
#[test]
fn an_approval_outlasts_changes_that_are_no_break() {
    let p = uploaded();
    p.ok(&["people", "add", "rosa", "--role", "clerk"]);
    waits(&p, &["run", "tally.yaml", "--id", "one"]);
    p.ok(&["gate", "approve", "one", "--as", "clerk", "--actor", "rosa"]);
    p.ok(&["people", "add", "rosa", "--role", "clerk", "--role", "finance", "--name", "Rosa Lind"]);
    p.ok(&["people", "add", "ben", "--role", "clerk"]);
    p.ok(&["people", "remove", "ben"]);
    p.ok(&["runs", "resume", "one"]);
}

#[test]
fn people_add_says_what_it_changed() {
    let p = uploaded();
    let first = data(&p, &["people", "add", "rosa", "--role", "clerk", "--role", "owner"]);
    assert_eq!(first.get("changed"), None);
    let told = p.ok(&["people", "add", "rosa", "--role", "finance", "--name", "Rosa"]).stdout;
    assert_eq!(told, "rosa (Rosa): finance\n  gained finance; lost clerk, owner\n");
    let changed = data(&p, &["people", "add", "rosa", "--role", "clerk", "--name", "Rosa Lind"])["changed"].clone();
    assert_eq!(changed, json!({ "gained": ["clerk"], "lost": ["finance"], "earlier_name": "Rosa" }));
}

#[test]
fn outside_of_workspaces_approvals_are_as_they_were() {
    let p = crate::run::example::waiting();
    p.ok(&["workspace", "new", "reports", "--use"]);
    let approved = data(&p, &["gate", "approve", "one", "--as", "clerk", "--actor", "anyone"]);
    assert_eq!(approved["approval"].get("authority"), None);
    p.ok(&["runs", "resume", "one"]);
    assert_eq!(seal(&p, "one").get("workspace"), None);
}
