//! The process that drives a run with a model dies at every journal write: the same outcome, and no reply is asked for again but the
//! one whose answer was lost, once.

use super::left;
use super::mortal::{self, End};
use crate::run::models;
use serde_json::Value;

#[test]
fn a_death_at_any_write_asks_no_model_again_but_for_a_lost_reply() {
    let (p, provider) = models::gated();
    let verdict = |run: &str| {
        let outputs = p.json(&["runs", "show", run])["data"]["steps"].clone();
        let of = |step: &Value| step["outputs"].clone();
        outputs.as_array().unwrap().iter().map(of).collect::<Vec<Value>>()
    };
    let approved = |run: &str| {
        assert_eq!(models::run_gated(&p, run).code, 5);
        p.ok(&["gate", "approve", run, "--as", "clerk"]);
    };
    approved("undisturbed");
    p.ok(&["runs", "resume", "undisturbed"]);
    assert_eq!(provider.seen().len(), 1);
    let (expected, mut again) = (verdict("undisturbed"), 0);
    for nth in 0.. {
        let run = format!("write-{nth}");
        approved(&run);
        let before = provider.seen().len();
        let end = mortal::resume(&p.path(""), &run, nth);
        left::no_code(&p.path(""), &run);
        let (asked, answered) = (provider.seen().len() - before, ended(&p, &run));
        p.ok(&["runs", "resume", &run]);
        let total = provider.seen().len() - before;
        // A reply that is on record is not asked for again; one that was lost is asked for once more.
        let most = asked + usize::from(answered == 0);
        assert!(asked <= 1 && (1..=most.max(1)).contains(&total), "{run}: asked {asked}, then {total} in all");
        assert!(answered == 0 || total == asked, "{run}: a recorded reply was asked for again");
        again += total - 1;
        assert_eq!(verdict(&run), expected, "{run}");
        assert_eq!(ended(&p, &run), 1, "{run}");
        models::verified(&p, &run);
        let lost = p.json(&["runs", "cost", &run])["data"]["total"]["lost"].as_u64().unwrap();
        assert!(lost >= (total - 1) as u64, "{run}: {total} requests, {lost} counted as lost");
        if end == End::Ended {
            assert!(nth > 8, "only {nth} writes");
            break;
        }
    }
    assert!(again > 0, "no reply was ever lost");
}

fn ended(p: &crate::common::Project, run: &str) -> usize {
    p.json(&["runs", "events", run, "--kind", "model_call_ended"])["data"].as_array().unwrap().len()
}
