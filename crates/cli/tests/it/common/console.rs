//! Pages whose console blocks are run: each command in order, and what stands below it must be printed in that order.

use std::path::Path;
use std::process::Command;

/// A command of a page, the lines it must print, and how it must end.
pub(crate) struct Step {
    pub(crate) command: String,
    pub(crate) shown: Vec<String>,
    pub(crate) exit: i32,
}

/// The commands of a page.
pub(crate) fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let blocks = page.split("```console\n").skip(1).map(|block| block.split("```").next().unwrap());
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

/// A shell in a folder, with `deed` on its path.
pub(crate) fn shell(command: &str, folder: &Path) -> Command {
    let bin = Path::new(env!("CARGO_BIN_EXE_deed")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path);
    shell.env_remove("DEED_HOME").env_remove("DEED_NOW").env_remove("COLUMNS");
    shell
}

/// Runs the commands of a page among copies of its examples.
pub(crate) fn tells_the_truth(page: &str, examples: &str, least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join(page)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(root.join(examples)).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let steps = steps(&page);
    assert!(steps.len() >= least, "the page has {} commands", steps.len());
    for step in steps {
        // Data and messages in one stream, as a shell shows them.
        let out = shell(&format!("({}) 2>&1", step.command), folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(step.exit), "{}\n{said}", step.command);
        let mut lines = said.lines();
        for shown in &step.shown {
            assert!(lines.any(|line| line == shown), "{}\ndoes not print\n{shown}\nbut\n{said}", step.command);
        }
    }
}
