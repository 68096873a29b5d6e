//! Folders that are no catalogue, and files in them that cannot be read.

use super::example::{PACK, example};
use crate::common::Project;

#[test]
fn folders_that_are_not_read() {
    let p = example();
    std::fs::create_dir(p.path("empty")).unwrap();
    p.write("notes/readme.txt", "nothing of ours");
    for (folder, exit, code, says) in [
        ("nowhere", 3, "D0001", "no such file"),
        ("plan.yaml", 3, "D0001", "not a directory"),
        ("empty", 1, "D1820", "there are no types in this folder"),
        ("notes", 1, "D1820", "there are no types in this folder"),
    ] {
        p.refuses(&["catalog", "lint", folder], exit, code, says);
    }
    for args in [&["catalog", "list"][..], &["catalog", "show", "table.csv"], &["plan", "check", "plan.yaml"]] {
        p.refuses(&[args, &["--catalog", "nowhere"]].concat(), 3, "D0001", "nowhere");
    }
}

/// A file in a place where nothing is kept is named, and left out.
#[test]
fn stray_files() {
    let p = example();
    p.write("claims/entites/insurance.policy.yaml", "{}");
    p.write("claims/notes.yaml", "a: 1");
    let out = p.ok(&["catalog", "lint", "claims", "--lines"]);
    assert!(out.stderr.contains("claims/entites/insurance.policy.yaml: warning[D1801]"), "{}", out.stderr);
    assert!(
        out.stderr.contains("did you mean `entities`?") && out.stderr.contains("claims/notes.yaml"),
        "{}",
        out.stderr
    );
    assert_eq!(p.run(&["catalog", "lint", "claims", "--deny-warnings"]).code, 1);
}

#[test]
fn files_that_cannot_be_read() {
    let p = example();
    p.write("bad/pack.yaml", "domain_pack_id: [\n");
    p.write("bad/entities/a.b.json", "{\"a\": 1, \"a\": 2}");
    p.write("bad/entities/a.c.json", [0xff, 0xfe]);
    p.write("bad/kinds/k.yaml", "kind_key: table.x\n");
    p.write("bad/slots/s.yaml", "- &a { slot: s, purpose: p, kinds: [table.csv] }\n- *a\n");
    p.write("bad/policies/p.yaml", "[]");
    p.write("bad/adapters/a.json", "[".repeat(10_000));
    let answer = p.json(&["catalog", "lint", "bad"]);
    assert_eq!(answer["ok"], false);
    let all = answer["diagnostics"].as_array().unwrap();
    for file in [
        "pack.yaml",
        "entities/a.b.json",
        "entities/a.c.json",
        "kinds/k.yaml",
        "slots/s.yaml",
        "policies/p.yaml",
        "adapters/a.json",
    ] {
        assert!(all.iter().any(|found| found["location"]["file"] == format!("bad/{file}")), "{file}\n{answer}");
    }
}

/// Links are not followed, so a folder cannot hold what lies elsewhere.
#[test]
fn links() {
    let p = Project::bare();
    p.write("elsewhere/pack.yaml", PACK);
    std::fs::create_dir(p.path("linked")).unwrap();
    std::os::unix::fs::symlink(p.path("elsewhere"), p.path("linked/pack")).unwrap();
    std::os::unix::fs::symlink(p.path("elsewhere/pack.yaml"), p.path("linked/pack.yaml")).unwrap();
    std::os::unix::fs::symlink(p.path("linked"), p.path("linked/round")).unwrap();
    p.refuses(&["catalog", "lint", "linked"], 1, "D1820", "there are no types in this folder");
}
