//! A run that was submitted is there whole, or not at all.

use super::dice::{Dice, kills};
use super::shape::Shape;
use super::yard::{APPROVED, Fate, Yard, submitting};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn killed_while_it_is_submitted() {
    let (yard, mut dice) = (Yard::new(Shape::of(2)), Dice::new(400));
    let (mut absent, mut present) = (0, 0);
    let names: Vec<String> = (0..kills(40).div_ceil(2)).map(|number| format!("run-{number}")).collect();
    for (number, run) in names.iter().enumerate() {
        // The journal and the key of the project are made on the way: the first deaths fall into that. The later ones
        // leave more time, so that also on a slow machine some come after the submission.
        let most = if number < names.len() / 2 { 250 } else { 1000 };
        let fate = yard.live(yard.start(&submitting(run), APPROVED), dice.within_ms(most));
        assert!(matches!(fate, Fate::Killed | Fate::Exited(0)), "{fate:?}\n{}", yard.told());
        let listed = yard.project.json(&["runs", "list", "--all"]);
        yard.project.ok(&["journal", "verify"]);
        let listed: BTreeSet<&str> = listed["data"]["runs"].as_array().unwrap().iter().map(name).collect();
        if listed.contains(run.as_str()) {
            present += 1;
            let first = &yard.project.json(&["runs", "events", run])["data"][0]["event"]["kind"];
            assert_eq!(first, "submitted", "{run}");
        } else {
            absent += 1;
            yard.project.refuses(&["runs", "resume", run], 1, "D2004", "there is no run");
        }
    }
    println!("{present} of {} were there when their process died", names.len());
    assert!(absent > 0 && present > 0, "{absent} absent, {present} present: no instant of either kind was hit");
    // Each of them can be begun, or gone on with, as if nothing had been.
    yard.effects.take();
    for run in [names.first().unwrap(), names.last().unwrap()] {
        let status = yard.start(&submitting(run), APPROVED).wait().unwrap();
        assert_eq!(status.code(), Some(0), "{}", yard.told());
    }
}

#[test]
fn half_a_key_is_made_whole() {
    let yard = Yard::new(Shape::of(2));
    yard.undisturbed("first");
    // As if the process had died between the two halves.
    std::fs::remove_file(yard.project.path(".deed/keys/workspace.pub.pem")).unwrap();
    yard.undisturbed("second");
    let listed = yard.project.ok(&["keys", "list"]).stdout;
    assert!(listed.contains("workspace"), "{listed}");
}

fn name(listed: &Value) -> &str {
    listed["run_id"].as_str().unwrap()
}
