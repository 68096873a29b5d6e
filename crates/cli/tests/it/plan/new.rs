//! `deed plan new`: a plan that compiles as it stands, and never over another file.

use crate::common::Project;

#[test]
fn the_scaffold_compiles_without_a_remark() {
    let p = Project::bare();
    let out = p.ok(&["plan", "new", "audit"]);
    assert_eq!(out.stdout, "audit.plan.yaml\n");
    assert!(out.stderr.contains("deed plan check audit.plan.yaml"));
    let checked = p.ok(&["plan", "check", "audit.plan.yaml", "--deny-warnings"]);
    assert_eq!(checked.stderr, "");
    assert!(std::fs::read_to_string(p.path("audit.plan.yaml")).unwrap().contains("# "), "it is commented");
}

#[test]
fn nothing_is_written_over() {
    let p = Project::bare();
    p.write("audit.plan.yaml", "mine");
    p.refuses(&["plan", "new", "audit"], 1, "D0006", "it is there already");
    p.refuses(&["plan", "new", "audit", "--out", "audit.plan.yaml"], 1, "D0006", "audit.plan.yaml");
    assert_eq!(std::fs::read_to_string(p.path("audit.plan.yaml")).unwrap(), "mine");
}

#[test]
fn elsewhere_and_as_json() {
    let p = Project::bare();
    let answer = p.json(&["plan", "new", "audit", "--out", "plans/deep/a.yaml"]);
    assert_eq!((&answer["ok"], &answer["data"]["written"]), (&true.into(), &"plans/deep/a.yaml".into()));
    assert!(p.path("plans/deep/a.yaml").is_file());
}

#[test]
fn names_that_are_none() {
    let p = Project::bare();
    let long = "a".repeat(101);
    for name in ["Audit", "a b", "../up", "a/b", "", "-", "_a", "prüfung", "a.b", "a\u{202e}b", &long] {
        p.refuses(&["plan", "new", "--", name], 2, "D1970", "is not a name of a plan");
    }
    assert_eq!(std::fs::read_dir(p.path("")).unwrap().count(), 0, "nothing was written");
}

#[test]
fn a_place_that_cannot_be_written() {
    let p = Project::bare();
    p.write("file", "");
    p.refuses(&["plan", "new", "audit", "--out", "file/plan.yaml"], 3, "D0002", "cannot write it");
}
