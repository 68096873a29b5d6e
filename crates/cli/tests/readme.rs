//! The README's own commands, run in order; what it prints below them must be printed, in that order.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, reason = "tests")]

use std::path::Path;
use std::process::Command;

struct Step {
    command: String,
    shown: Vec<String>,
    exit: i32,
}

fn steps(readme: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let blocks = readme.split("```console\n").skip(1).map(|b| b.split("```").next().unwrap());
    for line in blocks.flat_map(str::lines) {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), shown: Vec::new(), exit: 0 });
        } else if let Some(code) = line.strip_prefix("[exit ") {
            steps.last_mut().unwrap().exit = code.trim_end_matches(']').parse().unwrap();
        } else {
            steps.last_mut().unwrap().shown.push(line.to_owned());
        }
    }
    steps
}

/// Hashes and key ids differ from run to run.
fn redacted(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_inclusive([' ', '\n']) {
        let bare = word.trim_end();
        let prefix = ["sha256:", "ed25519:"].into_iter().find(|p| bare.starts_with(p));
        match prefix {
            Some(prefix) => out.push_str(&format!("{prefix}…{}", word.strip_prefix(bare).unwrap())),
            None => out.push_str(word),
        }
    }
    out
}

#[test]
fn the_readme_tells_the_truth() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // Its commands are for somebody who stands in the repository, and leave it as it is.
    for part in ["packs", "examples"] {
        std::os::unix::fs::symlink(root.join(part), folder.path().join(part)).unwrap();
    }
    let bin = Path::new(env!("CARGO_BIN_EXE_deed")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let steps = steps(&readme);
    assert!(steps.len() >= 15, "the README has {} commands", steps.len());
    for step in steps {
        let out = Command::new("sh")
            .args(["-c", &step.command])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env_remove("DEED_HOME")
            .env_remove("DEED_NOW")
            .output()
            .unwrap();
        let text =
            redacted(&format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr)));
        assert_eq!(out.status.code(), Some(step.exit), "$ {}\n{text}", step.command);
        // Diagnostics go to stderr and data to stdout, so each stream is searched by itself.
        let mut lines = text.lines();
        for shown in step.shown.iter().filter(|l| !l.is_empty()) {
            assert!(lines.any(|l| l == shown), "$ {}\nnot printed: {shown}\n--\n{text}", step.command);
        }
    }
}
