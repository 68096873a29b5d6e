//! Help and output fit into the columns that `COLUMNS` asks for; pipes without it and JSON have every line whole.

use crate::common::Project;
use crate::help::{commands, walk};

fn printed(p: &Project, args: &[&str], columns: &str) -> (String, String) {
    let out = p.command(args).env("COLUMNS", columns).output().unwrap();
    (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
}

/// The lines that are too wide. A path or a hash that has a line for itself is copied, and stays whole.
fn wide(text: &str, columns: usize) -> Vec<&str> {
    text.lines().filter(|line| line.chars().count() > columns && line.trim().contains(' ')).collect()
}

/// The commands of the examples, with those that take several lines joined.
fn examples(help: &str) -> Vec<String> {
    let lines = help.split("\nExamples:\n").nth(1).unwrap();
    let joined = lines.replace(" \\\n", " ");
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.lines().map(words).collect()
}

#[test]
fn every_line_of_every_help_text_fits() {
    let p = Project::bare();
    let (mut groups, mut leaves) = (Vec::new(), Vec::new());
    walk(&p, &[], &mut groups, &mut leaves);
    assert_eq!(leaves, commands(&p));
    for command in groups.iter().chain(&leaves) {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let [at_60, at_80] = ["60", "80"].map(|columns| printed(&p, &words, columns).0);
        assert_eq!(wide(&at_60, 60), [""; 0], "{command:?}");
        assert_eq!(wide(&at_80, 80), [""; 0], "{command:?}");
        assert_eq!(examples(&at_60), examples(&at_80), "{command:?}: a broken example is the same command");
    }
    // Where nothing asks for a width, help is not wider than 100 columns.
    assert_eq!(wide(&p.ok(&["run", "--help"]).stdout, 100), [""; 0]);
}

/// Runs commands for several widths, and compares with what a pipe and a program get.
fn fits(p: &Project, commands: &[&[&str]]) {
    for args in commands {
        let whole = p.run(args).stdout;
        for columns in [50, 80] {
            let (out, err) = printed(p, args, &columns.to_string());
            assert_eq!(wide(&out, columns), [""; 0], "{args:?}");
            assert_eq!(wide(&err, columns), [""; 0], "{args:?}");
            // Nothing is left out: words are broken at most.
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(letters(&out), letters(&whole), "{args:?}");
        }
        let json = |columns: &str| printed(p, &[args, &["--json"][..]].concat(), columns).0;
        assert_eq!(json("50"), json("200"), "{args:?}");
    }
}

#[test]
fn lists_and_pages_fit() {
    let p = Project::new();
    fits(
        &p,
        &[
            &["models", "list"],
            &["profile", "list"],
            &["prompt", "list"],
            &["catalog", "list"],
            &["explain"],
            &["explain", "D2015"],
            &["keys", "list"],
            &["registry", "policy", "show"],
            &["pack", "show", "./support"],
            &["pack", "lint", "support"],
        ],
    );
    let whole = p.ok(&["models", "list"]).stdout;
    assert!(!wide(&whole, 50).is_empty(), "a pipe has whole lines: {whole}");
    // A document is copied, and keeps its lines.
    let document = ["pack", "show", "./support", "--layer", "policy_layer"];
    assert_eq!(printed(&p, &document, "50").0, p.ok(&document).stdout);
}

#[test]
fn the_output_of_runs_fits() {
    let p = Project::bare();
    p.ok(&["new", "demo"]);
    let home = p.path("demo/.deed").display().to_string();
    let home = home.as_str();
    assert_eq!(p.run(&["run", "demo/plan.yaml", "--home", home, "--id", "week-45"]).code, 5);
    fits(&p, &[&["gate", "list", "--home", home], &["runs", "list", "--home", home]]);
    p.ok(&["gate", "approve", "week-45", "--as", "finance", "--resume", "--home", home]);
    fits(
        &p,
        &[
            &["runs", "list", "--home", home],
            &["runs", "show", "week-45", "--home", home],
            &["runs", "tools", "week-45", "--home", home],
            &["runs", "events", "week-45", "--home", home],
            &["receipts", "show", "week-45", "--home", home],
            &["journal", "verify", "--home", home],
            &["plan", "check", "demo/plan.yaml"],
        ],
    );
}

/// The message of a refusal is broken like other text; the lines of `--lines` and of pipes are not.
#[test]
fn a_refusal_fits() {
    let p = Project::bare();
    p.ok(&["new", "demo"]);
    let home = p.path("demo/.deed").display().to_string();
    let given = std::fs::read_to_string(p.path("demo/input/expenses.csv")).unwrap();
    p.write("demo/input/expenses.csv", given.replace("745.00", "n/a"));
    let args = ["run", "demo/plan.yaml", "--home", &home];
    let (_, err) = printed(&p, &args, "60");
    assert!(err.contains("D2015"), "{err}");
    assert_eq!(wide(&err, 60), [""; 0]);
    let (_, lines) = printed(&p, &[&args[..], &["--lines"]].concat(), "60");
    assert_eq!(lines.lines().filter(|line| line.contains("[D")).count(), lines.lines().count(), "{lines}");
}

#[test]
fn a_usage_error_fits() {
    let p = Project::bare();
    for args in [&["context", "call"][..], &["decision", "approve", "--context"], &["pack", "unpin", "x", "--nothing"]]
    {
        let (_, err) = printed(&p, args, "50");
        assert!(err.contains("error:"), "{err}");
        assert_eq!(wide(&err, 50), [""; 0], "{args:?}");
    }
}
