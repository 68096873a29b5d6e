//! A page that is walked through: its console blocks are run in order, and a YAML block whose first line names a file
//! becomes that file.

use crate::console::{shell, steps};
use std::path::Path;

/// The blocks of a page with what they are written in.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let inside = page.split("```").skip(1).step_by(2);
    inside.map(|block| block.split_once('\n').unwrap()).collect()
}

/// Runs a page in a folder of its own, in which the examples are those of the repository.
pub(crate) fn walk(page: &str, least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.join("examples"), folder.path().join("examples")).unwrap();
    let mut ran = 0;
    for (sort, body) in blocks(&text) {
        let named = body.lines().next().and_then(|line| line.strip_prefix("# "));
        match (sort, named) {
            ("yaml", Some(name)) if !name.contains(' ') => std::fs::write(folder.path().join(name), body).unwrap(),
            ("console", _) => ran += run(body, folder.path()),
            _ => {}
        }
    }
    assert!(ran >= least, "the page has {ran} commands");
}

fn run(block: &str, folder: &Path) -> usize {
    let steps = steps(&format!("```console\n{block}```"));
    for step in &steps {
        // Data and messages in one stream, as a shell shows them.
        let out = shell(&format!("({}) 2>&1", step.command), folder).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(step.exit), "{}\n{said}", step.command);
        let mut lines = said.lines();
        for shown in &step.shown {
            assert!(lines.any(|line| line == shown), "{}\ndoes not print\n{shown}\nbut\n{said}", step.command);
        }
    }
    steps.len()
}
