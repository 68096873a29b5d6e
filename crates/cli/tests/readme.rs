//! The README's own commands, run in order; what it prints below them must be printed, in that order.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, reason = "tests")]

use std::path::Path;

#[path = "common/console.rs"]
#[allow(dead_code, reason = "the README stands in the repository, other pages among their examples")]
mod console;

#[path = "common/billing.rs"]
mod billing_system;

use billing_system::{Api, PORT};
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
    std::os::unix::fs::symlink(root.join("packs"), folder.path().join("packs")).unwrap();
    std::fs::create_dir(folder.path().join("examples")).unwrap();
    for entry in std::fs::read_dir(root.join("examples")).unwrap() {
        let name = entry.unwrap().file_name();
        let target = folder.path().join("examples").join(&name);
        std::os::unix::fs::symlink(root.join("examples").join(&name), target).unwrap();
    }
    // The billing system that the README tells to start, on a port of its own.
    assert!(readme.contains("python3 examples/billing/mock_api.py &") && readme.contains(PORT));
    let api = Api::start();
    let billing = folder.path().join("examples/billing");
    std::fs::remove_file(&billing).unwrap();
    billing_system::example(&billing, api.port);
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
