//! Every code in the source has a page, every page has a code, and every page has the same parts.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
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

/// The codes that the crates declare, each with the files that declare it.
fn declared() -> BTreeMap<String, Vec<PathBuf>> {
    let mut codes: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in std::fs::read_dir(crates()).unwrap() {
        let folder = entry.unwrap().path().join("src");
        let mut files = Vec::new();
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for part in text.split("Code::new(\"").skip(1) {
                let code = part.split('"').next().unwrap().to_owned();
                codes.entry(code).or_default().push(file.clone());
            }
        }
    }
    codes
}

#[test]
fn codes_and_pages_are_paired() {
    let declared: BTreeSet<String> = declared().into_keys().collect();
    let pages: BTreeSet<String> = deed_diag::pages().map(|p| p.code.to_owned()).collect();
    assert_eq!(declared.difference(&pages).collect::<Vec<_>>(), Vec::<&String>::new(), "codes without a page");
    assert_eq!(pages.difference(&declared).collect::<Vec<_>>(), Vec::<&String>::new(), "pages without a code");
    assert!(declared.len() > 100);
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
