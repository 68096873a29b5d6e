use crate::common::Project;

const CASE: &str = include_str!("../../../../../packs/support/golden/02_deny_unverified.yaml");

/// The support pack with a golden case, published.
fn published() -> Project {
    let p = Project::new();
    p.write("support/golden/02_deny.yaml", CASE);
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme", "--out", "proof/signature.json"]);
    p.ok(&["pack", "publish", "support"]);
    p
}

#[test]
fn a_failing_case_is_not_passed_by_deleting_it() {
    let p = published();
    std::fs::remove_file(p.path("support/golden/02_deny.yaml")).unwrap();
    p.refuses(&["pack", "lint", "support"], 1, "D1204", "other overlays or golden cases");
    p.refuses(&["pack", "publish", "support"], 1, "D1204", "other overlays or golden cases");
    p.edit_in_place("support/pack.yaml", &[("pack_version: 1.0.0", "pack_version: 1.1.0"), ("@1.0.0", "@1.1.0")]);
    p.edit_in_place("support/overlays/staging.yaml", &[("@1.0.0", "@1.1.0")]);
    p.edit_in_place("support/overlays/high_risk.yaml", &[("@1.0.0", "@1.1.0")]);
    let diff = p.run(&["pack", "diff", "ctxpack.support@1.0.0", "./support"]);
    assert_eq!(diff.code, 1);
    assert!(diff.stdout.contains("major  removed golden case 02_deny"), "{}", diff.stdout);
    // What was published still has it, and proves it on every pin.
    let pinned = p.json(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"]);
    assert_eq!(pinned["data"]["golden_cases"], 1);
    assert_eq!(p.json(&["pack", "show", "ctxpack.support@1.0.0"])["data"]["golden_cases"], 1);
    p.ok(&["pack", "verify"]);
}

#[test]
fn a_review_is_of_the_cases_too() {
    let p = Project::new();
    p.write("support/golden/02_deny.yaml", CASE);
    p.ok(&["pack", "lint", "support"]);
    p.edit_in_place("support/golden/02_deny.yaml", &[("description:", "description: almost")]);
    p.refuses(&["pack", "review", "support", "--role", "security", "--key", "acme"], 1, "D1201", "golden cases");
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme", "--out", "proof/signature.json"]);
    p.ok_to("trust.json", &["keys", "list", "--export"]);
    let verify = [
        "pack",
        "verify",
        "support",
        "--envelope",
        "proof/signature.json",
        "--review",
        "proof",
        "--trust",
        "trust.json",
    ];
    assert!(p.ok(&verify).stdout.contains("golden cases are part of what was signed"));
    std::fs::remove_file(p.path("support/golden/02_deny.yaml")).unwrap();
    p.refuses(&verify, 1, "D1307", "other golden cases");
}
