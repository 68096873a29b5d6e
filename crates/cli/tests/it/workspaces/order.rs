//! Outputs in the order in which their runs were submitted, outputs whose names collide, and outputs that were not kept.

use super::fixture::{data, history, tally, text, uploaded};
use crate::common::Project;
use crate::run::example::TALLY;
use serde_json::json;

fn waits(p: &Project, args: &[&str]) {
    let out = p.run(args);
    assert_eq!(out.code, 5, "{}{}", out.stdout, out.stderr);
}

#[test]
fn a_run_that_ends_late_stays_behind_one_that_was_submitted_later() {
    let p = uploaded();
    waits(&p, &["run", "tally.yaml", "--id", "october"]);
    p.write("november.csv", "order,amount\na,50\n");
    p.ok(&["files", "put", "november.csv", "orders.csv"]);
    tally(&p, "november");
    let late = p.ok(&["gate", "approve", "october", "--as", "clerk", "--resume"]);
    let behind =
        "agents/tally/note.txt@2  behind version 1 of run november, which was submitted later and stays the newest";
    assert!(late.stderr.contains(behind), "{}", late.stderr);
    assert!(p.ok(&["runs", "show", "october"]).stdout.contains(behind));
    let kept = data(&p, &["runs", "show", "october"])["kept"].clone();
    let by = json!({ "path": "agents/tally/note.txt", "version": 1, "run_id": "november" });
    assert_eq!((&kept[0]["path"], &kept[0]["superseded_by"]), (&json!("agents/tally/note.txt"), &by));
    let told = p.ok(&["files", "history", "agents/tally/note.txt"]).stdout;
    assert!(told.contains("  behind version 1 of run november"), "{told}");
    // Both versions are there; the newest is that of November, for people and for the next run.
    assert_eq!(history(&p, "agents/tally/note.txt"), [(2, "october".to_owned()), (1, "november".to_owned())]);
    assert_eq!(text(&p, "agents/tally/note.txt"), "1 orders, 50 in all\n");
    assert_eq!(text(&p, "agents/tally/note.txt@2"), "2 orders, 42 in all\n");
    p.ok(&["run", "growth.yaml", "--id", "growth"]);
    assert_eq!(text(&p, "agents/growth/growth.txt"), "0\n");
    assert_eq!(data(&p, &["files", "list", "agents/tally/note"])["files"][0]["latest"]["version"], 1);
    tally(&p, "december");
    assert_eq!(text(&p, "agents/tally/note.txt@3"), text(&p, "agents/tally/note.txt"));
    p.ok(&["workspace", "verify"]);
}

/// The plan with an output of another spelling, which is known before anything runs.
fn respelled() -> String {
    TALLY.replace("output/note.txt", "output/Note.txt")
}

#[test]
fn an_output_that_would_collide_is_refused_before_anything_runs() {
    let p = uploaded();
    tally(&p, "one");
    p.write("tally.yaml", respelled());
    let run = ["run", "tally.yaml", "--id", "two", "--approve", "clerk"];
    let out = p.refuses(&run, 1, "D3008", "`output/Note.txt` would be `agents/tally/Note.txt`");
    assert!(out.stderr.contains("deed files remove agents/tally/note.txt"), "{}", out.stderr);
    p.refuses(&["runs", "show", "two"], 1, "D2004", "two");
    p.ok(&["files", "remove", "agents/tally/note.txt", "--reason", "renamed"]);
    p.ok(&run);
    assert_eq!(history(&p, "agents/tally/Note.txt"), [(1, "two".to_owned())]);
}

/// Where the collision is known only at the end, the output takes the place of the file, and everything says so.
#[test]
fn an_output_that_collides_at_the_end_takes_the_place_and_says_so() {
    let p = uploaded();
    p.write("other.yaml", respelled());
    waits(&p, &["run", "tally.yaml", "--id", "one"]);
    waits(&p, &["run", "other.yaml", "--id", "two"]);
    p.ok(&["gate", "approve", "one", "--as", "clerk", "--resume"]);
    let out = p.ok(&["gate", "approve", "two", "--as", "clerk", "--resume"]);
    let said = "agents/tally/Note.txt@1  in place of agents/tally/note.txt, which is removed in its version 2";
    assert!(out.stderr.contains(said), "{}", out.stderr);
    assert!(p.ok(&["runs", "show", "two"]).stdout.contains(said));
    let kept = data(&p, &["runs", "show", "two"])["kept"].clone();
    assert_eq!(kept[0]["replaced"], json!([{ "path": "agents/tally/note.txt", "version": 2 }]));
    let told = p.ok(&["files", "history", "agents/tally/Note.txt"]).stdout;
    assert!(told.contains("  in place of agents/tally/note.txt, which is removed in its version 2"), "{told}");
    let told = p.ok(&["files", "history", "agents/tally/note.txt"]).stdout;
    assert!(told.contains("`agents/tally/Note.txt` of run `two` takes its place"), "{told}");
    assert_eq!(text(&p, "agents/tally/note.txt@1"), "2 orders, 42 in all\n");
    p.ok(&["workspace", "verify"]);
}

#[test]
fn outputs_that_were_not_kept_are_told_and_hinder_who_reads_them() {
    let p = uploaded();
    tally(&p, "one");
    p.write("more.csv", "order,amount\na,1000\nb,2000\n");
    p.ok(&["files", "put", "more.csv", "orders.csv"]);
    p.ok(&["workspace", "set", "--quota-versions", "4"]);
    let out = p.run(&["run", "tally.yaml", "--id", "two", "--approve", "clerk"]);
    assert!(out.code == 1 && out.stderr.contains("[D3010]"), "{}", out.stderr);
    let shown = p.ok(&["runs", "show", "two"]).stdout;
    assert!(shown.contains("its outputs are not in the workspace: the workspace would keep"), "{shown}");
    let data_of = data(&p, &["runs", "show", "two"]);
    assert_eq!((&data_of["not_kept"]["code"], data_of.get("kept")), (&json!("D3010"), None));
    // A plan that reads them would read the older ones; one that does not, goes on with a warning.
    let growth = ["run", "growth.yaml", "--id", "three"];
    let out = p.refuses(&growth, 1, "D3030", "would be an older version: the run `two` has ended");
    assert!(
        out.stderr.contains("--file input/agents/tally/total.json=agents/tally/total.json@VERSION"),
        "{}",
        out.stderr
    );
    waits(&p, &["run", "tally.yaml", "--id", "four"]);
    let out = p.run(&["run", "tally.yaml", "--id", "five"]);
    assert!(out.stderr.contains("warning[D3030]: the run `two` has ended, and its outputs are not"), "{}", out.stderr);
    p.ok(&["workspace", "set", "--quota-versions", "100"]);
    p.ok(&growth);
    assert_eq!(history(&p, "agents/tally/total.json"), [(2, "two".to_owned()), (1, "one".to_owned())]);
    assert_eq!(data(&p, &["runs", "show", "two"]).get("not_kept"), None);
}

#[test]
fn outsiders_neither_resume_nor_cancel_a_run() {
    let p = uploaded();
    waits(&p, &["run", "tally.yaml", "--id", "one"]);
    for verb in ["resume", "cancel"] {
        p.refuses(
            &["runs", verb, "one", "--actor", "eve"],
            1,
            "D3011",
            "`eve` is no person of the workspace `reports`",
        );
    }
    assert_eq!(data(&p, &["runs", "show", "one"])["status"], "waiting");
    p.ok(&["people", "add", "eve"]);
    p.ok(&["runs", "cancel", "one", "--actor", "eve"]);
}
