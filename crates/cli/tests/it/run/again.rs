//! Runs that take over what earlier runs made.

use super::example::{RUN, changed, ends, noted, tally};
use serde_json::Value;

/// The run that a step was reused from, as its receipt says.
fn taken(p: &crate::common::Project, run: &str, step: &str) -> Option<String> {
    let receipts = p.json(&["receipts", "show", run, step]);
    let all = receipts["data"].as_array().unwrap();
    let last = all.iter().rfind(|receipt| receipt["receipt"] == "postflight").unwrap();
    let reused = last["statement"].pointer("/predicate/execution/reused/run_id");
    reused.and_then(Value::as_str).map(str::to_owned)
}

#[test]
fn a_fork_takes_over_what_comes_before_its_step() {
    let p = noted();
    let fork = [&RUN[..], &["--from", "one", "--approve", "clerk"]].concat();
    p.ok(&[&fork[..], &["--step", "note", "--id", "two"]].concat());
    assert_eq!((taken(&p, "two", "add"), taken(&p, "two", "note")), (Some("one".to_owned()), None));
    let shown = p.json(&["runs", "show", "two"]);
    assert_eq!(shown["data"]["forked"]["run_id"], "one");
    ends(&p, &["receipts", "show", "two", "add"], 0, &["taken    from one: the run was forked after it"]);
    p.ok(&["receipts", "verify", "two"]);
    // With a changed step the steps before it are still those of the earlier run.
    changed(&p, "tally.yaml", &[("in all", "altogether")]);
    p.ok(&[&fork[..], &["--step", "note", "--id", "three"]].concat());
    assert_eq!((taken(&p, "three", "add"), taken(&p, "three", "note")), (Some("one".to_owned()), None));
    p.ok(&["artifacts", "export", "three", "output/note.txt", "--out", "files"]);
    assert_eq!(std::fs::read_to_string(p.path("files/output/note.txt")).unwrap(), "2 orders, 42 altogether\n");
}

#[test]
fn a_fork_of_what_cannot_be_forked() {
    let p = noted();
    let fork = |from: &'static str, step: &'static str| [&RUN[..], &["--from", from, "--step", step]].concat();
    p.refuses(&fork("nosuch", "note"), 1, "D2004", "there is no run `nosuch`");
    p.refuses(&fork("one", "nosuch"), 1, "D2005", "has not started a step `nosuch`");
    ends(&p, &[&RUN[..], &["--id", "wait"]].concat(), 5, &[]);
    p.refuses(&fork("wait", "note"), 1, "D2006", "has not ended");
    p.write("input/orders.csv", "order,amount\na,1\n");
    let out = p.refuses(&fork("one", "note"), 1, "D2006", "was given other inputs");
    assert!(out.stderr.contains("start a new run without `--from` and `--step`"), "{}", out.stderr);
    p.refuses(&fork("one", "nte"), 1, "D2006", "was given other inputs");
    p.write("input/orders.csv", "order,amount\na,40\nb,2\n");
    p.refuses(&fork("one", "nte"), 1, "D2005", "did you mean `note`?");
}

/// A step fails because of its code, or because of what it read: a fork helps with the first alone.
#[test]
fn after_a_failure_both_commands_of_the_hint_work() {
    let p = tally();
    p.write("input/orders.csv", "order,amount\na,forty\n");
    let out =
        ends(&p, &["run", "tally.yaml", "--id", "one"], 1, &["D2030", "fix the code, or the input that it reads"]);
    let hint = "if the code was wrong, fix it and fork the run: `deed run tally.yaml --from one --step add`\n\
                if an input was wrong, fix it and start a new run: `deed run tally.yaml`\n";
    assert!(out.stderr.ends_with(hint), "{}", out.stderr);
    changed(&p, "tally.yaml", &[("int(row[\"amount\"])", "len(row[\"amount\"])")]);
    ends(&p, &["run", "tally.yaml", "--from", "one", "--step", "add"], 5, &[]);
    changed(&p, "tally.yaml", &[]);
    p.write("input/orders.csv", "order,amount\na,40\n");
    ends(&p, &["run", "tally.yaml"], 5, &[]);
}

#[test]
fn steps_are_reused_only_where_that_is_asked_for_and_nothing_changed() {
    let p = noted();
    let again =
        |id: &'static str, more: &[&'static str]| [&RUN[..], &["--approve", "clerk", "--id", id], more].concat();
    p.ok(&again("plain", &[]));
    assert_eq!(taken(&p, "plain", "add"), None);
    p.ok(&again("reused", &["--reuse"]));
    assert!(taken(&p, "reused", "add").is_some() && taken(&p, "reused", "note").is_some());
    p.ok(&["receipts", "verify", "reused"]);
    changed(&p, "tally.yaml", &[("sum(amounts)", "sum(amounts) + 0")]);
    p.ok(&again("changed", &["--reuse"]));
    // Other code, so it runs; it gives the same, so what reads that is taken over.
    assert_eq!(taken(&p, "changed", "add"), None);
    assert!(taken(&p, "changed", "note").is_some());
}

#[test]
fn a_run_that_failed_says_how_to_go_on_and_what_was_sent_before() {
    let p = tally();
    changed(
        &p,
        "tally.yaml",
        &[(
            "            json.dump({\"orders\"",
            "            raise ValueError('no')\n            json.dump({\"orders\"",
        )],
    );
    let out = p.run(&[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat());
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(out.stderr.contains("deed run tally.yaml --input input --from one --step add`\n"), "{}", out.stderr);
    p.write("tally.yaml", super::example::TALLY);
    let on = [&RUN[..], &["--id", "two", "--approve", "clerk", "--from", "one", "--step", "add"]].concat();
    assert!(!p.ok(&on).stderr.contains("with effects elsewhere"), "there were none");
}

#[test]
fn a_home_that_is_not_whole_is_not_passed_over() {
    let p = super::example::noted();
    std::fs::create_dir_all(p.path("below/.deed/runs")).unwrap();
    let out = p.shell(&format!("cd below && {} receipts verify one", env!("CARGO_BIN_EXE_deed")));
    assert_eq!(out.code, 3, "{}{}", out.stdout, out.stderr);
    assert!(out.stderr.contains("[D0009]") && out.stderr.contains("below/.deed/config.json"), "{}", out.stderr);
}
