//! Runs the commands of the README and of the pages under `docs/`, and follows their links.

use crate::common::walk::walk;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn readme() {
    walk("README.md", 5);
}

/// The excerpt of the plan in the README is the plan that `deed new demo` writes.
#[test]
fn the_readme_shows_lines_of_the_demo_plan() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let plan = std::fs::read_to_string(root().join("crates/app/src/scaffold/demo/plan.yaml")).unwrap();
    let (_, excerpt) = readme.split_once("```yaml\n").unwrap();
    let (excerpt, _) = excerpt.split_once("```").unwrap();
    let mut lines = plan.lines();
    for line in excerpt.lines() {
        assert!(lines.any(|own| own == line), "the plan has no such line, or not in this place: {line}");
    }
    assert!(excerpt.lines().count() > 8);
}

#[test]
fn first_run() {
    walk("docs/first-run.md", 15);
}

#[test]
fn first_pack() {
    walk("docs/first-pack.md", 25);
}

#[test]
fn packs() {
    walk("docs/packs.md", 20);
}

#[test]
fn context() {
    walk("docs/context.md", 8);
}

#[test]
fn decisions() {
    walk("docs/decisions.md", 12);
}

#[test]
fn memory() {
    walk("docs/memory.md", 15);
}

#[test]
fn models() {
    walk("docs/models.md", 6);
}

#[test]
fn model_calls() {
    walk("docs/model-calls.md", 5);
}

#[test]
fn packets() {
    walk("docs/packets.md", 12);
}

#[test]
fn profiles() {
    walk("docs/profiles.md", 8);
}

#[test]
fn validation() {
    walk("docs/validation.md", 4);
}

#[test]
fn workspaces() {
    walk("docs/workspaces.md", 12);
}

#[test]
fn json_output() {
    walk("docs/json-output.md", 3);
}

/// The pages with commands, all of which some test runs.
const RUN: [&str; 19] = [
    "README.md",
    "docs/catalog.md",
    "docs/context.md",
    "docs/decisions.md",
    "docs/first-pack.md",
    "docs/first-run.md",
    "docs/imprint.md",
    "docs/json-output.md",
    "docs/ladder.md",
    "docs/memory.md",
    "docs/model-calls.md",
    "docs/models.md",
    "docs/packets.md",
    "docs/packs.md",
    "docs/plan.md",
    "docs/profiles.md",
    "docs/runs.md",
    "docs/validation.md",
    "docs/workspaces.md",
];

/// The pages of the repository that people read first.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name)).into();
    for folder in ["docs", "docs/design"] {
        let files = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(files.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    pages.sort();
    pages
}

#[test]
fn every_page_with_commands_is_run() {
    let with_commands: BTreeSet<String> = pages()
        .into_iter()
        .filter(|path| std::fs::read_to_string(path).unwrap().contains("```console\n"))
        .map(|path| path.strip_prefix(root()).unwrap().display().to_string())
        .collect();
    assert_eq!(with_commands, RUN.map(str::to_owned).into());
}

/// The anchors of a page, as GitHub makes them of its headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let headings = page.lines().filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#')
    });
    let anchor = |heading: &str| {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        heading.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    let mut followed = 0;
    for path in pages() {
        let text = std::fs::read_to_string(&path).unwrap();
        // Code has brackets too; only prose is searched.
        let prose: String = text.split("```").step_by(2).collect();
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            followed += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let found = file.exists()
                && (anchor.is_empty() || anchors(&std::fs::read_to_string(&file).unwrap()).contains(anchor));
            if !found {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(followed > 50, "{followed} links");
}
