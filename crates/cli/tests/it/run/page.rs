//! The commands of `docs/runs.md`, run in order, with the billing system of the example on a port of its own.

use crate::common::billing::{Api, PORT, example, root};
use crate::common::console::{shell, steps};

#[test]
fn the_page_tells_the_truth() {
    let page = std::fs::read_to_string(root().join("docs/runs.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let api = Api::start();
    example(&folder.path().join("examples/billing"), api.port);
    let mut ran = 0;
    let inside = page.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').unwrap());
    for (sort, body) in inside {
        let named = body.lines().next().and_then(|line| line.strip_prefix("# "));
        match (sort, named) {
            ("yaml", Some(name)) if !name.contains(' ') => std::fs::write(folder.path().join(name), body).unwrap(),
            ("console", _) => {
                for step in steps(&format!("```console\n{body}```")) {
                    // Data and messages in one stream, as a shell shows them.
                    let command = format!("({}) 2>&1", step.command.replace(PORT, &api.port.to_string()));
                    let out = shell(&command, folder.path()).env("DEED_ACTOR", "rosa").output().unwrap();
                    let said = String::from_utf8_lossy(&out.stdout).into_owned();
                    assert_eq!(out.status.code(), Some(step.exit), "{}\n{said}", step.command);
                    let mut lines = said.lines();
                    for shown in &step.shown {
                        assert!(lines.any(|l| l == shown), "{}\ndoes not print\n{shown}\nbut\n{said}", step.command);
                    }
                    ran += 1;
                }
            }
            _ => {}
        }
    }
    assert!(ran >= 20, "the page has {ran} commands");
}
