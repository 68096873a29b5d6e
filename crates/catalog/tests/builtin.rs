//! The catalogue in the binary is held to everything that a user's pack is held to.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]
#![allow(clippy::disallowed_methods, reason = "tests read the catalogue's folder")]

use deed_catalog::{Catalog, CatalogFile, Origin, PackKind, builtin, read};
use deed_diag::{Severity, Style};
use std::fs;
use std::path::Path;

fn files(folder: &Path, under: &str, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let name = if under.is_empty() { name } else { format!("{under}/{name}") };
        if path.is_dir() {
            files(&path, &name, found);
        } else {
            found.push((name, fs::read(&path).unwrap()));
        }
    }
}

#[test]
fn it_is_whole_and_lint_finds_nothing() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalog"), "", &mut found);
    found.sort();
    let files: Vec<CatalogFile<'_>> = found.iter().map(|(name, bytes)| CatalogFile { name, bytes }).collect();
    let (catalog, report) = read(&Catalog::empty(), &files, Origin::Added, |_| Vec::new());
    assert_eq!(report.count(Severity::Error), 0, "{}", report.render(Style::Plain));
    assert_eq!(report.count(Severity::Warning), 0, "{}", report.render(Style::Plain));
    assert_eq!(catalog.hash(), builtin().unwrap().hash());
}

#[test]
fn it_has_what_the_sources_name() {
    let catalog = builtin().unwrap();
    let of = |kind: PackKind| {
        catalog.packs().filter(|pack| pack.kind == kind).map(|pack| pack.library.id()).collect::<Vec<_>>()
    };
    assert_eq!(
        of(PackKind::Domain),
        [
            "billing-audit",
            "code-modification",
            "data-merge-transform",
            "finance-analysis",
            "investigation-core",
            "legal-review",
            "psa-capacity",
            "research-synthesis",
            "resume-audit",
            "sales-crm",
            "security-audit",
            "website-build",
        ]
    );
    assert_eq!(
        of(PackKind::Workflow),
        [
            "analyze-score-rank",
            "code-modification",
            "deploy-publish",
            "file-acquisition",
            "file-batch-load",
            "ingest-materialize",
            "investigation-parallel",
            "normalize-transform",
            "reconcile-compare",
            "render-report",
            "render-website",
            "research-fetch-summarize",
        ]
    );
    assert_eq!((catalog.kinds().count(), catalog.slots().count(), catalog.policies().count()), (24, 15, 5));
    let entry = catalog.entity("billing.time_entry").unwrap();
    assert!(entry.fields.len() >= 8 && !entry.keys.is_empty() && !entry.grain.is_empty());
}
