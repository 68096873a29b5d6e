//! Packs that are named by their pinned reference.

use super::example::{compile, compiled, context, inputs, refused};
use crate::common::Project;

const PINNED: [&str; 2] = ["--pack", "ctxpack.support@1.0.0"];

/// The support pack reviewed, signed, published and pinned, with the inputs of its example.
fn pinned() -> Project {
    let p = Project::published();
    p.ok(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"]);
    inputs(&p);
    p
}

#[test]
fn a_published_version_compiles_as_its_folder_does() {
    let p = pinned();
    let (by_reference, by_folder) = (compiled(&p, &PINNED), compiled(&p, &[]));
    assert_eq!(by_reference, by_folder);
    let with_overlay = compiled(&p, &[&PINNED[..], &["--overlay", "staging"]].concat());
    assert_eq!(with_overlay["context_ledger"]["overlays"][0]["reference"], "ctxpack.support.staging@1.0.0");
    // An edit of the folder does not reach what was published.
    p.edit_in_place("support/pack.yaml", &[("max: 50000", "max: 99999")]);
    assert_eq!(compiled(&p, &PINNED), by_reference);
    assert_ne!(compiled(&p, &[]), by_reference);
}

#[test]
fn references_that_lead_nowhere() {
    let p = pinned();
    refused(&p, &compile(&["--pack", "ctxpack.support@9.9.9"]), 1, "D1205", "9.9.9");
    refused(&p, &compile(&["--pack", "ctxpack.unheard@1.0.0"]), 1, "D1205", "ctxpack.unheard");
    refused(&p, &compile(&["--pack", "ctxpack.support"]), 1, "D0013", "ctxpack.support@1.0.0");
    refused(&p, &compile(&[&PINNED[..], &["--overlay", "nowhere"]].concat()), 1, "D1009", "nowhere");
}

#[test]
fn deprecated_and_revoked() {
    let p = pinned();
    p.ok(&context("record", &[&PINNED[..], &["--out", "archive/a.json"]].concat()));
    p.ok(&["pack", "deprecate", "ctxpack.support@1.0.0", "--reason", "superseded"]);
    refused(&p, &compile(&PINNED), 1, "D1206", "superseded");
    // What ran under it can still be looked into.
    p.ok(&["context", "replay", "archive", "--pack", "ctxpack.support@1.0.0"]);
    p.ok(&["pack", "revoke", "ctxpack.support@1.0.0", "--reason", "leaks refunds"]);
    refused(&p, &compile(&PINNED), 1, "D1207", "leaks refunds");
    p.ok(&["context", "replay", "archive"]);
}
