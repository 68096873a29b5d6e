//! Processes that work on a workspace are killed: every command leaves the state before or after, and what a run wrote is
//! there once, in the order in which runs were submitted.

use super::dice::{Dice, kills};
use super::mortal::{self, End};
use crate::common::Project;
use serde_json::{Value, json};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Two steps in this process, and a clerk between them.
const WORDS: &str = r#"plan: words
mission:
  objective: Count words, and write the number down once somebody has seen it
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: raw_files, path: input/text.txt, entity_schema_id: generic.file }
steps:
  - id: count
    label: Count the words
    objective: MUST give the number of words
    input_file_paths: [input/text.txt]
    code:
      language: javascript
      source: |
        export default function (inputs, context) {
          return { "work/count.json": JSON.stringify({ words: inputs["input/text.txt"].trim().split(" ").length }) };
        }
    expected_outputs: [{ path: work/count.json }]
    artifact_contracts: { work/count.json: { format: json, kind_key: object.json } }
    max_retries: 0
  - id: note
    label: Write a note
    objective: MUST say the number
    depends_on: [count]
    waits_for: [seen]
    input_file_paths: [work/count.json]
    code:
      language: javascript
      source: |
        export default function (inputs, context) {
          return { "output/note.txt": context.json("work/count.json").words + " words\n" };
        }
    expected_outputs: [{ path: output/note.txt, role: primary }]
    artifact_contracts: { output/note.txt: { format: txt, kind_key: file.text } }
    max_retries: 0
gates:
  - { id: seen, question: Is this right?, approver_role: clerk, after: [count] }
"#;

const NOTE: &str = "agents/words/note.txt";

fn project() -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "t"]);
    p.ok(&["workspace", "new", "reports", "--use"]);
    p.write("words.yaml", WORDS);
    put(&p, "one two");
    p
}

fn put(p: &Project, text: &str) {
    p.write("text.txt", text);
    p.ok(&["files", "put", "text.txt", "text.txt"]);
}

fn spawn(p: &Project, args: &[&str]) -> Child {
    p.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills a process after a time, unless it has ended by then.
fn killed_after(mut child: Child, so_long: Duration) {
    std::thread::sleep(so_long);
    let _ = child.kill();
    child.wait().unwrap();
}

/// A run that is approved and has not gone on.
fn approved(p: &Project, run: &str) {
    assert_eq!(p.run(&["run", "words.yaml", "--id", run]).code, 5);
    p.ok(&["gate", "approve", run, "--as", "clerk"]);
}

fn status(p: &Project, run: &str) -> Value {
    p.json(&["runs", "show", run])["data"]["status"].clone()
}

/// The versions of the note, the oldest first: the run, and whether it is behind another.
fn notes(p: &Project) -> Vec<(String, bool)> {
    let listed = p.json(&["files", "history", NOTE]);
    let mut versions = listed["data"]["versions"].as_array().cloned().unwrap_or_default();
    versions.reverse();
    let of = |version: &Value| {
        (version["origin"]["run_id"].as_str().unwrap().to_owned(), version.get("superseded_by").is_some())
    };
    versions.iter().map(of).collect()
}

/// The run that was killed, one that is submitted after it, and the first again: each version is there once, and the newest is
/// that of the run that was submitted last.
#[track_caller]
fn settled_in_order(p: &Project, run: &str) {
    let ended = status(p, run) == "succeeded";
    let (later, before) = (format!("after-{run}"), notes(p).len());
    put(p, &format!("three words {run}"));
    p.ok(&["run", "words.yaml", "--id", &later, "--approve", "clerk"]);
    let own = |p: &Project| notes(p).into_iter().filter(|(by, _)| by == run).collect::<Vec<_>>();
    assert_eq!(own(p).len(), usize::from(ended), "{run}: the next run settles what has ended");
    let resumed = p.ok(&["runs", "resume", run]);
    assert_eq!(own(p), [(run.to_owned(), !ended)], "{run}");
    assert_eq!(p.ok(&["files", "get", NOTE]).stdout, "3 words\n", "{run}");
    assert_eq!(notes(p).len() - before, 2, "{run}");
    let said = |out: &str| out.contains(&format!("of run {later}, which was submitted later and stays the newest"));
    assert_eq!(said(&resumed.stderr), !ended, "{run}: {}", resumed.stderr);
    assert_eq!(said(&p.ok(&["runs", "show", run]).stdout), !ended, "{run}");
    p.ok(&["runs", "resume", run]);
    assert_eq!(own(p).len(), 1, "{run}");
    p.ok(&["workspace", "verify"]);
    p.ok(&["receipts", "verify", run]);
}

/// The process that drives a run dies at every write of its journal, also between its end and its seal, and between its seal
/// and the write to the workspace.
#[test]
fn a_death_at_any_write_is_settled_in_the_order_of_submissions() {
    let p = project();
    for nth in 0.. {
        let run = format!("write-{nth}");
        approved(&p, &run);
        let end = mortal::resume(&p.path(""), &run, nth);
        let shown = p.json(&["runs", "show", &run])["data"].clone();
        if shown["status"] == "succeeded" {
            let why = &shown["not_kept"];
            assert_eq!(why["code"], "D3030", "{shown}");
            assert!(why["why"].as_str().unwrap().contains("was killed before"), "{why}");
        }
        settled_in_order(&p, &run);
        if end == End::Ended {
            assert!(nth > 5, "only {nth} writes");
            break;
        }
    }
    approved(&p, "unsealed");
    mortal::unsealed(&p.path(""), "unsealed");
    let told = p.ok(&["runs", "show", "unsealed"]).stdout;
    assert!(told.contains("the process that drove the run `unsealed` was killed before its end was sealed"), "{told}");
    settled_in_order(&p, "unsealed");
}

/// `kill -9` of `deed runs resume` at random instants: around the end of the run, the seal, and the write to the workspace.
#[test]
fn kill_9_around_the_end_is_settled_in_the_order_of_submissions() {
    let (p, mut dice) = (project(), Dice::new(500));
    approved(&p, "undisturbed");
    let began = Instant::now();
    p.ok(&["runs", "resume", "undisturbed"]);
    let whole = u64::try_from(began.elapsed().as_millis()).unwrap() + 1;
    for number in 0..kills(30).div_ceil(5) {
        let run = format!("run-{number}");
        approved(&p, &run);
        let child = spawn(&p, &["runs", "resume", &run]);
        killed_after(child, Duration::from_millis(whole / 2) + dice.within_ms(whole / 2));
        // Outputs that were written before the kill count as settled.
        if notes(&p).iter().any(|(by, _)| *by == run) {
            p.ok(&["workspace", "verify"]);
        } else {
            settled_in_order(&p, &run);
        }
    }
}

/// The next process is killed while it settles: the one after it settles all the same, once.
#[test]
fn kill_9_while_a_run_is_settled() {
    let (p, mut dice) = (project(), Dice::new(600));
    let is_unsealed = |run: &str| {
        let shown = p.json(&["runs", "show", run])["data"].clone();
        shown["status"] == "succeeded" && shown["sealed"] == false
    };
    for number in 0..kills(30).div_ceil(6) {
        let (run, next) = (format!("run-{number}"), format!("next-{number}"));
        approved(&p, &run);
        mortal::unsealed(&p.path(""), &run);
        assert!(is_unsealed(&run), "{run}");
        let words = ["run", "words.yaml", "--id", &next];
        killed_after(spawn(&p, &words), dice.within_ms(150));
        p.ok(&["workspace", "verify"]);
        assert_eq!(p.run(&words).code, 5, "{next}");
        let own = notes(&p).into_iter().filter(|(by, _)| *by == run).collect::<Vec<_>>();
        assert_eq!(own, [(run.clone(), false)], "{run}");
        p.ok(&["runs", "cancel", &next]);
        p.ok(&["workspace", "verify"]);
        p.ok(&["receipts", "verify", &run]);
    }
}

/// `kill -9` of uploads, removals and changes of people leaves the state before or after.
#[test]
fn kill_9_of_files_and_people_leaves_the_state_before_or_after() {
    let (p, mut dice) = (project(), Dice::new(700));
    let began = Instant::now();
    put(&p, "measured");
    let whole = u64::try_from(began.elapsed().as_millis()).unwrap() + 5;
    let (mut done, mut undone) = (0, 0);
    for number in 0..kills(30) {
        let (text, person) = (format!("version {number}"), format!("person-{number}"));
        p.write("text.txt", &text);
        p.write("many/a.txt", &text);
        p.write("many/b.txt", &text);
        let before = state(&p);
        let args: &[&str] = match dice.below(5) {
            0 => &["files", "put", "text.txt", "text.txt"],
            1 => &["files", "put", "many", "many"],
            2 => &["files", "remove", "text.txt", "--reason", "killed"],
            3 => &["people", "add", &person, "--role", "clerk"],
            _ => &["people", "remove", "person-0", "--reason", "left"],
        };
        killed_after(spawn(&p, args), dice.within_ms(whole));
        p.ok(&["workspace", "verify"]);
        let now = state(&p);
        match now == before {
            true => undone += 1,
            false => done += 1,
        }
        // A folder is uploaded whole or not at all.
        let files = now["files"].as_array().unwrap();
        let versions = |path: &str| files.iter().find(|file| file["path"] == path).map(|file| file["versions"].clone());
        assert_eq!(versions("people/many/a.txt"), versions("people/many/b.txt"));
        // The same command, undisturbed, comes to the same end.
        if number == 0 || dice.below(3) == 0 {
            p.run(args);
            p.ok(&["workspace", "verify"]);
        }
    }
    println!("{done} were done, {undone} were not");
    assert!(done > 0 && undone > 0, "{done} done, {undone} not: no instant of either kind was hit");
}

fn state(p: &Project) -> Value {
    let data = |args: &[&str]| p.json(args)["data"].clone();
    json!({ "files": data(&["files", "list", "--removed"])["files"], "people": data(&["people", "list"])["people"] })
}
