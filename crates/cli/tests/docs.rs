//! Paths that the architecture page names are there.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use std::path::Path;

#[test]
fn the_architecture_names_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
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
