//! The catalogue in the binary is held to everything that a user's pack is held to.

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

/// A pack may say in a plain sentence where it ends, as well as in parts.
#[test]
fn a_plain_sentence_tells_packs_apart() {
    let entity = r#"{ "$id": "urn:deed:entity:insurance.claim", "title": "Claim", "description": "One claim.",
        "type": "object", "properties": { "claim_id": { "type": "string", "description": "Its name." } },
        "required": ["claim_id"], "additionalProperties": false,
        "x-deed-keys": [["claim_id"]], "x-deed-grain": ["claim_id"] }"#;
    let pack = |sentence: &str| {
        format!(
            "domain_pack_id: insurance-claims\nversion: 1.0.0\npurpose: Checks claims.\n\
             entity_schemas: [insurance.claim]\ntriggers: [check the claims, insurance claims, claims backlog]\n\
             disambiguation:\n  - {sentence}\n  - {{ against: legal-review, rule: That one is for clauses. }}\n\
             example_goals: [Check the claims, List old claims]\nsynonyms: {{ claim: [loss report] }}\n\
             canonical_profiles:\n  - profile_id: insurance.table.json_rows.claims.v1\n    \
             entity_schema_id: insurance.claim\n    kind_key: table.json_rows\n    slot: normalized_rows\n\
             typical_slots: {{ inputs: [raw_files], outputs: [normalized_rows] }}\n"
        )
    };
    let found = |sentence: &str| {
        let text = pack(sentence);
        let files = [
            CatalogFile { name: "insurance/pack.yaml", bytes: text.as_bytes() },
            CatalogFile { name: "insurance/entities/insurance.claim.json", bytes: entity.as_bytes() },
        ];
        let (catalog, report) = read(builtin().unwrap(), &files, Origin::Added, |_| Vec::new());
        let rules = catalog.pack(PackKind::Domain, "insurance-claims").map(|pack| pack.library.disambiguation.len());
        (rules, report.render(Style::Lines))
    };
    assert_eq!(found("Use it for claims. Use billing-audit for billable work."), (Some(2), String::new()));
    assert!(found("\"\"").1.contains("D1815"));
}
