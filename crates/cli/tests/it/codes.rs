//! Every code in the source has a page, every page has a code, and every page has the same parts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The constants of `deed_diag::codes` that the crates name in their sources.
fn used() -> BTreeSet<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(crates()).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    let mut names = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name =
            |part: &str| part.chars().take_while(|c| c.is_ascii_uppercase() || matches!(c, '_' | '0'..='9')).collect();
        names.extend(text.split("codes::").skip(1).map(name));
    }
    names
}

#[test]
fn every_code_is_used() {
    let used = used();
    let idle: Vec<&str> = deed_diag::pages().filter(|page| !used.contains(page.name)).map(|page| page.name).collect();
    assert_eq!(idle, Vec::<&str>::new(), "codes that nothing in the sources names");
    assert!(deed_diag::pages().count() > 400);
}

#[test]
fn pages_tell_what_why_and_how() {
    for page in deed_diag::pages() {
        assert!(page.text.starts_with(&format!("# {}: ", page.code)), "{}", page.code);
        for part in ["## What it means", "## Why it happens", "## How to fix it"] {
            assert!(page.text.contains(part), "{}: {part}", page.code);
        }
        assert!(page.title.len() < 80 && !page.title.ends_with('.'), "{}: {}", page.code, page.title);
    }
}
