//! Pages name what there is: paths of the architecture, errors of the bridge, fields of egress rules.

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

#[test]
fn the_bridge_page_has_every_kind_of_error() {
    let page = std::fs::read_to_string(root().join("docs/bridge.md")).unwrap();
    let table = page.split("| `kind` | Meaning |").nth(1).unwrap().split("\n\n").next().unwrap();
    let kinds: Vec<&str> = deed_model::BridgeErrorKind::KNOWN.iter().map(|kind| kind.as_str()).collect();
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

#[test]
fn every_dependency_has_a_reason() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let page = std::fs::read_to_string(root().join("docs/design/0001-dependencies.md")).unwrap();
    let table = manifest.split("[workspace.dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let names = table.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    let external: Vec<&str> = names.filter(|name| !name.starts_with('#') && !name.starts_with("deed")).collect();
    assert!(external.len() > 30, "{external:?}");
    let words: std::collections::BTreeSet<&str> =
        page.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).collect();
    let missing: Vec<&&str> = external.iter().filter(|name| !words.contains(**name)).collect();
    assert!(missing.is_empty(), "not in docs/design/0001-dependencies.md: {missing:?}");
}
