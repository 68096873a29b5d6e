//! `deed catalog new`: a pack to begin with, and never over other files.

use super::example::files;
use crate::common::Project;

#[test]
fn both_sorts() {
    let p = Project::bare();
    let out = p.ok(&["catalog", "new", "domain", "insurance-claims"]);
    assert_eq!(out.stdout, "insurance-claims/pack.yaml\ninsurance-claims/entities/insurance.record.json\n");
    assert!(out.stderr.contains("deed catalog lint insurance-claims"));
    let answer = p.json(&["catalog", "new", "workflow", "settle", "--domain", "claims", "--dir", "deep/flow"]);
    assert_eq!(answer["data"]["written"][1], "deep/flow/entities/claims.record.json");
    assert_eq!(files(&p, "deep"), ["flow/entities/claims.record.json", "flow/pack.yaml"]);
    assert!(std::fs::read_to_string(p.path("deep/flow/pack.yaml")).unwrap().contains("workflow_pack_id: settle"));
}

/// If one of the files is there, none is written.
#[test]
fn nothing_is_written_over() {
    let p = Project::bare();
    p.write("mine/entities/mine.record.json", "mine");
    p.refuses(&["catalog", "new", "domain", "mine"], 1, "D0006", "entities/mine.record.json");
    assert_eq!(files(&p, "mine"), ["entities/mine.record.json"]);
    assert_eq!(std::fs::read_to_string(p.path("mine/entities/mine.record.json")).unwrap(), "mine");
}

#[test]
fn names_that_are_none() {
    let p = Project::bare();
    for name in ["Claims", "a_b", "a--b", "a-", "1a", "", "../up", "a/b", "ansprüche", "generic"] {
        p.refuses(&["catalog", "new", "domain", "--", name], 2, "D1821", "do not name a pack and a domain");
    }
    for domain in ["generic", "A", "a.b", "a-b", "", "../x"] {
        p.refuses(&["catalog", "new", "domain", "fine", "--domain", domain], 2, "D1821", "one lowercase word");
    }
    assert!(files(&p, "").is_empty());
}
