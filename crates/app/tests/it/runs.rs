//! Lists of runs, and runs that are followed.

use crate::front::Front;
use deed_app::plans::{PlanText, compiled_from};
use deed_app::runs::{DecisionRequest, Followed, Follower, Status, decide, list, load};
use deed_model::{GateDecision, RunOutcome};
use deed_ports::JournalWrite as _;
use serde_json::json;

#[test]
fn runs_are_listed_and_followed() {
    let front = Front::new();
    assert_eq!(list(front.session(), None).unwrap().total, 0);
    front.ask(json!({ "do": "demo", "to": "demo" }));
    front.ask(json!({ "do": "submit", "plan": "demo/plan.yaml", "id": "week-1" }));
    front.ask(json!({ "do": "submit", "plan": "demo/plan.yaml", "id": "week-2" }));
    front.ask(json!({ "do": "decide", "run": "week-1", "role": "finance" }));
    front.ask(json!({ "do": "resume", "run": "week-1" }));

    let listed = list(front.session(), None).unwrap();
    let shown: Vec<(&str, Status)> = listed.runs.iter().map(|run| (run.run.run_id.as_str(), run.status)).collect();
    assert_eq!(shown, [("week-2", Status::Waiting), ("week-1", Status::Ended(RunOutcome::Succeeded))]);
    let newest = list(front.session(), Some(1)).unwrap();
    assert_eq!((newest.runs.len(), newest.total), (1, 2));

    let (_, store, loaded) = load(front.session(), "week-2").unwrap();
    let events = loaded.entries.len();
    let mut follower = Follower::new(&store, loaded);
    assert!(matches!(follower.next_part().unwrap(), Followed::Events(entries) if entries.len() == events));
    assert!(matches!(follower.next_part().unwrap(), Followed::Stopped(Status::Waiting)));
}

/// A token as scanners know it.
fn token() -> String {
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    sample.text.get(sample.secret).unwrap().to_owned()
}

#[test]
fn a_plan_that_is_not_a_file_is_compiled_and_conceals_its_secrets() {
    let front = Front::new();
    front.ask(json!({ "do": "demo", "to": "demo" }));
    let plan = |bytes: String| PlanText {
        name: "plan.yaml".to_owned(),
        bytes: bytes.into_bytes(),
        folder: front.path("demo"),
        ..PlanText::default()
    };
    let good = front.read("demo/plan.yaml");
    let (compiled, _) = compiled_from(front.session(), &plan(good.clone())).unwrap();
    assert!(!compiled.steps.is_empty());
    let error = compiled_from(front.session(), &plan(format!("{good}\n{}: 1\n", token()))).unwrap_err();
    let shown = format!("{error} {}", error.report.render(deed_diag::Style::Plain));
    assert!(!shown.contains(&token()) && shown.contains("plan.yaml"), "{shown}");
}

#[test]
fn the_name_of_a_run_that_is_a_secret_is_not_repeated() {
    let front = Front::new();
    front.ask(json!({ "do": "demo", "to": "demo" }));
    front.ask(json!({ "do": "submit", "plan": "demo/plan.yaml", "id": "week-1" }));
    let error = load(front.session(), &token()).map(drop).unwrap_err().to_string();
    assert!(error.contains("D2004") && !error.contains(&token()), "{error}");
}

#[test]
fn a_decision_says_whether_a_process_drives_the_run() {
    let front = Front::new();
    front.ask(json!({ "do": "demo", "to": "demo" }));
    let approve = |run: &str| {
        let request = DecisionRequest {
            run: run.to_owned(),
            gate: None,
            decision: GateDecision::Approved,
            role: Some("finance".to_owned()),
            hash: None,
            note: None,
            key: None,
            catalog_folders: Vec::new(),
        };
        decide(front.session(), &request).unwrap().is_driven
    };
    for run in ["week-1", "week-2"] {
        front.ask(json!({ "do": "submit", "plan": "demo/plan.yaml", "id": run }));
    }
    assert!(!approve("week-1"));
    let (_, store, _) = load(front.session(), "week-2").unwrap();
    let hold = store.take("week-2").unwrap();
    assert!(approve("week-2"));
    drop(hold);
}
