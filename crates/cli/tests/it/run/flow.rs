//! A run from its beginning to its end, as people and as programs see it.

use super::example::{RUN, changed, ends, noted, tally, waiting};
use serde_json::{Value, json};

#[test]
fn a_run_waits_is_approved_and_goes_on() {
    let p = waiting();
    let shown = p.ok(&["runs", "show", "one"]).stdout;
    assert!(shown.starts_with("one  tally  waiting\n  succeeded  add   1 file\n  pending    note\n"), "{shown}");
    assert!(shown.contains("gate total-seen  for clerk\n  Is this the total that you expect?\n"), "{shown}");
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    let out = p.ok(&["runs", "resume", "one"]);
    assert!(out.stdout.starts_with("one  tally  succeeded\n  succeeded  add   1 file\n  succeeded  note  1 file\n"));
    // What was done before this process counts.
    assert!(out.stderr.contains("succeeded  2 of 2 steps"), "{}", out.stderr);
    p.ok(&["artifacts", "export", "one", "--out", "files"]);
    assert_eq!(std::fs::read_to_string(p.path("files/output/note.txt")).unwrap(), "2 orders, 42 in all\n");
}

#[test]
fn data_is_on_stdout_and_the_rest_on_stderr() {
    let p = tally();
    let out = ends(&p, &[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat(), 0, &[]);
    assert!(out.stdout.starts_with("one  tally  succeeded\n"), "{}", out.stdout);
    for line in [
        "began      add",
        "done       add  1 file, ",
        "asked      total-seen  for clerk",
        "approved   total-seen  by tester as clerk",
    ] {
        assert!(out.stderr.contains(line) && !out.stdout.contains(line), "{line}\n{}", out.stderr);
    }
}

#[test]
fn json_is_one_document_that_says_it_all() {
    let p = tally();
    let out = p.run(&[&RUN[..], &["--id", "one", "--json"]].concat());
    let document: Value = serde_json::from_str(&out.stdout).unwrap();
    let data = &document["data"];
    assert_eq!((out.code, document["ok"].as_bool(), data["status"].as_str()), (5, Some(true), Some("waiting")));
    let gate = json!([{ "gate": "total-seen", "role": "clerk", "question": "Is this the total that you expect?" }]);
    assert_eq!(data["gates"], gate);
    assert_eq!(data["steps"][0]["outputs"][0]["path"], "output/total.json");
    assert_eq!((&data["steps"][1]["status"], &data["steps"][1]["attempt"]), (&json!("pending"), &json!(0)));
    assert_eq!(data["actor"], "tester");
    assert!(data["plan_hash"].as_str().unwrap().starts_with("sha256:"));
    assert!(!out.stderr.contains("began"), "{}", out.stderr);
}

#[test]
fn a_step_that_fails_fails_the_run_and_shows_what_its_code_printed() {
    let p = tally();
    changed(&p, "tally.yaml", &[("import csv, json", "raise SystemExit('no \\x1b[31morders')")]);
    let out = ends(
        &p,
        &[&RUN[..], &["--id", "bad"]].concat(),
        1,
        &["bad  tally  failed", "D2030", "| no \u{fffd}[31morders"],
    );
    assert!(!format!("{}{}", out.stdout, out.stderr).contains('\u{1b}'));
    let shown = p.json(&["runs", "show", "bad"]);
    assert_eq!(shown["data"]["steps"][0]["failure"]["code"], "D2030");
    // It has ended, so that going on changes nothing and says the same.
    ends(&p, &["runs", "resume", "bad"], 1, &["bad  tally  failed", "D2030"]);
}

#[test]
fn an_output_that_was_not_written_or_is_no_json_is_found_by_the_system() {
    for (code, source) in [
        ("D2040", "print('all done, wrote output/total.json')"),
        ("D2041", "open('output/total.json', 'w').write('{\"orders\": 2, ')"),
        ("D2042", "open('output/total.json', 'w').write('{\"orders\": 2, \"total\": \"[insert the total here]\"}')"),
        ("D2043", "open('output/other.json', 'w').write('{}')"),
    ] {
        let p = tally();
        let from = "        import csv, json\n";
        let start = super::example::TALLY.find(from).unwrap();
        let rest = super::example::TALLY.get(start..).unwrap();
        let body = rest.split("    expected_outputs").next().unwrap();
        changed(&p, "tally.yaml", &[(body, &format!("        {source}\n"))]);
        ends(&p, &[&RUN[..], &["--id", "bad"]].concat(), 1, &[code]);
    }
}

#[test]
fn runs_are_listed_and_found_by_the_beginning_of_their_name() {
    let p = tally();
    let empty = p.ok(&["runs", "list"]);
    assert_eq!((empty.stdout.as_str(), empty.stderr.contains("nothing has run here yet")), ("", true));
    assert_eq!(p.json(&["runs", "list"])["data"], json!({ "runs": [], "total": 0, "more": 0 }));
    ends(&p, &[&RUN[..], &["--id", "audit-january"]].concat(), 5, &[]);
    ends(&p, &[&RUN[..], &["--id", "audit-february", "--approve", "clerk"]].concat(), 0, &[]);
    let listed = p.json(&["runs", "list"]);
    let words: Vec<(&str, &str)> = listed["data"]["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (run["run_id"].as_str().unwrap(), run["status"].as_str().unwrap()))
        .collect();
    assert_eq!(words, [("audit-february", "succeeded"), ("audit-january", "waiting")]);
    let one = p.json(&["runs", "list", "--limit", "1"])["data"].clone();
    assert_eq!((one["runs"].as_array().unwrap().len(), &one["total"], &one["more"]), (1, &json!(2), &json!(1)));
    let told = p.ok(&["runs", "list", "--limit", "1"]);
    assert!(told.stdout.lines().count() == 1 && told.stderr.contains("1 older runs are not listed"), "{}", told.stderr);
    assert_eq!(p.ok(&["runs", "list", "--all"]).stdout.lines().count(), 2);
    assert!(p.ok(&["runs", "show", "last"]).stdout.starts_with("audit-february"));
    assert!(p.ok(&["runs", "show", "audit-j"]).stdout.starts_with("audit-january"));
    let several = p.refuses(&["runs", "show", "audit-"], 1, "D2004", "there is no run `audit-`");
    assert!(several.stderr.contains("begin with it: audit-february, audit-january"), "{}", several.stderr);
}

#[test]
fn the_same_name_with_the_same_content_is_the_same_run() {
    let p = noted();
    let again = p.ok(&[&RUN[..], &["--id", "one"]].concat());
    assert!(again.stdout.starts_with("one  tally  succeeded\n"), "{}", again.stdout);
    assert!(!again.stderr.contains("began"), "{}", again.stderr);
    assert_eq!(p.json(&["runs", "list"])["data"]["runs"].as_array().unwrap().len(), 1);
    p.write("input/orders.csv", "order,amount\na,41\n");
    let again = [&RUN[..], &["--id", "one"]].concat();
    let says = "with other content: `input/orders.csv` differs (sha256 ";
    p.refuses(&again, 1, "D2009", says);
    p.write("input/orders.csv", "order,amount\na,40\nb,2\n");
    p.ok(&again);
    for (more, says) in [
        (&["--parallel", "2"][..], "`--parallel` was 4, and is 2 now"),
        (&["--actor", "eve"], "it was submitted by `tester`, and is by `eve` now"),
        (&["--budget", "wall_seconds=999"], "the budget of `wall_seconds` was not limited, and is 999 now"),
        (&["--resolve", "a.test=127.0.0.1"], "`--resolve` was not given, and is a.test now"),
    ] {
        p.refuses(&[&again[..], more].concat(), 1, "D2009", says);
    }
    changed(&p, "tally.yaml", &[("in all", "altogether")]);
    p.refuses(&again, 1, "D2009", "the code of `note` differs (sha256 ");
}

#[test]
fn a_run_without_a_name_is_named_by_its_content() {
    let p = tally();
    let out = ends(&p, &RUN, 5, &[]);
    let name = out.stdout.split(' ').next().unwrap();
    assert!(name.starts_with("run_") && name.len() == 16, "{name}");
}

/// Names that other programs would read as an option or overlook.
#[test]
fn names_begin_with_a_letter_or_a_digit() {
    let p = tally();
    for name in ["-rf", "_x", "--"] {
        let id = format!("--id={name}");
        p.refuses(&[&RUN[..], &[&id]].concat(), 1, "D2009", "a name begins with a letter or a digit");
    }
    for name in [".x", "A", "a/b", ""] {
        let id = format!("--id={name}");
        let out = p.refuses(&[&RUN[..], &[&id]].concat(), 1, "D2009", "is not the name of a run");
        assert!(out.stderr.contains("begin with a letter or a digit"), "{}", out.stderr);
    }
    ends(&p, &[&RUN[..], &["--id", "9-a_b"]].concat(), 5, &[]);
}

/// The lock of a run goes with the process that drove it.
#[test]
fn no_lock_is_left_behind() {
    let p = waiting();
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    p.ok(&["runs", "resume", "one"]);
    let left: Vec<_> = std::fs::read_dir(p.path(".deed/runs/locks")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["driven"]);
}
