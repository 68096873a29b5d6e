//! The README's own commands, run in order; what it prints below them must be printed, in that order.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, reason = "tests")]

use std::path::Path;

#[path = "common/console.rs"]
#[allow(dead_code, reason = "the README stands in the repository, other pages among their examples")]
mod console;

use console::{shell, steps};

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
    let steps = steps(&readme);
    assert!(steps.len() >= 15, "the README has {} commands", steps.len());
    for step in steps {
        let out = shell(&step.command, folder.path()).output().unwrap();
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
