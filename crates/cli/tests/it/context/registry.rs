//! Packs that are named by their pinned reference.

use super::example::{compile, compiled, context, inputs, refused};
use crate::common::Project;
use serde_json::Value;

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
    assert_eq!(by_reference["context_ledger"]["pack_source"]["origin"], "proven");
    assert_eq!(by_folder["context_ledger"]["pack_source"]["origin"], "folder");
    assert_eq!(without_source(by_reference.clone()), without_source(by_folder));
    let with_overlay = compiled(&p, &[&PINNED[..], &["--overlay", "staging"]].concat());
    assert_eq!(with_overlay["context_ledger"]["overlays"][0]["reference"], "ctxpack.support.staging@1.0.0");
    // An edit of the folder does not reach what was published.
    p.edit_in_place("support/pack.yaml", &[("max: 50000", "max: 99999")]);
    assert_eq!(compiled(&p, &PINNED), by_reference);
    assert_ne!(without_source(compiled(&p, &[])), without_source(by_reference));
}

/// A compiled context without the origin of its pack, and without the hashes that cover it.
fn without_source(mut context: Value) -> Value {
    let ledger = context["context_ledger"].as_object_mut().unwrap();
    ledger.remove("pack_source");
    ledger.remove("compiled_context_hash");
    ledger["stage_hashes"].as_array_mut().unwrap().pop();
    context
}

#[test]
fn a_folder_never_takes_the_place_of_a_version() {
    let p = pinned();
    p.ok(&["pack", "revoke", "ctxpack.support@1.0.0", "--reason", "leaks refunds", "--force"]);
    // A folder of the same name, with a weaker rule.
    p.edit("ctxpack.support@1.0.0/pack.yaml", &[("refund_amount }, 3000", "refund_amount }, 999999")]);
    refused(&p, &compile(&PINNED), 1, "D1207", "leaks refunds");
    refused(&p, &["context", "whatif", "archive", "--pack", PINNED[1]], 1, "D1207", "leaks refunds");
    let shown = p.ok(&["pack", "show", PINNED[1]]);
    assert!(shown.stdout.contains("origin    proven"), "{}", shown.stdout);
    // Written as a path, the folder is used, and everything says so.
    let out = p.ok(&compile(&["--pack", "./ctxpack.support@1.0.0"]));
    assert!(out.stdout.contains("pack       ctxpack.support@1.0.0 (folder)"), "{}", out.stdout);
    let shown = p.json(&["pack", "show", "./ctxpack.support@1.0.0"]);
    assert_eq!(shown["data"]["origin"], "folder");
}

#[test]
fn a_bare_word_that_is_a_folder_is_refused_with_the_path() {
    let p = pinned();
    for args in [
        &compile(&["--pack", "support"])[..],
        &["pack", "show", "support"],
        &["pack", "diff", "support", "ctxpack.support@1.0.0"],
        &["pack", "overlay", "support"],
        &["golden", "run", "support"],
        &["golden", "list", "support"],
        &["pack", "recheck", "support", "--trigger", "POLICY_BUNDLE_UPDATED"],
        &["context", "whatif", "archive", "--pack", "support"],
        &["context", "replay", "archive", "--pack", "support"],
    ] {
        refused(&p, args, 1, "D0027", "write `./support` for the folder");
    }
}

#[test]
fn recordings_keep_the_origin_of_their_pack() {
    let p = pinned();
    for (pack, file, origin) in [(PINNED[1], "archive/a.json", "proven"), ("./support", "archive/b.json", "folder")] {
        p.ok(&context("record", &["--pack", pack, "--out", file]));
        let bundle: Value = serde_json::from_str(&std::fs::read_to_string(p.path(file)).unwrap()).unwrap();
        assert_eq!(bundle["inputs"]["pack_source"]["origin"], origin);
    }
    p.ok(&["context", "replay", "archive"]);
    // Against the same documents from elsewhere nothing moves: a comparison is about what they decide.
    p.ok(&["context", "replay", "archive", "--pack", "./support"]);
    // An origin that was written later breaks the seal.
    p.edit_in_place("archive/b.json", &[("\"folder\"", "\"proven\"")]);
    p.refuses(&["context", "replay", "archive/b.json"], 1, "D1532", "pack_source");
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
    p.ok(&["pack", "deprecate", "ctxpack.support@1.0.0", "--reason", "superseded", "--force"]);
    refused(&p, &compile(&PINNED), 1, "D1206", "superseded");
    // What ran under it can still be looked into.
    p.ok(&["context", "replay", "archive", "--pack", "ctxpack.support@1.0.0"]);
    p.ok(&["pack", "revoke", "ctxpack.support@1.0.0", "--reason", "leaks refunds", "--force"]);
    refused(&p, &compile(&PINNED), 1, "D1207", "leaks refunds");
    p.ok(&["context", "replay", "archive"]);
}
