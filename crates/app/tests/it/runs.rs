//! Lists of runs, and runs that are followed.

use crate::front::Front;
use deed_app::runs::{Followed, Follower, Status, list, load};
use deed_model::RunOutcome;
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
