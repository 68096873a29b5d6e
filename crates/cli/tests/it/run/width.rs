//! On a terminal of 80 columns no line is wider, and hashes are short; pipes have the whole ones.

use crate::common::Project;
use std::process::Command;

/// What a person sees on a terminal of 80 columns: standard output and standard error of commands in the demo job.
fn seen(p: &Project, script: &str) -> String {
    let deed = env!("CARGO_BIN_EXE_deed");
    let script = format!("stty cols 80 rows 40; deed() {{ {deed} \"$@\"; }}; {script}");
    let out = Command::new("script")
        .args(["-qec", &format!("bash -c '{script}'"), "/dev/null"])
        .current_dir(p.path("demo"))
        .env("TERM", "dumb")
        .env("DEED_ACTOR", "tester")
        .env_remove("DEED_HOME")
        .env_remove("COLUMNS")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("`script` of util-linux runs commands on a terminal");
    String::from_utf8(out.stdout).unwrap().replace('\r', "")
}

fn demo() -> Project {
    let p = Project::bare();
    p.ok(&["new", "demo"]);
    p
}

#[test]
fn nothing_is_wider_than_80_columns() {
    let p = demo();
    for (script, says) in [
        ("deed run plan.yaml --id week-45", "(keep it to detect a rollback)"),
        ("deed gate show week-45", "hash      sha256:"),
        ("deed gate approve week-45 --as finance --resume", "(keep it to detect a rollback)"),
        ("deed runs show week-45", "head week-45@"),
        ("deed runs list", "week-45"),
        ("deed artifacts list week-45", "output/report.md"),
        ("deed receipts show week-45", "postflight report"),
        ("deed receipts verify week-45", "seal of the run"),
        ("deed plan explain plan.yaml report", "Spends at most"),
    ] {
        let text = seen(&p, script);
        assert!(text.contains(says), "{script}: {text}");
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{script}: {wide:#?}");
    }
}

/// Programs read whole hashes, and `--head` takes them.
#[test]
fn hashes_are_whole_on_a_pipe() {
    let p = demo();
    let whole =
        |text: &str| text.split("sha256:").skip(1).all(|hash| hash.chars().take(64).all(|c| c.is_ascii_hexdigit()));
    seen(&p, "deed run plan.yaml --id week-45");
    let home = p.path("demo/.deed").display().to_string();
    for args in [["runs", "show", "week-45"], ["artifacts", "list", "week-45"], ["receipts", "show", "week-45"]] {
        let text = p.ok(&[&args[..], &["--home", &home]].concat()).stdout;
        assert!(text.contains("sha256:") && whole(&text) && !text.contains("rollback"), "{text}");
    }
}
