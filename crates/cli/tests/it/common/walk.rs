//! Walks through a page: runs its console blocks in order, and writes each YAML block whose first line names a file to
//! that file. `cd FOLDER` moves to a folder for the rest of the page.

use super::console::{shell, steps};
use std::path::{Path, PathBuf};

/// The blocks of a page with the language of each.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let inside = page.split("```").skip(1).step_by(2);
    inside.map(|block| block.split_once('\n').unwrap()).collect()
}

/// Runs a page in a folder of its own, with the packs and examples of the repository.
pub(crate) fn walk(page: &str, least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut at = folder.path().to_owned();
    for shared in ["examples", "packs"] {
        std::os::unix::fs::symlink(root.join(shared), folder.path().join(shared)).unwrap();
    }
    let mut ran = 0;
    for (language, body) in blocks(&text) {
        let named = body.lines().next().and_then(|line| line.strip_prefix("# "));
        match (language, named) {
            ("yaml", Some(name)) if !name.contains(' ') => std::fs::write(at.join(name), body).unwrap(),
            ("console", _) => ran += run(body, &mut at),
            _ => {}
        }
    }
    assert!(ran >= least, "{page} has {ran} commands");
}

fn run(block: &str, folder: &mut PathBuf) -> usize {
    let steps = steps(&format!("```console\n{block}```"));
    for step in &steps {
        if let Some(inner) = step.command.strip_prefix("cd ").filter(|inner| !inner.contains(' ')) {
            *folder = folder.join(inner).canonicalize().unwrap();
            continue;
        }
        // Data and messages in one stream, as a shell shows them.
        let out = shell(&format!("({}) 2>&1", step.command), folder).output().unwrap();
        let output = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(step.exit), "{}\n{output}", step.command);
        let mut lines = output.lines();
        for shown in &step.shown {
            assert!(
                lines.any(|line| line == shown || without_hashes(line) == *shown),
                "{}\ndoes not print\n{shown}\nbut\n{output}",
                step.command
            );
        }
    }
    steps.len()
}

/// A line with `…` for hashes, key ids and ids of memories, which differ from run to run.
fn without_hashes(line: &str) -> String {
    let mut out = String::new();
    for word in line.split_inclusive(' ') {
        let bare = word.trim_end();
        match ["sha256:", "ed25519:", "mem_"].into_iter().find(|prefix| bare.starts_with(prefix)) {
            Some(prefix) => out.push_str(&format!("{prefix}…{}", word.strip_prefix(bare).unwrap())),
            None => out.push_str(word),
        }
    }
    out
}
