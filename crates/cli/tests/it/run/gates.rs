//! Questions of gates, and decisions.

use super::example::{RUN, changed, ends, noted, tally, waiting};
use crate::common::Project;
use serde_json::{Value, json};

#[test]
fn what_is_asked_is_shown_with_its_hash() {
    let p = waiting();
    let shown = p.json(&["gate", "show", "one"]);
    let subject = &shown["data"]["subject"];
    assert_eq!(subject["approver_role"], "clerk");
    assert_eq!(subject["evidence"][0]["path"], "output/total.json");
    let hash = shown["data"]["subject_hash"].as_str().unwrap();
    let text = p.ok(&["gate", "show", "one", "total-seen"]).stdout;
    assert!(text.contains(&format!("  hash      {hash}\n")), "{text}");
    assert!(text.contains("  starts    note (Write a note)\n"), "{text}");
    let other = format!("sha256:{}", "0".repeat(64));
    let short = hash.get(..18).unwrap();
    for wrong in [other.as_str(), "nonsense", short, ""] {
        let args = ["gate", "approve", "one", "--as", "clerk", "--hash", wrong];
        p.refuses(&args, 1, "D2012", &format!("what is asked now has the hash {hash}"));
    }
    p.ok(&[
        "gate",
        "approve",
        "one",
        "--as",
        "clerk",
        "--hash",
        &format!("{}…", hash.get(..19).unwrap()),
        "--note",
        "seen",
    ]);
    let decided = p.json(&["gate", "show", "one", "total-seen"]);
    assert_eq!(decided["data"]["decided"]["note"], "seen");
    assert_eq!(decided["data"]["decided"]["approver"], "tester");
}

#[test]
fn only_the_role_that_is_asked_may_answer_and_only_once() {
    let p = waiting();
    let wrong = p.refuses(&["gate", "approve", "one", "--as", "boss"], 1, "D2011", "this gate is for `clerk`");
    assert!(wrong.stderr.contains("`deed gate show` says who is asked"), "{}", wrong.stderr);
    p.refuses(&["gate", "approve", "one", "total-sen", "--as", "clerk"], 1, "D2010", "did you mean `total-seen`?");
    // Nothing was decided by any of it.
    ends(&p, &["runs", "resume", "one"], 5, &["one  tally  waiting"]);
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    p.refuses(&["gate", "approve", "one", "--as", "clerk"], 1, "D2010", "no gate of run `one` waits for a decision");
    let out = p.refuses(
        &["gate", "reject", "one", "total-seen", "--as", "clerk"],
        1,
        "D2068",
        "gate `total-seen` was already",
    );
    assert!(out.stderr.contains("approved by tester as clerk at 2026-11-15T00:00:"), "{}", out.stderr);
    p.ok(&["runs", "resume", "one"]);
}

#[test]
fn what_is_rejected_fails_and_says_who_and_why() {
    let p = waiting();
    let out = p.ok(&["gate", "reject", "one", "--as", "clerk", "--note", "the total is wrong"]);
    assert!(out.stderr.contains("fails the steps that wait for it"), "{}", out.stderr);
    let says = ["one  tally  failed", "D2014: tester rejected it as clerk: the total is wrong"];
    ends(&p, &["runs", "resume", "one"], 1, &says);
    assert!(!p.ok(&["artifacts", "list", "one"]).stdout.contains("output/note.txt"));
}

/// A person said no: there is nothing to say about code.
#[test]
fn a_rejection_with_resume_names_the_gate_and_the_person() {
    let p = waiting();
    let out = p.run(&["gate", "reject", "one", "--as", "clerk", "--note", "wrong month", "--resume"]);
    assert_eq!(out.code, 1, "{}{}", out.stdout, out.stderr);
    let says = "gate `total-seen` was rejected by tester as clerk: wrong month; start a new run after the change\n";
    assert!(out.stderr.ends_with(says) && out.stderr.contains("1 of 2 steps succeeded"), "{}", out.stderr);
    assert!(!out.stderr.contains("if the code was wrong"), "{}", out.stderr);
}

#[test]
fn a_question_lapses() {
    let p = tally();
    ends(&p, &[&RUN[..], &["--id", "one", "--gate-seconds", "60"]].concat(), 5, &[]);
    let late = ["gate", "approve", "one", "--as", "clerk", "--now", "2026-11-15T00:05:00Z"];
    let out = p.refuses(&late, 1, "D2012", "the question lapsed at");
    assert!(out.stderr.contains("help: `deed runs resume one` asks again"), "{}", out.stderr);
    let now = ["--now", "2026-11-15T00:05:00Z"];
    for (args, says) in [
        (["runs", "show", "one"], "waiting (lapsed at 2026-11-15T00:01:0"),
        (["runs", "show", "one"], "  `deed runs resume one` asks again\n"),
        (["gate", "show", "one"], "  lapsed    `deed runs resume one` asks again\n"),
        (["gate", "list", "--as=clerk"], "  for clerk  lapsed 2026-11-15T00:01:0"),
    ] {
        assert!(!p.ok(&args).stdout.contains("lapsed"), "it has not yet");
        ends(&p, &[&args[..], &now].concat(), 0, &[says]);
    }
    assert_eq!(p.json(&[&["gate", "show", "one"][..], &now].concat())["data"]["lapsed"], true);
    assert_eq!(p.json(&[&["gate", "list"][..], &now].concat())["data"][0]["lapsed"], true);
    // Resuming asks again, and the new question can be answered.
    ends(&p, &[&["runs", "resume", "one"][..], &now].concat(), 5, &["asked      total-seen"]);
    p.ok(&[&["gate", "approve", "one", "--as", "clerk"][..], &now].concat());
    p.ok(&[&["runs", "resume", "one"][..], &now].concat());
    // What was decided does not lapse any more.
    let shown = p.ok(&["gate", "show", "one", "total-seen", "--now", "2026-12-15T00:00:00Z"]).stdout;
    assert!(shown.contains("  decided by tester") && !shown.contains("asks again"), "{shown}");
    assert!(shown.contains("  earlier   the question lapsed at 2026-11-15T00:05:00"), "{shown}");
}

#[test]
fn a_role_that_is_approved_beforehand_is_only_that_role() {
    let p = two_gates();
    let run = ["run", "two.yaml", "--id", "one", "--approve", "boss"];
    ends(&p, &run, 5, &["approved   second  by tester as boss", "gate total-seen  for clerk"]);
    ends(&p, &["runs", "resume", "one", "--approve", "clerk"], 0, &["approved   total-seen  by tester as clerk"]);
}

#[test]
fn all_that_waits_is_listed() {
    let p = noted();
    assert_eq!(p.ok(&["gate", "list"]).stdout, "");
    ends(&p, &[&RUN[..], &["--id", "two"]].concat(), 5, &[]);
    let line = p.ok(&["gate", "list", "--as", "clerk"]).stdout;
    assert!(line.starts_with("two  total-seen  for clerk  until 2026-11-22T"), "{line}");
    let data: Value = p.json(&["gate", "list"])["data"].clone();
    assert_eq!((data[0]["run_id"].as_str(), data[0]["role"].as_str()), (Some("two"), Some("clerk")));
    assert_eq!(p.ok(&["gate", "list", "--as", "boss"]).stdout, "");
}

#[test]
fn a_decision_is_signed_with_the_key_that_is_named() {
    let p = waiting();
    p.ok(&["keys", "generate", "rosa"]);
    p.refuses(&["gate", "approve", "one", "--as", "clerk", "--key", "nosuch"], 1, "D0020", "there is no key `nosuch`");
    let note = ["--key", "rosa", "--note", "ring \u{7}\u{1b}[31m"];
    p.ok(&[&["gate", "approve", "one", "--as", "clerk"][..], &note].concat());
    p.ok(&["runs", "resume", "one"]);
    ends(&p, &["receipts", "verify", "one"], 1, &["broken  decision at total-seen"]);
    p.ok(&["receipts", "verify", "one", "--key", "workspace", "--key", "rosa"]);
}

#[test]
fn a_note_that_would_move_the_cursor_is_shown_without_that() {
    let p = waiting();
    p.ok(&["gate", "reject", "one", "--as", "clerk", "--note", "no \u{1b}[31mway"]);
    let out = ends(&p, &["runs", "resume", "one"], 1, &["no \u{fffd}[31mway"]);
    assert!(!format!("{}{}", out.stdout, out.stderr).contains('\u{1b}'));
}

#[test]
fn a_note_with_a_secret_is_refused() {
    let p = waiting();
    let secret = concat!("AKIA", "Z7QH4XVBN2MKWD5T");
    let args = ["gate", "approve", "one", "--as", "clerk", "--note", secret];
    let out = p.run(&args);
    assert!(out.code == 1 && !out.stderr.contains(secret), "{}", out.stderr);
    ends(&p, &["gate", "list"], 0, &["total-seen"]);
}

#[test]
fn a_question_cannot_hide_what_it_asks_or_pretend_to_be_another_line() {
    let p = tally();
    let plan = |question: &str, label: &str| {
        let text = super::example::TALLY
            .replace("question: Is this the total that you expect?", &format!("question: {question}"))
            .replace("label: Write a note", &format!("label: {label}"));
        p.write("asked.yaml", text);
        p.run(&["run", "--plan", "asked.yaml", "--input", "input"])
    };
    for (question, label) in [
        (r#""Pay 900000 EUR?\rIs this right?""#, "note"),
        (r#""Pay\u001b[2K?""#, "note"),
        ("Good?", r#""Pay 900000 EUR\rWrite a note""#),
    ] {
        let out = plan(question, label);
        assert!(out.code == 1 && out.stderr.contains("[D2013]"), "{question} {label}: {}{}", out.stdout, out.stderr);
    }
    assert!(p.ok(&["runs", "list"]).stdout.is_empty(), "nothing was run");
    let out = plan(r#""Is it right?\n  starts    nothing""#, r#""Write a note\n  effect    none""#);
    assert_eq!(out.code, 5, "{}", out.stderr);
    assert!(out.stdout.contains("  | Is it right?\n  |   starts    nothing\n"), "{}", out.stdout);
    assert!(out.stdout.contains("  starts    note (Write a note ⏎   effect    none)\n"), "{}", out.stdout);
    let listed = p.ok(&["gate", "list"]).stdout;
    assert!(listed.ends_with("  Is it right? ⏎   starts    nothing\n") && listed.lines().count() == 1, "{listed}");
}

#[test]
fn a_clock_that_was_set_back_does_not_make_an_answer_older_than_its_question() {
    let p = waiting();
    p.ok(&["gate", "approve", "one", "--as", "clerk", "--now", "2001-01-01T00:00:00Z"]);
    let decided = p.json(&["gate", "show", "one", "total-seen"]);
    assert!(decided["data"]["decided"]["decided_at"].as_str().unwrap() >= "2026-11-15", "{decided}");
}

/// Approvals and rejections from many processes at once: one is told that it counts, the others who decided, and what
/// happens is what that one decided.
#[test]
fn exactly_one_of_many_decisions_counts() {
    let p = tally();
    for round in 0..4 {
        let run = format!("run-{round}");
        ends(&p, &[&RUN[..], &["--id", &run]].concat(), 5, &[]);
        let verbs = ["approve", "reject", "approve", "reject", "approve", "reject"];
        let start = |verb: &&'static str| {
            let args = ["gate", verb, &run, "total-seen", "--as", "clerk", "--actor", verb];
            (*verb, p.command(&args).spawn().unwrap())
        };
        let children: Vec<_> = verbs.iter().map(start).collect();
        let mut won = Vec::new();
        for (verb, child) in children {
            let out = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            match out.status.code() {
                Some(0) => won.push(verb),
                Some(1) => assert!(said.contains("[D2068]") && said.contains("was already"), "{said}"),
                other => panic!("{other:?}: {said}"),
            }
        }
        let [winner] = won.as_slice() else { panic!("{won:?}") };
        let approved = *winner == "approve";
        ends(&p, &["runs", "resume", &run], if approved { 0 } else { 1 }, &[]);
        let made = p.ok(&["artifacts", "list", &run]).stdout.contains("output/note.txt");
        assert_eq!(made, approved);
        p.ok(&["receipts", "verify", &run]);
    }
}

#[test]
fn an_approval_can_resume_the_run_at_once() {
    let p = waiting();
    let says = ["approved by tester as clerk", "one  tally  succeeded"];
    ends(&p, &["gate", "approve", "one", "--as", "clerk", "--resume"], 0, &says);
    p.ok(&["receipts", "verify", "one"]);
}

/// An approver sees the files behind a decision, those that the waiting step reads, and what changed since last time.
#[test]
fn the_review_shows_rows_and_what_changed() {
    let p = tally();
    let first = p.run(&[&RUN[..], &["--id", "week-1"]].concat());
    assert_eq!(first.code, 5, "{}", first.stderr);
    let out = p.ok(&["gate", "show", "week-1"]).stdout;
    assert!(out.contains("file output/total.json (26 bytes, read by note)\n"), "{out}");
    assert!(out.contains("no earlier run of this plan was approved at this gate and succeeded"), "{out}");
    p.ok(&["gate", "approve", "week-1", "--as", "clerk", "--resume"]);
    p.write("input/orders.csv", "order,amount\na,40\nb,3\n");
    assert_eq!(p.run(&[&RUN[..], &["--id", "week-2"]].concat()).code, 5);
    let out = p.ok(&["gate", "show", "week-2"]).stdout;
    assert!(out.contains("file output/total.json (26 bytes, read by note)  [+1 -1 rows]\n"), "{out}");
    assert!(out.contains("  | {\"orders\": 2, \"total\": 43}\n"), "{out}");
    assert!(
        out.contains("compared with week-1, the last run of this plan that was approved here and succeeded\n"),
        "{out}"
    );
    let data = &p.json(&["gate", "show", "week-2"])["data"]["review"];
    assert_eq!(data["compared_with"], "week-1");
    assert_eq!(data["files"][0]["change"], json!({ "change": "changed", "added": 1, "removed": 1 }));
    // One that was rejected is not compared with.
    p.ok(&["gate", "reject", "week-2", "--as", "clerk"]);
    assert_eq!(p.run(&[&RUN[..], &["--id", "week-3"]].concat()).code, 5);
    assert_eq!(p.json(&["gate", "show", "week-3"])["data"]["review"]["compared_with"], "week-1");
    // Several runs begin alike: they are named.
    p.refuses(&["gate", "show", "week"], 1, "D2004", "week-1, week-2, week-3");
}

/// The plan with a second gate before its last step, which is for another role.
fn two_gates() -> Project {
    let p = tally();
    let more = "after: [add] }\n  - { id: second, question: May it be noted?, approver_role: boss, after: [add] }";
    changed(
        &p,
        "two.yaml",
        &[("waits_for: [total-seen]", "waits_for: [total-seen, second]"), ("after: [add] }", more)],
    );
    p
}

/// A hint that cannot be followed is worse than none: each command of it works as it is printed.
#[test]
fn with_two_open_gates_every_command_of_the_hint_works() {
    let p = two_gates();
    let out = p.run(&["run", "two.yaml", "--id", "one"]);
    assert_eq!(out.code, 5, "{}", out.stderr);
    let hint = "it waits for 2 decisions: `deed gate show one`, then\n  `deed gate approve one second --as boss --resume`\n  \
                `deed gate approve one total-seen --as clerk --resume`\n";
    assert!(out.stderr.ends_with(hint), "{}", out.stderr);
    let shown = p.ok(&["gate", "show", "one"]).stdout;
    assert!(shown.contains("gate second  for boss") && shown.contains("gate total-seen  for clerk"), "{shown}");
    let data = &p.json(&["gate", "show", "one"])["data"];
    assert_eq!(data["subject"]["gate_id"], "second");
    assert_eq!(data["others"][0]["subject"]["gate_id"], "total-seen");
    assert_eq!(p.json(&["gate", "show", "one", "second"])["data"]["others"], json!([]));
    // The role says which gate is meant, where it has only one.
    p.refuses(&["gate", "approve", "one"], 1, "D2010", "name one: `second` (for `boss`), `total-seen` (for `clerk`)");
    p.refuses(&["gate", "approve", "one", "--as", "clrk"], 1, "D2011", "did you mean `clerk`?");
    let out = p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    assert!(out.stderr.contains("approved by tester as clerk"), "{}", out.stderr);
    let says = ["approved by tester as boss", "one  tally  succeeded"];
    ends(&p, &["gate", "approve", "one", "second", "--as", "boss", "--resume"], 0, &says);
}

#[test]
fn the_role_of_the_only_gate_need_not_be_named() {
    let p = waiting();
    ends(&p, &["gate", "approve", "one", "--resume"], 0, &["approved by tester as clerk", "one  tally  succeeded"]);
    p.ok(&["receipts", "verify", "one"]);
}

/// A misspelt role would be ignored, and the run would wait.
#[test]
fn a_role_of_no_gate_is_refused_before_anything_runs() {
    let p = tally();
    let run = [&RUN[..], &["--id", "one", "--approve"]].concat();
    p.refuses(&[&run[..], &["clrk"]].concat(), 1, "D2011", "no gate of this plan is for `clrk`");
    p.refuses(&[&run[..], &["clrk"]].concat(), 1, "D2011", "did you mean `clerk`?");
    p.refuses(&[&run[..], &["auditor"]].concat(), 1, "D2011", "its gates are for `clerk`");
    assert!(p.ok(&["runs", "list"]).stdout.is_empty());
    // Operators decide whether a call whose answer was lost is made again, in any plan.
    ends(&p, &[&run[..], &["operator"]].concat(), 5, &[]);
    p.refuses(&["runs", "resume", "one", "--approve", "clrk"], 1, "D2011", "did you mean `clerk`?");
}

/// Rows stand in the order of the file, whole where a program reads them, and the command for the rest is named.
#[test]
fn the_rows_of_a_review_are_those_of_the_file() {
    let p = tally();
    let edits = [
        (
            "json.dump({\"orders\": len(amounts), \"total\": sum(amounts)}, file)",
            "json.dump([{\"number\": n, \"address\": \"x\" * 90} for n in range(57)], file)",
        ),
        ("kind_key: object.json, required_fields: [orders, total]", "kind_key: table.json_rows"),
    ];
    changed(&p, "rows.yaml", &edits);
    assert_eq!(p.run(&["run", "rows.yaml", "--id", "q2"]).code, 5);
    let out = p.ok(&["gate", "show", "q2"]).stdout;
    assert!(out.contains(&format!("  | number  address\n  | 0       {}\n", "x".repeat(90))), "{out}");
    assert!(out.contains("  | and 52 rows more; all: `deed artifacts cat q2 output/total.json`\n"), "{out}");
    let all = p.ok(&["gate", "show", "q2", "--all"]).stdout;
    assert!(all.contains("  | 56 ") && !all.contains("rows more"), "{all}");
    assert_eq!(
        p.json(&["gate", "show", "q2"])["data"]["review"]["files"][0]["preview"]["columns"],
        json!(["number", "address"])
    );
    let rows = &p.json(&["gate", "show", "q2", "--all"])["data"]["review"]["files"][0]["preview"]["rows"];
    assert_eq!(rows.as_array().unwrap().len(), 57);
}

/// A run that was approved and then failed is no measure for the next.
#[test]
fn a_run_that_failed_is_not_compared_with() {
    let p = tally();
    changed(&p, "wrong.yaml", &[("file.write(f\"", "raise SystemExit(f\"")]);
    ends(&p, &["run", "wrong.yaml", "--id", "week-1", "--approve", "clerk"], 1, &[]);
    assert_eq!(p.run(&[&RUN[..], &["--id", "week-2"]].concat()).code, 5);
    assert_eq!(p.json(&["gate", "show", "week-2"])["data"]["review"]["compared_with"], Value::Null);
}
