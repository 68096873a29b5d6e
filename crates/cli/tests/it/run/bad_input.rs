//! Input that cannot be run is refused before anything runs, with its code and a fix.

use super::example::{RUN, TALLY, changed, ends, tally};
use serde_json::json;

/// Nothing may have been asked for.
#[track_caller]
fn nothing_ran(p: &crate::common::Project) {
    assert_eq!(p.json(&["runs", "list"])["data"]["runs"], json!([]));
}

#[test]
fn inputs_that_are_not_given() {
    let p = tally();
    // Without `--input`, the folder `input` beside the plan is used, and here there is none.
    changed(&p, "plans/tally.yaml", &[]);
    p.refuses(&["run", "--plan", "plans/tally.yaml"], 1, "D2002", "`input/orders.csv`, which was not given");
    p.refuses(
        &["run", "--plan", "tally.yaml", "--input", "elsewhere"],
        1,
        "D2002",
        "`elsewhere` does not exist; the plan reads `input/orders.csv`",
    );
    p.write("folder/orders.csv/x", "");
    p.refuses(&["run", "--plan", "tally.yaml", "--input", "folder"], 1, "D2002", "which is not a file there");
    nothing_ran(&p);
}

#[test]
fn inputs_that_are_links_out_of_their_folder() {
    let p = tally();
    p.write("private/orders.csv", "order,amount\na,40\nb,2\n");
    p.write("inside/real.csv", "order,amount\na,40\nb,2\n");
    std::fs::create_dir(p.path("linked")).unwrap();
    std::os::unix::fs::symlink(p.path("private/orders.csv"), p.path("linked/orders.csv")).unwrap();
    std::os::unix::fs::symlink("real.csv", p.path("inside/orders.csv")).unwrap();
    std::os::unix::fs::symlink(p.path("private"), p.path("folder")).unwrap();
    let run = |folder: &'static str| vec!["run", "--plan", "tally.yaml", "--input", folder];
    let out = p.refuses(&run("linked"), 1, "D2057", "`input/orders.csv` is a link to `");
    assert!(out.stderr.contains("--follow-links"), "{}", out.stderr);
    nothing_ran(&p);
    // A link to a file in the same folder, and a folder that is a link itself, lead nowhere else.
    ends(&p, &[&run("inside")[..], &["--id", "inside"]].concat(), 5, &[]);
    ends(&p, &[&run("folder")[..], &["--id", "folder"]].concat(), 5, &[]);
    let out = p.run(&[&run("linked")[..], &["--id", "linked", "--follow-links"]].concat());
    assert_eq!(out.code, 5, "{}", out.stderr);
    assert!(out.stderr.contains("input/orders.csv is taken from "), "{}", out.stderr);
    assert!(out.stderr.contains("private/orders.csv"), "{}", out.stderr);
}

#[test]
fn budgets_that_make_no_sense() {
    let p = tally();
    for (part, says) in [
        ("wall_seconds", "`wall_seconds` is not a part of a budget"),
        ("wall=10", "`wall=10` is not a part of a budget"),
        ("wall_second=10", "did you mean `wall_seconds`?"),
        ("wall_seconds=", "`` is not an amount of `wall_seconds`"),
        ("wall_seconds=-1", "`-1` is not an amount of `wall_seconds`"),
        ("wall_seconds=1.5", "`1.5` is not an amount"),
        ("wall_seconds=9007199254740992", "is not an amount"),
        ("money_micros=\u{1b}[2J", "is not an amount"),
    ] {
        let out = p.refuses(&[&RUN[..], &["--budget", part]].concat(), 2, "D2061", says);
        assert!(!out.stderr.contains('\u{1b}'));
    }
    nothing_ran(&p);
}

#[test]
fn a_grant_that_the_worst_case_exceeds() {
    let p = tally();
    let args = [&RUN[..], &["--budget", "wall_seconds=100"]].concat();
    p.refuses(&args, 1, "D2003", "the plan can spend 120 of `wall_seconds`, and 100 are granted");
    nothing_ran(&p);
    ends(&p, &[&RUN[..], &["--budget", "wall_seconds=120", "--approve", "clerk"]].concat(), 0, &["of 120)"]);
}

#[test]
fn documents_that_are_no_plan() {
    let p = tally();
    p.ok(&["plan", "compile", "tally.yaml", "--out", "compiled.json"]);
    let out = p.refuses(&["run", "--plan", "compiled.json", "--input", "input"], 1, "D2062", "this is a compiled plan");
    assert!(out.stderr.contains("name the plan that it was compiled from"), "{}", out.stderr);
    p.refuses(&["run", "--plan", "missing.yaml"], 3, "D0001", "no such file");
    p.write("broken.yaml", "plan: [");
    assert_eq!(p.run(&["run", "--plan", "broken.yaml"]).code, 1);
    p.write("list.yaml", "- 1\n");
    assert_eq!(p.run(&["run", "--plan", "list.yaml"]).code, 1);
    nothing_ran(&p);
}

#[test]
fn a_plan_with_errors_is_told_all_of_them_and_not_run() {
    let p = tally();
    changed(
        &p,
        "wrong.yaml",
        &[("depends_on: [add]", "depends_on: [ad]"), ("waits_for: [total-seen]", "waits_for: [total-sen]")],
    );
    let out = p.run(&["run", "--plan", "wrong.yaml", "--input", "input"]);
    assert_eq!(out.code, 1);
    assert!(out.stderr.matches("error[").count() >= 2 && out.stderr.contains("wrong.yaml:"), "{}", out.stderr);
    let json = p.json(&["run", "--plan", "wrong.yaml", "--input", "input"]);
    assert_eq!((json["ok"].as_bool(), json["data"].is_null()), (Some(false), true));
    assert!(json["diagnostics"].as_array().unwrap().len() >= 2);
    nothing_ran(&p);
}

#[test]
fn steps_that_only_a_model_could_do() {
    let p = tally();
    let start = TALLY.find("    code:\n").unwrap();
    let body = TALLY.get(start..).unwrap().split("    expected_outputs").next().unwrap();
    changed(&p, "nocode.yaml", &[(body, "")]);
    p.refuses(&["run", "--plan", "nocode.yaml", "--input", "input"], 1, "D2001", "step `add` has no code");
    nothing_ran(&p);
}

#[test]
fn names_addresses_and_files_that_are_none() {
    let p = tally();
    for given in ["nonsense", "a=b", "a=", "a=300.1.1.1", "=127.0.0.1", "a b=127.0.0.1", "a/b=127.0.0.1"] {
        p.refuses(&[&RUN[..], &["--resolve", given]].concat(), 2, "D2060", "is not a name with an address");
    }
    p.refuses(&[&RUN[..], &["--ca", "missing.pem"]].concat(), 3, "D0001", "no such file");
    for id in ["", "a b", "../up", "A", "\u{202e}"] {
        p.refuses(&[&RUN[..], &["--id", id]].concat(), 1, "D2009", "is not the name of a run");
    }
    // The word for the newest run, which could then never be meant by its name.
    let out = p.refuses(&[&RUN[..], &["--id", "last"]].concat(), 1, "D2009", "a run cannot be called `last`");
    assert!(out.stderr.contains("choose another name"), "{}", out.stderr);
    assert_eq!(p.run(&[&RUN[..], &["--now", "yesterday"]].concat()).code, 1);
    nothing_ran(&p);
}

#[test]
fn a_project_that_is_not_there() {
    let p = crate::common::Project::bare();
    p.write("tally.yaml", TALLY);
    p.write("input/orders.csv", "order,amount\n");
    p.refuses(&RUN, 3, "D0008", "there is no project (`.deed`) here");
    for args in [&["runs", "list"][..], &["gate", "list"], &["journal", "verify"], &["receipts", "verify", "last"]] {
        p.refuses(args, 3, "D0008", "`deed init` makes one");
    }
}

#[test]
fn runs_that_there_are_none_of() {
    let p = tally();
    for args in [
        &["runs", "show", "nosuch"][..],
        &["runs", "events", "nosuch"],
        &["runs", "resume", "nosuch"],
        &["runs", "cancel", "nosuch"],
        &["gate", "show", "nosuch"],
        &["gate", "approve", "nosuch", "--as", "clerk"],
        &["artifacts", "list", "nosuch"],
        &["artifacts", "export", "nosuch", "--out", "out"],
        &["receipts", "show", "nosuch"],
        &["receipts", "verify", "nosuch"],
        &["runs", "show", "last"],
    ] {
        let name = if args.contains(&"last") { "last" } else { "nosuch" };
        p.refuses(args, 1, "D2004", &format!("there is no run `{name}`"));
    }
    ends(&p, &[&RUN[..], &["--id", "january"]].concat(), 5, &[]);
    p.refuses(&["runs", "show", "januray"], 1, "D2004", "there is no run `januray`");
    p.refuses(&["runs", "show", "januari"], 1, "D2004", "did you mean `january`?");
}

#[test]
fn code_that_is_in_no_file_that_can_be_read() {
    let p = tally();
    p.write("latin.py", b"x = '\xe9'\n");
    std::fs::create_dir(p.path("folder")).unwrap();
    assert_eq!(p.shell("mkfifo pipe.py && ln -s /etc/passwd link.py").code, 0);
    for (file, why) in [
        ("none.py", "is not there"),
        ("latin.py", "is not UTF-8 text"),
        ("folder", "is not a file"),
        ("pipe.py", "is not a file"),
        ("link.py", "lies outside the plan's folder"),
        ("../x.py", "lies outside the plan's folder"),
    ] {
        let (before, rest) = TALLY.split_once("      source: |\n        import csv").unwrap();
        let (_, after) = rest.split_once("    expected_outputs").unwrap();
        let text = format!("{before}      file: {file}\n    expected_outputs{after}");
        p.write("filed.yaml", text);
        let out = p.refuses(&["plan", "check", "filed.yaml"], 1, "D1973", &format!("with its code {why}"));
        assert!(!out.stderr.contains("D1908"), "{file}: {}", out.stderr);
    }
}

#[test]
fn certificates_that_are_none() {
    let p = tally();
    let args = [&RUN[..], &["--ca", "tally.yaml"]].concat();
    p.refuses(&args, 1, "D2067", "no certificate can be read from it");
}

/// A limit of open files that is too low for a sandbox is named: it is not the machine that is too weak.
#[test]
fn a_limit_of_open_files_that_is_too_low() {
    let p = tally();
    let script = format!("ulimit -n 24; exec '{}' run tally.yaml --id few", env!("CARGO_BIN_EXE_deed"));
    let out = p.shell(&script);
    let said = format!("{}{}", out.stdout, out.stderr);
    assert_eq!(out.code, 1, "{said}");
    for words in ["D2035", "the limit here is 24", "READINESS_PROBE", "`ulimit -n 1024`"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("POLICY_BLOCKED") && !said.contains("offers L0"), "{said}");
}
