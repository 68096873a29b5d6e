//! Runs of a workspace: inputs by version, outputs with their origin, once.

use super::fixture::{data, history, project, tally, text, uploaded};
use crate::common::Project;
use crate::run::example::RUN;
use serde_json::{Value, json};

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

#[test]
fn the_next_run_reads_what_the_last_one_wrote() {
    let p = uploaded();
    let out = tally(&p, "october");
    assert!(out.stderr.contains("input/orders.csv is people/orders.csv version 1"), "{}", out.stderr);
    assert!(out.stderr.contains("agents/tally/total.json@1"), "{}", out.stderr);
    assert_eq!(text(&p, "agents/tally/note.txt"), "2 orders, 42 in all\n");
    p.write("november.csv", "order,amount\na,50\n");
    p.ok(&["files", "put", "november.csv", "orders.csv"]);
    p.ok(&["run", "growth.yaml", "--id", "growth-1"]);
    assert_eq!(text(&p, "agents/growth/growth.txt"), "8\n");
    let request = data(&p, &["runs", "show", "growth-1"])["workspace"].clone();
    assert_eq!(request["workspace"], "reports");
    let read = |at: usize| (request["inputs"][at]["path"].clone(), request["inputs"][at]["version"].clone());
    assert_eq!(read(0), (json!("agents/tally/total.json"), json!(1)));
    assert_eq!(read(1), (json!("people/orders.csv"), json!(2)));
    // A second run of the first plan adds a version, and pinned versions stay what they were.
    tally(&p, "november");
    assert_eq!(history(&p, "agents/tally/total.json"), [(2, "november".to_owned()), (1, "october".to_owned())]);
    p.ok(&["run", "growth.yaml", "--id", "growth-2"]);
    assert_eq!(text(&p, "agents/growth/growth.txt@2"), "0\n");
    let pinned =
        ["--file", "agents/tally/total.json=agents/tally/total.json@1", "--file", "orders.csv=people/orders.csv@1"];
    p.ok(&[&["run", "growth.yaml", "--id", "growth-3"][..], &pinned].concat());
    assert_eq!(text(&p, "agents/growth/growth.txt@3"), "0\n");
    for run in ["october", "growth-1", "growth-3"] {
        p.ok(&["receipts", "verify", run]);
    }
    p.ok(&["workspace", "verify"]);
}

#[test]
fn outputs_name_what_proves_them() {
    let p = uploaded();
    tally(&p, "october");
    let version = data(&p, &["files", "get", "agents/tally/note.txt"])["version"].clone();
    let origin = &version["origin"];
    assert_eq!(
        (&origin["by"], &origin["run_id"], &origin["step_id"]),
        (&json!("run"), &json!("october"), &json!("note"))
    );
    assert_eq!(origin["artifact"], "output/note.txt");
    assert_eq!(origin["plan_hash"], data(&p, &["runs", "show", "october"])["plan_hash"]);
    // The hash of the receipt is that of the envelope in the journal.
    let events = data(&p, &["runs", "events", "october", "--kind", "step_succeeded", "--step", "note"]);
    let event = events.as_array().unwrap().iter().find(|event| event.to_string().contains("receipt")).unwrap().clone();
    let receipt = find(&event, "receipt").unwrap();
    let bytes = deed_canon::to_canonical_of(&receipt).unwrap();
    assert_eq!(origin["receipt_hash"], deed_canon::ContentHash::of_bytes(&bytes).to_string());
    let artifact = data(&p, &["artifacts", "cat", "october", "output/note.txt"]);
    assert_eq!(version["content"]["sha256"], artifact["sha256"]);
}

fn find(value: &Value, name: &str) -> Option<Value> {
    match value {
        Value::Object(members) => {
            members.get(name).cloned().or_else(|| members.values().find_map(|member| find(member, name)))
        }
        Value::Array(items) => items.iter().find_map(|item| find(item, name)),
        _ => None,
    }
}

#[test]
fn a_run_that_is_resumed_writes_once_and_reads_what_was_frozen() {
    let p = uploaded();
    let waiting = p.run(&["run", "tally.yaml", "--id", "one"]);
    assert_eq!(waiting.code, 5, "{}", waiting.stderr);
    // Nothing is written before the run has ended; what it reads is frozen.
    assert_eq!(data(&p, &["files", "list", "--area", "agents"])["files"], json!([]));
    assert_eq!(data(&p, &["workspace", "show"])["runs"][0]["outcome"], Value::Null);
    p.write("other.csv", "order,amount\na,1000\n");
    p.ok(&["files", "put", "other.csv", "orders.csv"]);
    p.ok(&["gate", "approve", "one", "--as", "clerk", "--resume"]);
    assert_eq!(text(&p, "agents/tally/note.txt"), "2 orders, 42 in all\n");
    p.ok(&["runs", "resume", "one"]);
    p.ok(&["runs", "resume", "one"]);
    assert_eq!(history(&p, "agents/tally/note.txt"), [(1, "one".to_owned())]);
    assert_eq!(data(&p, &["workspace", "show"])["runs"][0]["outcome"], "succeeded");
}

/// The state that a process leaves which is killed between the seal of its run and the write to the workspace: the log of the
/// workspace as it was before the end.
#[test]
fn outputs_that_a_crash_kept_out_are_written_by_the_next_process() {
    for next in [&["runs", "resume", "one"][..], &["run", "growth.yaml", "--id", "two"]] {
        let p = uploaded();
        assert_eq!(p.run(&["run", "tally.yaml", "--id", "one"]).code, 5);
        let (log, kept) = (p.path(".deed/workspaces/reports"), p.path("kept"));
        copy(&log, &kept);
        p.ok(&["gate", "approve", "one", "--as", "clerk", "--resume"]);
        std::fs::remove_dir_all(&log).unwrap();
        copy(&kept, &log);
        assert_eq!(data(&p, &["files", "list", "--area", "agents"])["files"], json!([]));
        p.ok(next);
        assert_eq!(history(&p, "agents/tally/note.txt"), [(1, "one".to_owned())]);
        p.ok(&["runs", "resume", "one"]);
        assert_eq!(history(&p, "agents/tally/note.txt"), [(1, "one".to_owned())]);
        p.ok(&["workspace", "verify"]);
    }
}

#[test]
fn a_run_that_does_not_verify_writes_nothing() {
    let p = uploaded();
    assert_eq!(p.run(&["run", "tally.yaml", "--id", "one"]).code, 5);
    let (log, kept) = (p.path(".deed/workspaces/reports"), p.path("kept"));
    copy(&log, &kept);
    p.ok(&["gate", "approve", "one", "--as", "clerk", "--resume"]);
    std::fs::remove_dir_all(&log).unwrap();
    copy(&kept, &log);
    crate::run::tamper::change(&p, |db| {
        crate::run::tamper::replace(db, "small_blobs", "bytes", "2 orders, 42 in all", "2 orders, 43 in all");
    });
    let out = p.refuses(&["runs", "resume", "one"], 1, "D3028", "does not verify");
    assert!(out.stderr.contains("deed receipts verify one"), "{}", out.stderr);
    assert_eq!(data(&p, &["files", "list", "--area", "agents"])["files"], json!([]));
}

#[test]
fn a_run_that_fails_writes_nothing() {
    let p = uploaded();
    p.write(
        "tally.yaml",
        crate::run::example::TALLY.replace(
            "\"w\", encoding=\"utf-8\") as file:\n            file.write(f\"",
            "\"w\", encoding=\"utf-8\") as file:\n            raise SystemExit(3)\n            file.write(f\"",
        ),
    );
    assert_eq!(p.run(&["run", "tally.yaml", "--id", "one", "--approve", "clerk"]).code, 1);
    assert_eq!(data(&p, &["files", "list", "--area", "agents"])["files"], json!([]));
    assert_eq!(data(&p, &["workspace", "show"])["runs"][0]["outcome"], "failed");
}

#[test]
fn an_input_folder_and_no_workspace_still_work() {
    let p = project();
    p.write("input/orders.csv", "order,amount\na,1\n");
    // The workspace has no such file: nothing is taken from beside the plan unasked.
    let out = p.refuses(&["run", "tally.yaml", "--id", "one"], 1, "D3025", "lacks inputs of the plan");
    assert!(out.stderr.contains("--input input"), "{}", out.stderr);
    p.ok(&["run", "tally.yaml", "--id", "one", "--approve", "clerk", "--input", "input"]);
    assert_eq!(text(&p, "agents/tally/note.txt"), "1 orders, 1 in all\n");
    assert_eq!(data(&p, &["runs", "show", "one"])["workspace"]["inputs"], json!([]));
    p.ok(&["run", "tally.yaml", "--id", "two", "--approve", "clerk", "--no-workspace"]);
    assert_eq!(data(&p, &["runs", "show", "two"]).get("workspace"), None);
    assert_eq!(history(&p, "agents/tally/note.txt"), [(1, "one".to_owned())]);
    p.refuses(&["run", "tally.yaml", "--no-workspace", "--file", "orders.csv=people/a"], 1, "D3004", "belongs to none");
}

/// A run outside of workspaces is the same run, with the same hashes, whether the home has one or not.
#[test]
fn a_home_with_workspaces_changes_nothing_for_other_runs() {
    let hashes = |workspace: bool| {
        let p = crate::run::example::tally();
        if workspace {
            p.ok(&["workspace", "new", "reports"]);
        }
        p.ok(&[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat());
        let submitted = data(&p, &["runs", "events", "one", "--kind", "submitted"]);
        find(&submitted, "run").unwrap()
    };
    assert_eq!(hashes(true), hashes(false));
    assert_eq!(hashes(true).get("workspace"), None);
}

#[test]
fn inputs_that_cannot_be_found_are_named() {
    let p = uploaded();
    let run = ["run", "growth.yaml", "--id", "one"];
    let out = p.refuses(&run, 1, "D3025", "`input/agents/tally/total.json` (`agents/tally/total.json`)");
    assert!(!out.stderr.contains("orders.csv`"), "{}", out.stderr);
    p.refuses(
        &[&run[..], &["--file", "order.csv=people/orders.csv"]].concat(),
        1,
        "D3027",
        "did you mean `input/orders.csv`?",
    );
    p.refuses(&[&run[..], &["--file", "orders.csv=people/orders.csv@9"]].concat(), 1, "D3007", "has 1 version");
    p.refuses(&[&run[..], &["--file", "orders.csv=../x"]].concat(), 1, "D3005", "leads out");
    assert_eq!(p.run(&[&run[..], &["--file", "orders.csv"]].concat()).code, 2);
    p.refuses(&[&run[..], &["--actor", "eve"]].concat(), 1, "D3011", "`eve` is no person of the workspace");
    p.refuses(&[&run[..], &["--workspace", "report"]].concat(), 1, "D3001", "did you mean `reports`?");
    p.refuses(&["runs", "show", "one"], 1, "D2004", "one");
    p.ok(&["files", "remove", "orders.csv", "--reason", "wrong"]);
    p.refuses(&["run", "tally.yaml", "--id", "one"], 1, "D3025", "was removed by tester in version 2");
}

#[test]
fn a_fork_reads_the_versions_of_the_run_that_it_forks() {
    let p = uploaded();
    tally(&p, "one");
    p.write("other.csv", "order,amount\na,1000\n");
    p.ok(&["files", "put", "other.csv", "orders.csv"]);
    p.ok(&["run", "tally.yaml", "--id", "two", "--approve", "clerk", "--from", "one", "--step", "note"]);
    let shown = data(&p, &["runs", "show", "two"]);
    assert_eq!(shown["workspace"]["inputs"][0]["version"], 1);
    assert_eq!(history(&p, "agents/tally/note.txt"), [(2, "two".to_owned()), (1, "one".to_owned())]);
}

#[test]
fn a_quota_keeps_outputs_out_until_it_is_raised() {
    let p = uploaded();
    p.ok(&["workspace", "set", "--quota-bytes", "30"]);
    let out = p.run(&["run", "tally.yaml", "--id", "one", "--approve", "clerk"]);
    assert!(out.code == 1 && out.stderr.contains("[D3010]"), "{}{}", out.code, out.stderr);
    assert_eq!(data(&p, &["runs", "show", "one"])["status"], "succeeded");
    assert_eq!(data(&p, &["files", "list", "--area", "agents"])["files"], json!([]));
    p.ok(&["workspace", "set", "--quota-bytes", "1000000"]);
    p.ok(&["runs", "resume", "one"]);
    assert_eq!(history(&p, "agents/tally/note.txt"), [(1, "one".to_owned())]);
}

#[test]
fn runs_in_two_processes_both_keep_their_outputs() {
    let p: Project = uploaded();
    let children: Vec<_> = ["one", "two"]
        .iter()
        .map(|id| p.command(&["run", "tally.yaml", "--id", id, "--approve", "clerk"]).spawn().unwrap())
        .collect();
    for child in children {
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    }
    let mut runs: Vec<String> = history(&p, "agents/tally/note.txt").into_iter().map(|(_, run)| run).collect();
    runs.sort();
    assert_eq!(runs, ["one", "two"]);
    p.ok(&["workspace", "verify"]);
}
