//! Pages name what there is: paths of the architecture, errors of the bridge, fields of egress rules.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_architecture_names_files_that_exist() {
    let root = root();
    let text = std::fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    let named: Vec<&str> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|t| t.contains('/') && !t.contains([' ', '{', '<', '─', '@']) && !t.starts_with("http"))
        .collect();
    assert!(named.len() > 20, "{named:?}");
    let missing: Vec<&&str> = named
        .iter()
        .filter(|path| !root.join(path).exists() && !root.join("crates").join(path).exists())
        .filter(|path| !["canon", "pack", "diag"].iter().any(|c| root.join("crates").join(c).join(path).exists()))
        .filter(|path| {
            !["pack", "context", "cli"].iter().any(|c| root.join("crates").join(c).join("src").join(path).exists())
        })
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The sources beneath a folder, one after another.
fn sources(folder: &Path) -> String {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text = |path: PathBuf| if path.is_dir() { sources(&path) } else { std::fs::read_to_string(path).unwrap() };
    paths.map(text).collect()
}

#[test]
fn the_bridge_page_has_every_kind_of_error() {
    let page = std::fs::read_to_string(root().join("docs/bridge.md")).unwrap();
    let table = page.split("| `kind` | Meaning |").nth(1).unwrap().split("\n\n").next().unwrap();
    let source = sources(&root().join("crates/runtime/src/bridge"));
    let given = source.split("No::new(\"").skip(1).filter_map(|rest| rest.split('"').next());
    // Some are given by way of a variable.
    let mut kinds: Vec<&str> = given
        .chain(["credential", "denied", "unfit", "no_model", "unavailable", "outcome_unknown", "journal"])
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert!(kinds.len() >= 18, "{kinds:?}");
    let missing: Vec<&&str> = kinds.iter().filter(|kind| !table.contains(&format!("`{kind}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let named =
        table.lines().filter_map(|line| line.split('|').nth(1)).flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let gone: Vec<&str> = named.filter(|kind| !kinds.contains(kind)).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

#[test]
fn the_page_of_runs_has_every_field_of_a_rule() {
    let page = std::fs::read_to_string(root().join("docs/runs.md")).unwrap();
    let table = page.split("| Field of an egress rule | Says |").nth(1).unwrap().split("\n\n").next().unwrap();
    let schema = std::fs::read_to_string(root().join("schemas/plan.v1.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let fields = schema["$defs"]["EgressRule"]["properties"].as_object().unwrap();
    assert!(fields.len() >= 10);
    let missing: Vec<&String> = fields.keys().filter(|field| !table.contains(&format!("| `{field}` |"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
